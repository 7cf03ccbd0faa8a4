#include "reservoir/physics/single_phase/diffusion_system.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

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
    double rest = std::inner_product(a.wells.begin(), a.wells.end(), b.wells.begin(), 0.0);
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
    for (std::size_t i = 0; i < a.wells.size(); ++i) {
        a.wells[i] += factor * b.wells[i];
    }
}

/// a = b + factor a.
void scale_and_add(ColumnVector& a, double factor, const ColumnVector& b) {
    double* x = a.cells();
    const double* y = b.cells();
    for (std::size_t i = 0; i < a.count(); ++i) {
        x[i] = y[i] + factor * x[i];
    }
    for (std::size_t i = 0; i < a.wells.size(); ++i) {
        a.wells[i] = b.wells[i] + factor * a.wells[i];
    }
}

}  // namespace

DiffusionSystem::DiffusionSystem(ColumnNetwork network, double viscosity)
    : network_(std::move(network)),
      middle_(network_.rows / 2),
      earlier_(network_.columns),
      later_(network_.columns),
      wells_of_(network_.columns),
      towards_middle_(network_.columns * network_.rows),
      inverse_pivot_(network_.columns * network_.rows),
      inverse_below_(network_.columns * network_.rows),
      share_(network_.columns * network_.rows),
      inverse_well_pivot_(network_.well_columns.size()),
      above_(network_.rows),
      below_(network_.rows),
      answer_(network_.rows) {
    for (auto* values : {&network_.vertical, &network_.lateral, &network_.wells}) {
        for (double& value : *values) {
            value /= viscosity;
        }
    }
    network_.vertical.push_back(0.0);  // below the last cell
    for (std::size_t link = 0; link < network_.links.size(); ++link) {
        const auto [first, second] = network_.links[link];
        earlier_[second].push_back({first, link});
        later_[first].push_back({second, link});
        const std::size_t rows = network_.rows;
        const Run run{first * rows, second * rows, link * rows, rows};
        if (!runs_.empty() && runs_.back().first + runs_.back().count == run.first &&
            runs_.back().second + runs_.back().count == run.second) {
            runs_.back().count += rows;
        } else {
            runs_.push_back(run);
        }
    }
    for (std::size_t well = 0; well < network_.well_columns.size(); ++well) {
        wells_of_[network_.well_columns[well]].push_back(well);
    }
}

// A tridiagonal matrix of connections `vertical` (a cell and the one above) and row sums `excess` is a ladder of
// conductances: seen from a cell, all cells above it, or below it, are one conductance to the ground.
void DiffusionSystem::factor_column(std::size_t column, const double* vertical, const double* excess) {
    const std::size_t rows = network_.rows;
    double* factor = of(towards_middle_, column);
    double* pivot = of(inverse_pivot_, column);
    double* inverse_below = of(inverse_below_, column);
    double from_above = 0.0;
    double from_below = 0.0;
    for (std::size_t row = 0; row < rows; ++row) {  // downwards, and upwards at its mirror image
        above_[row] = from_above;
        const double next = row + 1 < rows ? vertical[row + 1] : 0.0;
        const double conductance = excess[row] + from_above;
        const double inverse = 1.0 / (next + conductance);
        from_above = next * conductance * inverse;

        const std::size_t mirror = rows - 1 - row;
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
    for (std::size_t row = 0; row < rows; ++row) {
        const double inverse = 1.0 / (excess[row] + above_[row] + below_[row]);
        inverse_below[row] = row + 1 < rows ? inverse * answer_[row + 1] : 0.0;
        if (row == middle_) {
            pivot[row] = inverse;
        }
    }
}

void DiffusionSystem::solve_column(std::size_t column, double* x) const {
    const double* factor = of(towards_middle_, column);
    const double* pivot = of(inverse_pivot_, column);
    const std::size_t last = network_.rows - 1;
    const std::size_t lower = last - middle_;  // cells below the middle, as many as above or one less
    // Each chain depends on its own last result only, so both are kept in registers and run side by side.
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

/// The Schur complement of a column as a tridiagonal matrix: its connections, with those through the columns before,
/// and its row sums, of which the part that stays after the columns to come are taken off is left in share_.
void DiffusionSystem::prepare_column(std::size_t column, std::vector<double>& vertical, std::vector<double>& excess) {
    const std::size_t rows = network_.rows;
    double* kept = of(share_, column);
    std::copy_n(of(storage_, column), rows, kept);
    std::copy_n(of(network_.vertical, column), rows, vertical.begin());
    for (const auto [other, link] : earlier_[column]) {
        const double* lateral = of(network_.lateral, link);
        const double* share = of(share_, other);
        const double* inverse_below = of(inverse_below_, other);
        for (std::size_t row = 0; row < rows; ++row) {
            kept[row] += lateral[row] * share[row];
        }
        for (std::size_t row = 1; row < rows; ++row) {
            vertical[row] += lateral[row - 1] * inverse_below[row - 1] * lateral[row];
        }
    }
    std::copy_n(kept, rows, excess.begin());
    for (const auto [other, link] : later_[column]) {
        const double* lateral = of(network_.lateral, link);
        for (std::size_t row = 0; row < rows; ++row) {
            excess[row] += lateral[row];
        }
    }
}

void DiffusionSystem::set_storage(const std::vector<double>& storage) {
    const std::size_t rows = network_.rows;
    storage_ = storage;
    std::vector<double> vertical(rows);
    std::vector<double> excess(rows);
    for (const std::size_t column : network_.order) {
        prepare_column(column, vertical, excess);
        for (const std::size_t well : wells_of_[column]) {
            for (std::size_t row = 0; row < rows; ++row) {
                excess[row] += network_.wells[well * rows + row];
            }
        }
        factor_column(column, vertical.data(), excess.data());
        solve_column(column, of(share_, column));
    }
    for (std::size_t well = 0; well < network_.well_columns.size(); ++well) {
        const double* share = of(share_, network_.well_columns[well]);
        double pivot = 0.0;
        for (std::size_t row = 0; row < rows; ++row) {
            pivot += network_.wells[well * rows + row] * share[row];
        }
        inverse_well_pivot_[well] = 1.0 / pivot;
    }
}

void DiffusionSystem::add_flow(const std::vector<Neighbour>& neighbours, const ColumnVector& x, const double* start,
                               double* sum) const {
    const std::size_t rows = network_.rows;
    for (const auto [other, link] : neighbours) {
        const double* lateral = of(network_.lateral, link);
        const double* there = x.cells() + other * rows;
        for (std::size_t row = 0; row < rows; ++row) {
            sum[row] = start[row] + lateral[row] * there[row];
        }
        start = sum;
    }
    if (start != sum) {
        std::copy_n(start, rows, sum);
    }
}

void DiffusionSystem::precondition(const ColumnVector& residual, ColumnVector& result) const {
    const std::size_t rows = network_.rows;
    for (const std::size_t column : network_.order) {
        double* here = result.cells() + column * rows;
        add_flow(earlier_[column], result, residual.cells() + column * rows, here);
        solve_column(column, here);
    }
    for (std::size_t well = 0; well < network_.well_columns.size(); ++well) {
        const double* here = result.cells() + network_.well_columns[well] * rows;
        const double* factors = of(network_.wells, well);
        result.wells[well] =
            std::inner_product(here, here + rows, factors, residual.wells[well]) * inverse_well_pivot_[well];
    }
    const std::vector<double> nothing(rows);
    std::vector<double> change(rows);
    for (std::size_t place = network_.order.size(); place-- > 0;) {
        const std::size_t column = network_.order[place];
        add_flow(later_[column], result, nothing.data(), change.data());
        for (const std::size_t well : wells_of_[column]) {
            for (std::size_t row = 0; row < rows; ++row) {
                change[row] += network_.wells[well * rows + row] * result.wells[well];
            }
        }
        solve_column(column, change.data());
        double* here = result.cells() + column * rows;
        for (std::size_t row = 0; row < rows; ++row) {
            here[row] += change[row];
        }
    }
}

void DiffusionSystem::multiply(const ColumnVector& x, ColumnVector& product) const {
    const std::size_t rows = network_.rows;
    const double *v = x.cells(), *before = v - 1, *after = v + 1;
    double* y = product.cells();
    const double* above = network_.vertical.data();
    for (std::size_t i = 0; i < storage_.size(); ++i) {
        y[i] = storage_[i] * v[i] + above[i] * (v[i] - before[i]) + above[i + 1] * (v[i] - after[i]);
    }
    for (const Run& run : runs_) {
        const double* lateral = network_.lateral.data() + run.lateral;
        for (std::size_t i = 0; i < run.count; ++i) {
            y[run.first + i] += lateral[i] * (v[run.first + i] - v[run.second + i]);
        }
        for (std::size_t i = 0; i < run.count; ++i) {
            y[run.second + i] += lateral[i] * (v[run.second + i] - v[run.first + i]);
        }
    }
    for (std::size_t well = 0; well < network_.well_columns.size(); ++well) {
        const std::size_t first = network_.well_columns[well] * rows;
        product.wells[well] = 0.0;
        for (std::size_t row = 0; row < rows; ++row) {
            const double flow = network_.wells[well * rows + row] * (x.wells[well] - v[first + row]);
            product.wells[well] += flow;
            y[first + row] -= flow;
        }
    }
}

void DiffusionSystem::subtract_product(const ColumnVector& b, const ColumnVector& x, ColumnVector& residual) const {
    multiply(x, residual);
    scale_and_add(residual, -1.0, b);
}

int DiffusionSystem::solve(const ColumnVector& b, ColumnVector& x, double tolerance, int limit) {
    ColumnVector residual(network_), direction(network_), product(network_), step(network_);
    // The preconditioner has the row sums of the matrix, so that a whole step balances the sum of the residual; the
    // iterations then leave it at 0.
    subtract_product(b, x, residual);
    precondition(residual, step);
    add(x, 1.0, step);
    subtract_product(b, x, residual);
    precondition(residual, step);
    direction = step;
    double size = dot(residual, step);
    // The energy of the solution is known only after convergence; that of a bad guess may be far from it.
    int iteration = 0;
    for (double enough = -1.0; size > enough;) {
        enough = tolerance * tolerance * std::abs(dot(b, x));
        while (size > enough) {
            if (++iteration > limit) {
                throw NotConverged(fmt::format(
                    "the pressure did not converge within {} iterations (energy of the error {:g}, wanted {:g}); check "
                    "the case's permeability for values without meaning",
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
        enough = tolerance * tolerance * std::abs(dot(b, x));
    }
    return iteration;
}

}  // namespace plumecast
