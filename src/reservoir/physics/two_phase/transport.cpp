#include <algorithm>
#include <cmath>

#include "reservoir/physics/two_phase/simulation.hpp"

namespace plumecast::two_phase {
namespace {

constexpr int most_iterations = 30;
constexpr double tolerance = 2e-4;  // largest change of mass over the density of CO2
// For derivatives. Iterations that oscillate about a kink stop after this many, with the tolerance above.
constexpr double tight_tolerance = 1e-11;
constexpr int most_tight_iterations = 60;
constexpr double lost_mass = 1e-3;     // over the density of CO2, that a cell may lack after a step
constexpr double longest_step = 0.15;  // of mass in an iteration, likewise
constexpr double trace = 1e-18;  // of the mass at the largest rate, that is not followed into a column without CO2

}  // namespace

/// Saturation and dissolved CO2 of the cells of a column from their masses, equation (9) in docs/physics.md, and their
/// mobilities.
void Simulation::set_saturations(std::size_t column) {
    const std::size_t first = column * reservoir_.rows;
    column_kernels().flash(
        {state_.mass.data() + first, now_.density.data() + first, now_.limit.data() + first,
         state_.saturation.data() + first, now_.mass_slope.data() + first, state_.dissolved.data() + first},
        reservoir_.rows);
    set_flow_properties(column);
}

FlowingCells Simulation::flowing_cells(std::size_t first) const {
    return FlowingCells{now_.gas_mobility.data(), now_.brine_mobility.data(),  now_.gas_slope.data(),
                        now_.brine_slope.data(),  now_.capillary_slope.data(), now_.density.data(),
                        state_.dissolved.data(),  now_.mass_slope.data()}
        .from(first);
}

/// What crosses the outer faces of a column, outwards, and the lower ones, upwards.
void Simulation::cross_faces(std::size_t column) {
    const std::size_t rows = reservoir_.rows, first = column * rows, next = first + rows;
    if (column + 1 < reservoir_.columns) {
        for (std::size_t row = 0; row < rows; ++row) {
            drive_[row] = now_.capillary[first + row] - now_.capillary[next + row];
        }
        column_kernels().cross(flowing_cells(first), flowing_cells(next),
                               {&now_.outward[first], &reservoir_.radial[first], drive_.data()}, out_.flows(), rows);
    } else {
        out_.clear();
    }
    for (std::size_t row = 0; row + 1 < rows; ++row) {
        drive_[row] = standing_[row] + now_.capillary[first + row + 1] - now_.capillary[first + row];
    }
    column_kernels().cross(flowing_cells(first + 1), flowing_cells(first),
                           {&now_.upward[first], &reservoir_.vertical[first], drive_.data()}, below_.flows(), rows - 1);
}

/// Balance of CO2 in the cells of a column, equation (8) in docs/physics.md, and its slopes by their masses.
void Simulation::linearise(std::size_t column, double days) {
    const std::size_t rows = reservoir_.rows, first = column * rows;
    cross_faces(column);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t cell = first + row;
        const double storage = reservoir_.pore_volume[cell] / days;
        centre_[row] = storage;
        residual_[row] = storage * (state_.mass[cell] - now_.old_mass[cell]) - in_.mass[row];
    }
    for (std::size_t row = 1; row < rows; ++row) {
        residual_[row] += below_.mass[row - 1];
        centre_[row] += below_.by_from[row - 1];
        lower_[row] = below_.by_to[row - 1];
    }
    for (std::size_t row = 0; row < rows; ++row) {
        residual_[row] += out_.mass[row];
        centre_[row] += out_.by_from[row];
    }
    for (std::size_t row = 0; row + 1 < rows; ++row) {
        residual_[row] -= below_.mass[row];
        centre_[row] -= below_.by_to[row];
        upper_[row] = -below_.by_from[row];
    }
}

/// One iteration of Newton's method; returns the largest change of mass over the density of CO2.
double Simulation::newton_step(std::size_t column, double days) {
    const std::size_t rows = reservoir_.rows, first = column * rows;
    linearise(column, days);
    // The tridiagonal system, whose centres become their inverses: each row waits for one division.
    centre_[0] = 1.0 / centre_[0];
    for (std::size_t row = 1; row < rows; ++row) {
        const double factor = lower_[row] * centre_[row - 1];
        centre_[row] = 1.0 / (centre_[row] - factor * upper_[row - 1]);
        residual_[row] -= factor * residual_[row - 1];
    }
    residual_[rows - 1] *= centre_[rows - 1];
    for (std::size_t row = rows - 1; row-- > 0;) {
        residual_[row] = (residual_[row] - upper_[row] * residual_[row + 1]) * centre_[row];
    }
    double largest = 0.0;
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t cell = first + row;
        const double density = now_.density[cell], limit = now_.limit[cell];
        const double longest = longest_step * density;
        const double before = state_.mass[cell];
        double mass = std::max(0.0, before - std::clamp(residual_[row], -longest, longest));
        // An iteration in which gas appears or vanishes ends just beyond that mass, since the slopes jump there.
        if ((before - limit) * (mass - limit) < 0.0) {
            mass = limit * (mass > limit ? 1.0 + 1e-9 : 1.0 - 1e-9);
        }
        largest = std::max(largest, std::abs(mass - before) / density);
        state_.mass[cell] = mass;
    }
    set_saturations(column);
    return largest;
}

bool Simulation::solve_column(std::size_t column, double days) {
    const std::size_t rows = reservoir_.rows, first = column * rows;
    const bool is_tight = iterations_ == Iterations::tight;
    for (std::size_t row = 0; row + 1 < rows; ++row) {
        standing_[row] = weights(first + row).buoyancy(reservoir_.head[row]);
    }
    double change = 1.0;
    for (int i = 0; i < (is_tight ? most_tight_iterations : most_iterations); ++i) {
        change = newton_step(column, days);
        if (!std::isfinite(change)) {
            return false;
        }
        if (change < (is_tight ? tight_tolerance : tolerance)) {
            break;
        }
    }
    if (!(change < tolerance)) {
        return false;
    }
    // The masses that the final flow leaves: CO2 is conserved to rounding.
    linearise(column, days);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t cell = first + row;
        const double share = days / reservoir_.pore_volume[cell];
        const auto gained = [&](std::vector<double> FlowsThrough::*part) {
            const double below = row + 1 < rows ? (below_.*part)[row] : 0.0,
                         above = row > 0 ? (below_.*part)[row - 1] : 0.0;
            return share * ((in_.*part)[row] - (out_.*part)[row] + below - above);
        };
        state_.mass[cell] = now_.old_mass[cell] + gained(&FlowsThrough::mass);
        now_.dissolved_in[cell] = gained(&FlowsThrough::dissolved);
    }
    // A cell that was held where gas appears may stop although its balance is not met; the remainder then shows here,
    // as a negative mass.
    bool is_balanced = true;
    for (std::size_t cell = first; cell < first + rows; ++cell) {
        is_balanced = is_balanced && state_.mass[cell] > -lost_mass * now_.density[cell];
    }
    std::ranges::copy(out_.brine, now_.brine_outward.begin() + static_cast<std::ptrdiff_t>(first));
    std::ranges::copy(below_.brine, now_.brine_upward.begin() + static_cast<std::ptrdiff_t>(first));
    set_saturations(column);
    return is_balanced;
}

/// True when a column neither receives more than a trace of CO2 nor holds any.
bool Simulation::is_untouched(std::size_t column) const {
    const auto first = static_cast<std::ptrdiff_t>(column * reservoir_.rows);
    const auto last = first + static_cast<std::ptrdiff_t>(reservoir_.rows);
    const auto is_zero = [](double mass) { return mass == 0.0; };
    const auto is_trace = [&](double mass) { return std::abs(mass) <= trace * largest_rate_; };
    return std::ranges::all_of(in_.mass, is_trace) &&
           std::all_of(now_.old_mass.begin() + first, now_.old_mass.begin() + last, is_zero) &&
           std::all_of(state_.mass.begin() + first, state_.mass.begin() + last, is_zero);
}

/// Moves the brine, equation (25) in docs/physics.md, by the part of the flow that the last transport of CO2 leaves to
/// it, all of it where no CO2 moves.
void Simulation::move_brine(double days) {
    const std::size_t rows = reservoir_.rows;
    for (std::size_t cell = moved_ * rows; cell < reservoir_.cells(); ++cell) {
        now_.brine_outward[cell] = now_.outward[cell];
        now_.brine_upward[cell] = now_.upward[cell];
    }
    const auto move = [&](std::size_t from, std::size_t to, double volume) {
        const std::size_t upstream = volume >= 0.0 ? from : to;
        const double mass =
            days * volume * brine_content(upstream, state_.buildup[upstream], state_.dissolved[upstream]);
        state_.brine[from] -= mass / reservoir_.pore_volume[from];
        state_.brine[to] += mass / reservoir_.pore_volume[to];
    };
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        if (cell + rows < reservoir_.cells()) {
            move(cell, cell + rows, now_.brine_outward[cell]);
        }
        if ((cell + 1) % rows != 0) {
            move(cell + 1, cell, now_.brine_upward[cell]);
        }
    }
}

/// Moves the CO2 column by column outwards; what leaves a column enters the next.
bool Simulation::move_co2(double days) {
    const std::size_t rows = reservoir_.rows;
    for (std::size_t column = 0; column < reached_; ++column) {
        set_saturations(column);
    }
    keep_entering();
    std::ranges::fill(now_.dissolved_in, 0.0);
    for (std::size_t row = 0; row < rows; ++row) {
        in_.mass[row] = now_.injected_rate * state_.inflow[row];
        in_.dissolved[row] = 0.0;
    }
    moved_ = 0;
    for (std::size_t column = 0; column < reservoir_.columns; ++column) {
        if (is_untouched(column)) {
            break;  // nor is anything further out
        }
        reached_ = std::max(reached_, column + 1);
        moved_ = column + 1;
        for (; updated_ < std::min(column + 2, reservoir_.columns); ++updated_) {
            update_column(updated_, solution_);
        }
        if (!solve_column(column, days)) {
            return false;
        }
        std::swap(in_, out_);
    }
    for (std::size_t cell = 0; cell < reached_ * rows; ++cell) {
        now_.dissolution[cell] = lost_volume(dissolved(cell) - now_.old_dissolved[cell] - now_.dissolved_in[cell],
                                             now_.density[cell], fluids_[cell].dissolved_density);
    }
    return true;
}

}  // namespace plumecast::two_phase
