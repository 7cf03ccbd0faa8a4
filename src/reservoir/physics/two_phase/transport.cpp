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

/// Mobility `h` of the exchange of two phases, equation (8) in docs/physics.md: a b / (a + b), and its slopes.
struct Exchange {
    double value, by_a, by_b;
};

Exchange exchange(double a, double b) {
    if (a <= 0.0 || b <= 0.0) {
        return {};
    }
    const double part = 1.0 / (a + b);
    const double a_part = a * part, b_part = b * part;
    return {a * b_part, b_part * b_part, a_part * a_part};
}

}  // namespace

/// Saturation and dissolved CO2 of the cells of a column from their masses, equation (9) in docs/physics.md, and their
/// mobilities.
void Simulation::set_saturations(std::size_t column) {
    const std::size_t first = column * reservoir_.rows;
    column_kernels().flash(
        {state_.mass.data() + first, density_.data() + first, limit_.data() + first, state_.saturation.data() + first,
         mass_slope_.data() + first, state_.dissolved.data() + first},
        reservoir_.rows);
    set_flow_properties(column);
}

FlowingCells Simulation::flowing_cells(std::size_t first) const {
    return FlowingCells{gas_mobility_.data(),    brine_mobility_.data(), gas_slope_.data(),       brine_slope_.data(),
                        capillary_slope_.data(), density_.data(),        state_.dissolved.data(), mass_slope_.data()}
        .from(first);
}

/// CO2 in a flow of brine [m3/day] out of a cell.
Simulation::Flow Simulation::brine_flow(std::size_t from, double volume) const {
    const double dissolved = volume * state_.dissolved[from];
    return {dissolved, dissolved};
}

Simulation::Advected Simulation::advected(std::size_t cell, double volume) const {
    const double part = 1.0 / (gas_mobility_[cell] + brine_mobility_[cell]), gas = gas_mobility_[cell] * part;
    const double share_slope =
        (gas_slope_[cell] * brine_mobility_[cell] - gas_mobility_[cell] * brine_slope_[cell]) * part * part;
    const double density = density_[cell], dissolved = state_.dissolved[cell];
    const double dissolved_slope = mass_slope_[cell] > 0.0 ? 0.0 : 1.0;
    Flow flow = brine_flow(cell, volume * (1.0 - gas));
    flow.mass += volume * gas * density;
    return {flow, volume * (share_slope * (density - dissolved) + (1.0 - gas) * dissolved_slope)};
}

/// Slope of the dissolved CO2 of a cell by its mass, in the exchange of the phases. In that of equation (8) only tight
/// iterations use it, so that fields keep the bits that they had without it.
double Simulation::exchanged_slope(std::size_t cell) const { return mass_slope_[cell] == 0.0 ? 1.0 : 0.0; }

/// Flow through the outer faces of a column, equation (8) in docs/physics.md.
void Simulation::flow_outwards(std::size_t first) {
    const std::size_t rows = reservoir_.rows;
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t cell = first + row, next = cell + rows;
        const double drop = drive_[row];
        const bool is_outward = outward_[cell] >= 0.0;
        const Advected both_phases = advected(is_outward ? cell : next, outward_[cell]);
        const std::size_t gas_from = drop >= 0.0 ? cell : next, brine_from = drop >= 0.0 ? next : cell;
        const Exchange both = exchange(gas_mobility_[gas_from], brine_mobility_[brine_from]);
        const double factor = reservoir_.radial[cell] * (density_[gas_from] - state_.dissolved[brine_from]);
        const double volume = reservoir_.radial[cell] * both.value * drop;
        const Flow back = brine_flow(brine_from, volume);
        const double by_inner = drop >= 0.0 ? both.by_a * gas_slope_[cell] : both.by_b * brine_slope_[cell];
        out_.mass[row] = both_phases.flow.mass + (volume * density_[gas_from] - back.mass);
        out_.dissolved[row] = both_phases.flow.dissolved - back.dissolved;
        out_.by_from[row] =
            (is_outward ? both_phases.slope : 0.0) + factor * (by_inner * drop + both.value * capillary_slope_[cell]);
        if (iterations_ == Iterations::tight && brine_from == cell) {
            out_.by_from[row] -= volume * exchanged_slope(cell);
        }
    }
}

/// Flow through the lower faces of a column, upwards, equation (8) in docs/physics.md; from version 2 on (28) where
/// flow and drive are opposed.
void Simulation::flow_upwards(std::size_t first) {
    for (std::size_t row = 0; row + 1 < reservoir_.rows; ++row) {
        const std::size_t cell = first + row, lower = cell + 1;
        const double drive = drive_[row];
        const bool is_upward = upward_[cell] >= 0.0;
        if (formulation_.upwinding == Upwinding::by_phase_where_opposed && is_upward != (drive >= 0.0)) {
            column_kernels().cross(flowing_cells(lower), flowing_cells(cell),
                                   {&upward_[cell], &reservoir_.vertical[cell], &drive}, below_.from(row), 1);
            continue;
        }
        // The total flow, with the properties of the cell upstream.
        const Advected both_phases = advected(is_upward ? lower : cell, upward_[cell]);
        double by_lower = is_upward ? both_phases.slope : 0.0, by_upper = is_upward ? 0.0 : both_phases.slope;
        // The exchange of gas and brine by buoyancy and capillarity.
        const std::size_t gas_from = drive >= 0.0 ? lower : cell, brine_from = drive >= 0.0 ? cell : lower;
        const Exchange both = exchange(gas_mobility_[gas_from], brine_mobility_[brine_from]);
        const double factor = reservoir_.vertical[cell] * (density_[gas_from] - state_.dissolved[brine_from]);
        const double by_gas = factor * both.by_a * gas_slope_[gas_from] * drive;
        const double by_brine = factor * both.by_b * brine_slope_[brine_from] * drive;
        by_lower += (drive >= 0.0 ? by_gas : by_brine) + factor * both.value * capillary_slope_[lower];
        by_upper += (drive >= 0.0 ? by_brine : by_gas) - factor * both.value * capillary_slope_[cell];
        const double volume = reservoir_.vertical[cell] * both.value * drive;
        if (iterations_ == Iterations::tight) {
            (brine_from == cell ? by_upper : by_lower) -= volume * exchanged_slope(brine_from);
        }
        const Flow back = brine_flow(brine_from, volume);
        below_.mass[row] = both_phases.flow.mass + (volume * density_[gas_from] - back.mass);
        below_.dissolved[row] = both_phases.flow.dissolved - back.dissolved;
        below_.by_from[row] = by_lower;
        below_.by_to[row] = by_upper;
    }
}

/// What crosses the outer and the lower faces of a column.
void Simulation::cross_faces(std::size_t column) {
    const std::size_t rows = reservoir_.rows, first = column * rows, next = first + rows;
    const bool is_by_phase = formulation_.upwinding == Upwinding::by_phase;
    if (column + 1 < reservoir_.columns) {
        for (std::size_t row = 0; row < rows; ++row) {
            drive_[row] = capillary_[first + row] - capillary_[next + row];
        }
        if (is_by_phase) {
            column_kernels().cross(flowing_cells(first), flowing_cells(next),
                                   {&outward_[first], &reservoir_.radial[first], drive_.data()}, out_.from(0), rows);
        } else {
            flow_outwards(first);
        }
    } else {
        out_.clear();
    }
    for (std::size_t row = 0; row + 1 < rows; ++row) {
        drive_[row] = standing_[row] + capillary_[first + row + 1] - capillary_[first + row];
    }
    if (is_by_phase) {
        column_kernels().cross(flowing_cells(first + 1), flowing_cells(first),
                               {&upward_[first], &reservoir_.vertical[first], drive_.data()}, below_.from(0), rows - 1);
    } else {
        flow_upwards(first);
    }
}

/// Balance of CO2 in the cells of a column, equation (8) in docs/physics.md, and its slopes by their masses.
void Simulation::linearise(std::size_t column, double days) {
    const std::size_t rows = reservoir_.rows, first = column * rows;
    cross_faces(column);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t cell = first + row;
        const double storage = reservoir_.pore_volume[cell] / days;
        centre_[row] = storage;
        residual_[row] = storage * (state_.mass[cell] - old_mass_[cell]) - in_.mass[row];
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
        const double density = density_[cell], limit = limit_[cell];
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
        standing_[row] = head(first + row, row);
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
        state_.mass[cell] = old_mass_[cell] + gained(&FlowsThrough::mass);
        dissolved_in_[cell] = gained(&FlowsThrough::dissolved);
    }
    // A cell that was held where gas appears may stop although its balance is not met; the remainder then shows here,
    // as a negative mass.
    bool is_balanced = true;
    for (std::size_t cell = first; cell < first + rows; ++cell) {
        is_balanced = is_balanced && state_.mass[cell] > -lost_mass * density_[cell];
    }
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
           std::all_of(old_mass_.begin() + first, old_mass_.begin() + last, is_zero) &&
           std::all_of(state_.mass.begin() + first, state_.mass.begin() + last, is_zero);
}

/// Moves the CO2 column by column outwards; what leaves a column enters the next.
bool Simulation::move_co2(double days) {
    const std::size_t rows = reservoir_.rows;
    for (std::size_t column = 0; column < reached_; ++column) {
        set_saturations(column);
    }
    std::ranges::fill(dissolved_in_, 0.0);
    for (std::size_t row = 0; row < rows; ++row) {
        in_.mass[row] = injected_rate_ * state_.inflow[row];
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
        const double lost = dissolved(cell) - old_dissolved_[cell] - dissolved_in_[cell];
        const Co2State& co2 = co2_[cell];
        dissolution_[cell] = lost * (1.0 / co2.density - 1.0 / fluids_.dissolved_density);
    }
    return true;
}

}  // namespace plumecast::two_phase
