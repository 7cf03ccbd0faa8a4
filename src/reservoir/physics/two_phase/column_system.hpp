#pragma once

#include <cstddef>
#include <vector>

namespace plumecast::two_phase {

/// A linear system on the cells of a radial grid and the pressure of the well. Cell i = column * rows + row; its
/// equation couples it to its four neighbours, and in the first column to the well:
///   diagonal x + above x(row - 1) + below x(row + 1) + inner x(column - 1) + outer x(column + 1) [+ well_in_cell w]
///     = right
/// The well's: well_diagonal w + sum over rows of cell_in_well x(row, first column) = well_right.
/// The equations must be diagonally dominant.
class ColumnSystem {
   public:
    ColumnSystem(std::size_t columns, std::size_t rows);

    std::size_t columns() const { return columns_; }
    std::size_t rows() const { return rows_; }

    std::vector<double> diagonal, above, below, inner, outer, right;
    std::vector<double> well_in_cell, cell_in_well;
    double well_diagonal = 0.0, well_right = 0.0;

    /// Solves for the cells and the well. Columns from `kept` on have the same coefficients as in the last solution,
    /// whose elimination is used again; their right sides may differ.
    void solve(std::vector<double>& cells, double& well, std::size_t kept);
    /// Solves the transposed system of the last solution by the same elimination; the right sides become the solution.
    void solve_transposed(std::vector<double>& cells, double& well);

   private:
    void eliminate(std::size_t column);
    void factor(std::size_t column);
    std::vector<double> times_inverse_transposed(std::size_t column, const double* x);
    /// Transposed, so that products add up its rows.
    double* inverse(std::size_t column) { return inverses_.front().values + column * rows_ * stride_; }

    /// Vectors of the widest instruction set do not straddle lines of the cache.
    struct alignas(64) CacheLine {
        double values[8];
    };

    std::size_t columns_, rows_, stride_;
    std::vector<CacheLine> inverses_;  // of each column's matrix once those further out are eliminated, transposed
    std::vector<double> reduced_;      // right sides once those further out are eliminated
    std::vector<double> x_, y_;        // one column, padded
};

}  // namespace plumecast::two_phase
