#include "reservoir/physics/two_phase/column_system.hpp"

#include <algorithm>

#include "reservoir/physics/two_phase/dense_kernels.hpp"

namespace plumecast::two_phase {
namespace {

constexpr std::size_t lanes = 8;

std::size_t padded(std::size_t count) { return (count + lanes - 1) / lanes * lanes; }

}  // namespace

ColumnSystem::ColumnSystem(std::size_t columns, std::size_t rows)
    : columns_(columns),
      rows_(rows),
      stride_(padded(rows)),
      inverses_(columns * rows * stride_ / lanes),
      reduced_(columns * rows),
      x_(stride_),
      y_(stride_) {
    for (auto* part : {&diagonal, &above, &below, &inner, &outer, &right}) {
        part->resize(columns * rows);
    }
    well_in_cell.resize(rows);
    cell_in_well.resize(rows);
}

/// The column's matrix less what its outer neighbour contributes, inverted; all transposed. Columns couple cell by
/// cell, so that the neighbour's inverse is only scaled by rows and columns.
void ColumnSystem::factor(std::size_t column) {
    double* matrix = inverse(column);
    const std::size_t first = column * rows_;
    if (column + 1 < columns_) {
        std::copy_n(outer.begin() + static_cast<std::ptrdiff_t>(first), rows_, x_.begin());
        dense_kernels().couple(matrix, inverse(column + 1), inner.data() + first + rows_, x_.data(), rows_, stride_);
    } else {
        std::fill_n(matrix, rows_ * stride_, 0.0);
    }
    for (std::size_t i = 0; i < rows_; ++i) {
        matrix[i * stride_ + i] += diagonal[first + i];
        if (i > 0) {
            matrix[(i - 1) * stride_ + i] += above[first + i];
        }
        if (i + 1 < rows_) {
            matrix[(i + 1) * stride_ + i] += below[first + i];
        }
    }
    dense_kernels().invert(matrix, rows_, stride_);
}

/// Right side of the column less what the outer neighbour contributes.
void ColumnSystem::eliminate(std::size_t column) {
    const std::size_t first = column * rows_;
    std::copy_n(right.begin() + static_cast<std::ptrdiff_t>(first), rows_,
                reduced_.begin() + static_cast<std::ptrdiff_t>(first));
    if (column + 1 == columns_) {
        return;
    }
    std::copy_n(reduced_.begin() + static_cast<std::ptrdiff_t>(first + rows_), rows_, x_.begin());
    dense_kernels().multiply_transposed(inverse(column + 1), x_.data(), y_.data(), rows_, stride_);
    for (std::size_t i = 0; i < rows_; ++i) {
        reduced_[first + i] -= outer[first + i] * y_[i];
    }
}

void ColumnSystem::solve(std::vector<double>& cells, double& well, std::size_t kept) {
    for (std::size_t column = columns_; column-- > 0;) {
        if (column < kept) {
            factor(column);
        }
        eliminate(column);
    }
    // x = inverse (right - well_in_cell w) in the first column, put into the well's equation.
    const auto& kernels = dense_kernels();
    std::vector<double> response(stride_);
    std::copy_n(well_in_cell.begin(), rows_, x_.begin());
    kernels.multiply_transposed(inverse(0), x_.data(), response.data(), rows_, stride_);
    std::copy_n(reduced_.begin(), rows_, x_.begin());
    kernels.multiply_transposed(inverse(0), x_.data(), y_.data(), rows_, stride_);
    double diagonal_of_well = well_diagonal, right_of_well = well_right;
    for (std::size_t i = 0; i < rows_; ++i) {
        diagonal_of_well -= cell_in_well[i] * response[i];
        right_of_well -= cell_in_well[i] * y_[i];
    }
    well = right_of_well / diagonal_of_well;
    cells.resize(columns_ * rows_);
    for (std::size_t i = 0; i < rows_; ++i) {
        cells[i] = y_[i] - response[i] * well;
    }
    for (std::size_t column = 1; column < columns_; ++column) {
        const std::size_t first = column * rows_;
        for (std::size_t i = 0; i < rows_; ++i) {
            x_[i] = reduced_[first + i] - inner[first + i] * cells[first - rows_ + i];
        }
        kernels.multiply_transposed(inverse(column), x_.data(), y_.data(), rows_, stride_);
        std::copy_n(y_.begin(), rows_, cells.begin() + static_cast<std::ptrdiff_t>(first));
    }
}

std::vector<double> ColumnSystem::times_inverse_transposed(std::size_t column, const double* x) {
    const double* matrix = inverse(column);
    std::vector<double> y(rows_);
    for (std::size_t i = 0; i < rows_; ++i) {
        for (std::size_t j = 0; j < rows_; ++j) {
            y[i] += matrix[i * stride_ + j] * x[j];
        }
    }
    return y;
}

// In the transposed matrix the two blocks that couple neighbouring columns, `inner` and `outer`, change places, and so
// do those that couple the first column and the well.
void ColumnSystem::solve_transposed(std::vector<double>& cells, double& well) {
    for (std::size_t column = columns_ - 1; column-- > 0;) {
        const std::size_t first = column * rows_, next = first + rows_;
        const std::vector<double> y = times_inverse_transposed(column + 1, cells.data() + next);
        for (std::size_t i = 0; i < rows_; ++i) {
            cells[first + i] -= inner[next + i] * y[i];
        }
    }
    const std::vector<double> response = times_inverse_transposed(0, cell_in_well.data());
    const std::vector<double> alone = times_inverse_transposed(0, cells.data());
    double diagonal_of_well = well_diagonal, right_of_well = well;
    for (std::size_t i = 0; i < rows_; ++i) {
        diagonal_of_well -= well_in_cell[i] * response[i];
        right_of_well -= well_in_cell[i] * alone[i];
    }
    well = right_of_well / diagonal_of_well;
    for (std::size_t i = 0; i < rows_; ++i) {
        cells[i] = alone[i] - response[i] * well;
    }
    for (std::size_t column = 1; column < columns_; ++column) {
        const std::size_t first = column * rows_;
        for (std::size_t i = 0; i < rows_; ++i) {
            cells[first + i] -= outer[first - rows_ + i] * cells[first - rows_ + i];
        }
        std::ranges::copy(times_inverse_transposed(column, cells.data() + first),
                          cells.begin() + static_cast<std::ptrdiff_t>(first));
    }
}

}  // namespace plumecast::two_phase
