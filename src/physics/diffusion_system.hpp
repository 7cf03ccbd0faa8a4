#pragma once

#include <cstddef>
#include <vector>

#include <plumecast/physics/radial_case.hpp>
#include <plumecast/physics/radial_connections.hpp>

namespace plumecast {

/// Unknowns of a radial grid: one per cell, by columns from the well outwards and downwards within a column, and that
/// of the well. A column of zeros stands before the first and one behind the last.
struct ColumnVector {
    std::size_t padding = 0;     ///< cells before the first
    std::vector<double> values;  ///< of all cells and the padding
    double well = 0.0;

    ColumnVector(std::size_t rows, std::size_t columns) : padding(rows), values((columns + 2) * rows) {}
    double* cells() { return values.data() + padding; }
    const double* cells() const { return values.data() + padding; }
    std::size_t count() const { return values.size() - 2 * padding; }
};

/// The symmetric system (storage + differences of neighbours) x = b of a radial grid with a well, as implicit steps of
/// slightly compressible flow have it, solved by conjugate gradients. The preconditioner is the modified incomplete
/// block factorisation of Concus, Golub and Meurant (1985) over the columns: each Schur complement is replaced by a
/// tridiagonal matrix of the same row sums. It is exact where rows do not exchange fluid, near the well, and where they
/// exchange it fast, far away. All its sums are of positive numbers, so contrasts of permeability cost no digits.
class DiffusionSystem {
   public:
    /// The grid's connections divided by `viscosity`, of its first `rows` rows; the others hold no active cell.
    DiffusionSystem(const RadialCase& radial, const RadialConnections& connections, std::size_t rows, double viscosity);

    std::size_t rows() const { return rows_; }
    std::size_t columns() const { return columns_; }

    /// Sets what a cell stores per unit of x, above 0, [columns x rows], and prepares the preconditioner.
    void set_storage(const std::vector<double>& storage);

    /// Solves for b, from the guess `x`, to a relative error of `tolerance` in energy; the sum of storage x is that of
    /// b to rounding. Returns the iterations taken; throws NotConverged beyond `limit`.
    int solve(const ColumnVector& b, ColumnVector& x, double tolerance, int limit);

   private:
    void multiply(const ColumnVector& x, ColumnVector& product) const;
    void subtract_product(const ColumnVector& b, const ColumnVector& x, ColumnVector& residual) const;
    void precondition(const ColumnVector& residual, ColumnVector& result) const;
    void factor_column(std::size_t column, const double* vertical, const double* excess);
    void solve_column(std::size_t column, double* x) const;

    std::size_t rows_;
    std::size_t columns_;
    std::size_t middle_;
    std::vector<double> radial_;    // [columns + 1, rows] with the neighbour inwards; 0 at both ends
    std::vector<double> vertical_;  // [1 + columns * rows] with the neighbour above; 0 at the ends of a column
    std::vector<double> well_;      // [rows]
    std::vector<double> storage_;   // [columns, rows]

    // The tridiagonal matrices, eliminated from both ends towards the middle.
    std::vector<double> towards_middle_;  // [columns, rows] factor of a cell's value in the next
    std::vector<double> inverse_pivot_;   // [columns, rows]
    std::vector<double> well_response_;   // [rows] of the first column to the well
    double inverse_well_pivot_ = 0.0;
    // Of the column at work [rows]: what a cell feels of those above and below, the answer of a cell to the one above,
    // the diagonal of the inverse, and its neighbour below.
    std::vector<double> above_;
    std::vector<double> below_;
    std::vector<double> answer_;
    std::vector<double> inverse_;
    std::vector<double> inverse_below_;
    mutable std::vector<double> column_;
};

}  // namespace plumecast
