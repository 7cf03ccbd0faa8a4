#pragma once

#include <cstddef>
#include <vector>

namespace plumecast {

/// Vertical columns of cells that exchange fluid with columns beside them and with wells, and the order in which they
/// are eliminated. Transmissibilities are 0 where nothing flows.
struct ColumnNetwork {
    struct Link {
        std::size_t first = 0;   ///< column that is eliminated before ...
        std::size_t second = 0;  ///< ... this one
    };

    std::size_t rows = 0;
    std::size_t columns = 0;
    std::vector<double> vertical;           ///< [columns, rows] with the cell above
    std::vector<Link> links;                ///< pairs of neighbouring columns
    std::vector<double> lateral;            ///< [links, rows]
    std::vector<std::size_t> well_columns;  ///< [wells]
    std::vector<double> wells;              ///< [wells, rows]
    std::vector<std::size_t> order;         ///< [columns] that of elimination
};

/// Unknowns of a ColumnNetwork: one per cell, downwards within a column, and one per well. A zero stands before the
/// first and one behind the last cell.
struct ColumnVector {
    std::vector<double> values;
    std::vector<double> wells;

    explicit ColumnVector(const ColumnNetwork& network)
        : values(network.rows * network.columns + 2), wells(network.well_columns.size()) {}
    double* cells() { return values.data() + 1; }
    const double* cells() const { return values.data() + 1; }
    std::size_t count() const { return values.size() - 2; }
};

/// The symmetric system (storage + differences of neighbours) x = b of a network, as implicit steps of slightly
/// compressible flow have it, equation (4) in docs/physics.md, solved by conjugate gradients. The preconditioner is the
/// modified incomplete block factorisation of Concus, Golub and Meurant (1985) over the columns: each Schur complement
/// is replaced by a tridiagonal matrix, and what is left out goes to the diagonal, so that all row sums are those of
/// the system. All its sums are of positive numbers, so contrasts of permeability cost no digits.
class DiffusionSystem {
   public:
    /// All transmissibilities of the network are divided by `viscosity`.
    DiffusionSystem(ColumnNetwork network, double viscosity);

    const ColumnNetwork& network() const { return network_; }

    /// Sets the storage of each cell per unit of x [columns, rows], all above 0, and prepares the preconditioner.
    void set_storage(const std::vector<double>& storage);

    /// Solves for b, from the guess `x`, to a relative error of `tolerance` in energy; the sum of storage x is that of
    /// b to rounding. Returns the iterations taken; throws NotConverged beyond `limit`.
    int solve(const ColumnVector& b, ColumnVector& x, double tolerance, int limit);

   private:
    struct Neighbour {
        std::size_t column;
        std::size_t link;
    };
    /// Consecutive links between consecutive columns: `count` pairs of cells from there on.
    struct Run {
        std::size_t first;
        std::size_t second;
        std::size_t lateral;
        std::size_t count;
    };

    void multiply(const ColumnVector& x, ColumnVector& product) const;
    void subtract_product(const ColumnVector& b, const ColumnVector& x, ColumnVector& residual) const;
    void precondition(const ColumnVector& residual, ColumnVector& result) const;
    /// `sum` = `start` plus the flow from the neighbours at x.
    void add_flow(const std::vector<Neighbour>& neighbours, const ColumnVector& x, const double* start,
                  double* sum) const;
    void prepare_column(std::size_t column, std::vector<double>& vertical, std::vector<double>& excess);
    void factor_column(std::size_t column, const double* vertical, const double* excess);
    void solve_column(std::size_t column, double* x) const;
    double* of(std::vector<double>& values, std::size_t column) const { return values.data() + column * network_.rows; }
    const double* of(const std::vector<double>& values, std::size_t column) const {
        return values.data() + column * network_.rows;
    }

    ColumnNetwork network_;
    std::size_t middle_;                           // row at which both eliminations of a column end
    std::vector<double> storage_;                  // [columns, rows]
    std::vector<std::vector<Neighbour>> earlier_;  // [columns] neighbours that are eliminated before
    std::vector<std::vector<Neighbour>> later_;
    std::vector<std::vector<std::size_t>> wells_of_;  // [columns]
    std::vector<Run> runs_;

    // The tridiagonal matrices, eliminated from both ends towards the middle.
    std::vector<double> towards_middle_;  // [columns, rows] factor of a cell's value in the next
    std::vector<double> inverse_pivot_;   // [columns, rows]
    std::vector<double> inverse_below_;   // [columns, rows] of the inverse, a cell and the one below
    std::vector<double> share_;           // [columns, rows] what the ground keeps of a unit that stands beside all
    std::vector<double> inverse_well_pivot_;
    // Of the column at work [rows]: what a cell feels of those above and below, and its answer to the one above.
    std::vector<double> above_;
    std::vector<double> below_;
    std::vector<double> answer_;
};

}  // namespace plumecast
