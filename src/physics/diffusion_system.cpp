#include "physics/diffusion_system.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

/// Sum of products in eight parts, in an order that does not depend on the instruction set.
double dot(const ColumnVector& a, const ColumnVector& b) {
    constexpr std::size_t lanes = 8;
    std::array<double, lanes> sums{};
    const double* x = a.cells();
    const double* y = b.cells();
    const std::size_t whole = a.count() / lanes * lanes;
    for (std::size_t i = 0; i < whole; i += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            sums[lane] += x[i + lane] * y[i + lane];
        }
    }
    double rest = a.well * b.well;
    for (std::size_t i = whole; i < a.count(); ++i) {
        rest += x[i] * y[i];
    }
    return std::accumulate(sums.begin(), sums.end(), rest);
}

/// a += factor b.
void add(ColumnVector& a, double factor, const ColumnVector& b) {
    double* x = a.cells();
    const double* y = b.cells();
    for (std::size_t i = 0; i < a.count(); ++i) {
        x[i] += factor * y[i];
    }
    a.well += factor * b.well;
}

/// a = b + factor a.
void scale_and_add(ColumnVector& a, double factor, const ColumnVector& b) {
    double* x = a.cells();
    const double* y = b.cells();
    for (std::size_t i = 0; i < a.count(); ++i) {
        x[i] = y[i] + factor * x[i];
    }
    a.well = b.well + factor * a.well;
}

}  // namespace

DiffusionSystem::DiffusionSystem(const RadialCase& radial, const RadialConnections& connections, std::size_t rows,
                                 double viscosity)
    : rows_(rows),
      columns_(radial.columns()),
      middle_(rows / 2),
      radial_((columns_ + 1) * rows),
      vertical_(columns_ * rows + 1),
      well_(rows),
      storage_(columns_ * rows),
      towards_middle_(columns_ * rows),
      inverse_pivot_(columns_ * rows),
      well_response_(rows),
      above_(rows),
      below_(rows),
      answer_(rows),
      inverse_(rows),
      inverse_below_(rows),
      column_(rows) {
    for (std::size_t row = 0; row < rows; ++row) {
        well_[row] = connections.well[row] / viscosity;
        for (std::size_t column = 0; column < columns_; ++column) {
            if (column > 0) {
                radial_[column * rows + row] = connections.radial[row * (columns_ - 1) + column - 1] / viscosity;
            }
            if (row > 0) {
                vertical_[column * rows + row] = connections.vertical[(row - 1) * columns_ + column] / viscosity;
            }
        }
    }
}

// A tridiagonal matrix of connections `vertical` (a cell and the one above) and row sums `excess` is a ladder of
// conductances: from above and from below, what a cell feels of the cells beyond is a conductance to the ground.
void DiffusionSystem::factor_column(std::size_t column, const double* vertical, const double* excess) {
    double* factor = towards_middle_.data() + column * rows_;
    double* pivot = inverse_pivot_.data() + column * rows_;
    double from_above = 0.0;
    double from_below = 0.0;
    for (std::size_t row = 0; row < rows_; ++row) {  // downwards, and upwards at its mirror image
        above_[row] = from_above;
        const double next = row + 1 < rows_ ? vertical[row + 1] : 0.0;
        const double conductance = excess[row] + from_above;
        const double inverse = 1.0 / (next + conductance);
        from_above = next * conductance * inverse;

        const std::size_t mirror = rows_ - 1 - row;
        below_[mirror] = from_below;
        const double mirror_conductance = excess[mirror] + from_below;
        const double mirror_inverse = 1.0 / (vertical[mirror] + mirror_conductance);
        from_below = vertical[mirror] * mirror_conductance * mirror_inverse;
        answer_[mirror] = vertical[mirror] * mirror_inverse;

        if (row < middle_) {
            pivot[row] = inverse;
            factor[row] = next * inverse;
        }
        if (mirror > middle_) {
            pivot[mirror] = mirror_inverse;
            factor[mirror] = answer_[mirror];
        }
    }
    for (std::size_t row = 0; row < rows_; ++row) {
        inverse_[row] = 1.0 / (excess[row] + above_[row] + below_[row]);
    }
    pivot[middle_] = inverse_[middle_];
    for (std::size_t row = 0; row + 1 < rows_; ++row) {
        inverse_below_[row] = inverse_[row] * answer_[row + 1];
    }
}

void DiffusionSystem::solve_column(std::size_t column, double* x) const {
    const double* factor = towards_middle_.data() + column * rows_;
    const double* pivot = inverse_pivot_.data() + column * rows_;
    const std::size_t last = rows_ - 1;
    const std::size_t lower = last - middle_;  // cells below the middle, as many as above or one less
    // Both chains wait for their own last result only, so they are kept in registers and run side by side.
    double above = x[0];
    double below = x[last];
    for (std::size_t k = 0; k < lower; ++k) {
        above = x[k + 1] + factor[k] * above;
        x[k + 1] = above;
        below = x[last - k - 1] + factor[last - k] * below;
        x[last - k - 1] = below;
    }
    const bool even = middle_ > lower;
    double centre = x[middle_];
    if (even) {
        centre += factor[middle_ - 1] * above;
    }
    centre *= pivot[middle_];
    x[middle_] = centre;
    above = below = centre;
    if (even) {
        above = x[middle_ - 1] * pivot[middle_ - 1] + factor[middle_ - 1] * centre;
        x[middle_ - 1] = above;
    }
    for (std::size_t k = lower; k-- > 0;) {
        above = x[k] * pivot[k] + factor[k] * above;
        x[k] = above;
        below = x[last - k] * pivot[last - k] + factor[last - k] * below;
        x[last - k] = below;
    }
}

void DiffusionSystem::set_storage(const std::vector<double>& storage) {
    storage_ = storage;
    std::vector<double> kept(rows_);      // what a column passes to the ground, not to the next column inwards
    std::vector<double> excess(rows_);    // the same with the connections inwards
    std::vector<double> vertical(rows_);  // connections within the column, with those through the columns outwards
    std::vector<double> share(rows_);
    for (std::size_t column = columns_; column-- > 0;) {
        const double* inwards = column > 0 ? radial_.data() + column * rows_ : well_.data();
        const double* outwards = radial_.data() + (column + 1) * rows_;
        for (std::size_t row = 0; row < rows_; ++row) {
            // `share` is what the ground takes of a unit of pressure that is put on the column outwards.
            kept[row] = storage_[column * rows_ + row] + outwards[row] * share[row];
            excess[row] = kept[row] + inwards[row];
            vertical[row] = vertical_[column * rows_ + row];
            if (row > 0 && column + 1 < columns_) {
                vertical[row] += outwards[row - 1] * inverse_below_[row - 1] * outwards[row];
            }
        }
        factor_column(column, vertical.data(), excess.data());
        share = kept;
        solve_column(column, share.data());
    }
    double pivot = 0.0;
    for (std::size_t row = 0; row < rows_; ++row) {
        pivot += well_[row] * share[row];
    }
    inverse_well_pivot_ = 1.0 / pivot;
    well_response_ = well_;
    solve_column(0, well_response_.data());
}

void DiffusionSystem::precondition(const ColumnVector& residual, ColumnVector& result) const {
    result.well = residual.well;
    const double* r = residual.cells();
    double* x = result.cells();
    for (std::size_t column = columns_; column-- > 0;) {
        const double* outwards = radial_.data() + (column + 1) * rows_;
        const std::size_t first = column * rows_;
        for (std::size_t row = 0; row < rows_; ++row) {
            x[first + row] = r[first + row] + outwards[row] * x[first + rows_ + row];
        }
        solve_column(column, x + first);
    }
    for (std::size_t row = 0; row < rows_; ++row) {
        result.well += well_[row] * x[row];
    }
    result.well *= inverse_well_pivot_;
    for (std::size_t row = 0; row < rows_; ++row) {
        x[row] += well_response_[row] * result.well;
    }
    double* change = column_.data();
    for (std::size_t column = 1; column < columns_; ++column) {
        const double* inwards = radial_.data() + column * rows_;
        const std::size_t first = column * rows_;
        for (std::size_t row = 0; row < rows_; ++row) {
            change[row] = inwards[row] * x[first - rows_ + row];
        }
        solve_column(column, change);
        for (std::size_t row = 0; row < rows_; ++row) {
            x[first + row] += change[row];
        }
    }
}

void DiffusionSystem::multiply(const ColumnVector& x, ColumnVector& product) const {
    const double* v = x.cells();
    double* y = product.cells();
    const double* inwards = radial_.data();
    const double* outwards = radial_.data() + rows_;
    const double* above = vertical_.data();
    const double* below = vertical_.data() + 1;
    const std::size_t rows = rows_;
    for (std::size_t i = 0; i < storage_.size(); ++i) {
        y[i] = storage_[i] * v[i] + inwards[i] * (v[i] - v[i - rows]) + outwards[i] * (v[i] - v[i + rows]) +
               above[i] * (v[i] - v[i - 1]) + below[i] * (v[i] - v[i + 1]);
    }
    product.well = 0.0;
    for (std::size_t row = 0; row < rows_; ++row) {
        const double flow = well_[row] * (x.well - v[row]);
        product.well += flow;
        y[row] -= flow;
    }
}

void DiffusionSystem::subtract_product(const ColumnVector& b, const ColumnVector& x, ColumnVector& residual) const {
    multiply(x, residual);
    scale_and_add(residual, -1.0, b);
}

int DiffusionSystem::solve(const ColumnVector& b, ColumnVector& x, double tolerance, int limit) {
    ColumnVector residual(rows_, columns_), direction(rows_, columns_), product(rows_, columns_), step(rows_, columns_);
    // The preconditioner has the row sums of the matrix, so that a whole step balances the sum of the residual; the
    // iterations then leave it at 0.
    subtract_product(b, x, residual);
    precondition(residual, step);
    add(x, 1.0, step);
    subtract_product(b, x, residual);
    precondition(residual, step);
    direction = step;
    double size = dot(residual, step);
    const double enough = tolerance * tolerance * std::abs(dot(b, x));
    int iteration = 0;
    while (size > enough) {
        if (++iteration > limit) {
            throw NotConverged(
                fmt::format("the pressure did not converge within {} iterations (energy of the error {:g}, "
                            "wanted {:g}); check the case's permeability for values without meaning",
                            limit, size, enough));
        }
        multiply(direction, product);
        const double length = size / dot(direction, product);
        add(x, length, direction);
        add(residual, -length, product);
        precondition(residual, step);
        const double before = size;
        size = dot(residual, step);
        scale_and_add(direction, size / before, step);
    }
    return iteration;
}

}  // namespace plumecast
