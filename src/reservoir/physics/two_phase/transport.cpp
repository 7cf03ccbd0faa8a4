#include <algorithm>
#include <cmath>

#include "reservoir/physics/two_phase/simulation.hpp"
#include "reservoir/physics/upstream.hpp"

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

/// Saturation and dissolved CO2 of a cell from its mass, equation (9) in docs/physics.md, and its mobilities.
void Simulation::set_saturation(std::size_t cell) {
    const Co2State& co2 = co2_[cell];
    const double mass = state_.mass[cell];
    const bool has_gas = mass > co2.dissolved_limit;
    const double by_density = has_gas ? 1.0 / (co2.density - co2.dissolved_limit) : 0.0;
    state_.saturation[cell] = has_gas ? std::clamp((mass - co2.dissolved_limit) * by_density, 0.0, 1.0) : 0.0;
    mass_slope_[cell] = by_density;
    state_.dissolved[cell] = has_gas ? co2.dissolved_limit : mass;
    set_flow_properties(cell);
}

/// CO2 in a flow of brine [m3/day] out of a cell.
Simulation::Flow Simulation::brine_flow(std::size_t from, double volume) const {
    const double dissolved = volume * state_.dissolved[from];
    return {dissolved, dissolved};
}

Simulation::Advected Simulation::advected(std::size_t cell, double volume) const {
    const double gas = gas_share_[cell], density = co2_[cell].density, dissolved = state_.dissolved[cell];
    const double dissolved_slope = mass_slope_[cell] > 0.0 ? 0.0 : 1.0;
    Flow flow = brine_flow(cell, volume * (1.0 - gas));
    flow.mass += volume * gas * density;
    return {flow, volume * (gas_share_slope_[cell] * (density - dissolved) + (1.0 - gas) * dissolved_slope)};
}

/// Slope of the dissolved CO2 of a cell by its mass, in the exchange of the phases. In that of equation (8) only tight
/// iterations use it, so that fields keep the bits that they had without it.
double Simulation::exchanged_slope(std::size_t cell) const { return mass_slope_[cell] == 0.0 ? 1.0 : 0.0; }

void Simulation::add_outflow(std::size_t cell, std::size_t row) {
    const std::size_t next = cell + reservoir_.rows;
    out_[row] = {};
    if (next >= reservoir_.cells()) {
        return;
    }
    const double drop = capillary_[cell] - capillary_[next];
    if (formulation_.upwinding == Upwinding::by_phase) {
        const Crossing crossing = cross(cell, next, outward_[cell], reservoir_.radial[cell], drop);
        out_[row] = crossing.flow;
        residual_[row] += crossing.flow.mass;
        centre_[row] += crossing.by_from;
        return;
    }
    const bool is_outward = outward_[cell] >= 0.0;
    const Advected both_phases = advected(is_outward ? cell : next, outward_[cell]);
    Flow flow = both_phases.flow;
    double slope = is_outward ? both_phases.slope : 0.0;
    const std::size_t gas_from = drop >= 0.0 ? cell : next, brine_from = drop >= 0.0 ? next : cell;
    const Exchange both = exchange(gas_mobility_[gas_from], brine_mobility_[brine_from]);
    const double factor = reservoir_.radial[cell] * (co2_[gas_from].density - state_.dissolved[brine_from]);
    const double volume = reservoir_.radial[cell] * both.value * drop;
    const Flow back = brine_flow(brine_from, volume);
    flow.mass += volume * co2_[gas_from].density - back.mass;
    flow.dissolved -= back.dissolved;
    const double by_own = drop >= 0.0 ? both.by_a * gas_slope_[cell] : both.by_b * brine_slope_[cell];
    slope += factor * (by_own * drop + both.value * capillary_slope_[cell]);
    if (iterations_ == Iterations::tight && brine_from == cell) {
        slope -= volume * exchanged_slope(cell);
    }
    out_[row] = flow;
    residual_[row] += flow.mass;
    centre_[row] += slope;
}

void Simulation::add_face_below(std::size_t cell, std::size_t row) {
    const std::size_t lower = cell + 1;
    const bool is_upward = upward_[cell] >= 0.0;
    const double drive = head(cell, row) + capillary_[lower] - capillary_[cell];
    const bool is_opposed = is_upward != (drive >= 0.0);
    if (formulation_.upwinding == Upwinding::by_phase ||
        (formulation_.upwinding == Upwinding::by_phase_where_opposed && is_opposed)) {
        const Crossing crossing = cross(lower, cell, upward_[cell], reservoir_.vertical[cell], drive);
        below_[row] = crossing.flow;
        add_below(row, crossing.by_from, crossing.by_to);
        return;
    }
    // The total flow, with the properties of the cell upstream.
    const Advected both_phases = advected(is_upward ? lower : cell, upward_[cell]);
    Flow flow = both_phases.flow;
    double by_lower = is_upward ? both_phases.slope : 0.0, by_upper = is_upward ? 0.0 : both_phases.slope;
    // The exchange of gas and brine by buoyancy and capillarity.
    const std::size_t gas_from = drive >= 0.0 ? lower : cell, brine_from = drive >= 0.0 ? cell : lower;
    const Exchange both = exchange(gas_mobility_[gas_from], brine_mobility_[brine_from]);
    const double factor = reservoir_.vertical[cell] * (co2_[gas_from].density - state_.dissolved[brine_from]);
    const double by_gas = factor * both.by_a * gas_slope_[gas_from] * drive;
    const double by_brine = factor * both.by_b * brine_slope_[brine_from] * drive;
    by_lower += (drive >= 0.0 ? by_gas : by_brine) + factor * both.value * capillary_slope_[lower];
    by_upper += (drive >= 0.0 ? by_brine : by_gas) - factor * both.value * capillary_slope_[cell];
    const double volume = reservoir_.vertical[cell] * both.value * drive;
    if (iterations_ == Iterations::tight) {
        (brine_from == cell ? by_upper : by_lower) -= volume * exchanged_slope(brine_from);
    }
    const Flow back = brine_flow(brine_from, volume);
    flow.mass += volume * co2_[gas_from].density - back.mass;
    flow.dissolved -= back.dissolved;
    below_[row] = flow;
    add_below(row, by_lower, by_upper);
}

/// Equations (10) and (28) in docs/physics.md: gas and brine through a face, each from the cell that it leaves. With
/// the share of gas upstream of the flow instead, gas is taken below a plume that spreads under the top, leaves its
/// residual saturation there and dissolves; with brine of the cell that gas enters, capillarity drives gas too far
/// ahead.
Simulation::Crossing Simulation::cross(std::size_t from, std::size_t to, double volume, double transmissibility,
                                       double drive) const {
    const auto mobilities = [this](std::size_t cell) { return Mobilities{gas_mobility_[cell], brine_mobility_[cell]}; };
    const Upstream leaves = upstream(mobilities(from), mobilities(to), volume, transmissibility * drive);
    const std::size_t gas_from = leaves.gas ? from : to, brine_from = leaves.brine ? from : to;
    const double gas = gas_mobility_[gas_from], brine = brine_mobility_[brine_from];
    if (!(gas + brine > 0.0)) {
        return {};
    }
    const double part = 1.0 / (gas + brine), share = gas * part;
    const double whole = volume + transmissibility * brine * drive, gas_volume = share * whole;
    Crossing crossing{brine_flow(brine_from, volume - gas_volume), 0.0, 0.0};
    crossing.flow.mass += gas_volume * co2_[gas_from].density;
    const double lighter = co2_[gas_from].density - state_.dissolved[brine_from];
    const double by_capillary = lighter * share * transmissibility * brine;
    crossing.by_from = by_capillary * capillary_slope_[from];
    crossing.by_to = -by_capillary * capillary_slope_[to];
    (leaves.gas ? crossing.by_from : crossing.by_to) += lighter * brine * part * part * whole * gas_slope_[gas_from];
    (leaves.brine ? crossing.by_from : crossing.by_to) +=
        lighter * share * (transmissibility * drive - part * whole) * brine_slope_[brine_from] +
        (volume - gas_volume) * exchanged_slope(brine_from);
    return crossing;
}

/// Adds the flow across a lower face, and its slopes by the masses of the two cells, to their balances.
void Simulation::add_below(std::size_t row, double by_lower, double by_upper) {
    residual_[row + 1] += below_[row].mass;
    residual_[row] -= below_[row].mass;
    centre_[row + 1] += by_lower;
    lower_[row + 1] += by_upper;
    centre_[row] -= by_upper;
    upper_[row] -= by_lower;
}

/// Balance of CO2 in the cells of a column, equation (8) in docs/physics.md, and its slopes by their masses.
void Simulation::linearise(std::size_t column, double days) {
    const std::size_t rows = reservoir_.rows, first = column * rows;
    std::ranges::fill(lower_, 0.0);
    std::ranges::fill(upper_, 0.0);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t cell = first + row;
        const double storage = reservoir_.pore_volume[cell] / days;
        centre_[row] = storage;
        residual_[row] = storage * (state_.mass[cell] - old_mass_[cell]) - in_[row].mass;
    }
    for (std::size_t row = 0; row < rows; ++row) {
        add_outflow(first + row, row);
        if (row + 1 < rows) {
            add_face_below(first + row, row);
        }
    }
}

/// One iteration of Newton's method; returns the largest change of mass over the density of CO2.
double Simulation::newton_step(std::size_t column, double days) {
    const std::size_t rows = reservoir_.rows, first = column * rows;
    linearise(column, days);
    for (std::size_t row = 1; row < rows; ++row) {
        const double factor = lower_[row] / centre_[row - 1];
        centre_[row] -= factor * upper_[row - 1];
        residual_[row] -= factor * residual_[row - 1];
    }
    double largest = 0.0;
    for (std::size_t row = rows; row-- > 0;) {
        const double above = row + 1 < rows ? upper_[row] * residual_[row + 1] : 0.0;
        residual_[row] = (residual_[row] - above) / centre_[row];
    }
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t cell = first + row;
        const double density = co2_[cell].density, limit = co2_[cell].dissolved_limit;
        const double longest = longest_step * density;
        const double before = state_.mass[cell];
        double mass = std::max(0.0, before - std::clamp(residual_[row], -longest, longest));
        // An iteration in which gas appears or vanishes ends just beyond that mass, since the slopes jump there.
        if ((before - limit) * (mass - limit) < 0.0) {
            mass = limit * (mass > limit ? 1.0 + 1e-9 : 1.0 - 1e-9);
        }
        largest = std::max(largest, std::abs(mass - before) / density);
        state_.mass[cell] = mass;
        set_saturation(cell);
    }
    return largest;
}

bool Simulation::solve_column(std::size_t column, double days) {
    const std::size_t rows = reservoir_.rows, first = column * rows;
    const bool is_tight = iterations_ == Iterations::tight;
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
        const Flow below = row + 1 < rows ? below_[row] : Flow{}, above = row > 0 ? below_[row - 1] : Flow{};
        const std::size_t cell = first + row;
        const double share = days / reservoir_.pore_volume[cell];
        const auto gained = [&](double Flow::*part) {
            return share * (in_[row].*part - out_[row].*part + below.*part - above.*part);
        };
        state_.mass[cell] = old_mass_[cell] + gained(&Flow::mass);
        dissolved_in_[cell] = gained(&Flow::dissolved);
    }
    // A cell that was held where gas appears may stop although its balance is not met; the remainder then shows here,
    // as a negative mass.
    bool is_balanced = true;
    for (std::size_t row = 0; row < rows; ++row) {
        is_balanced = is_balanced && state_.mass[first + row] > -lost_mass * co2_[first + row].density;
        set_saturation(first + row);
    }
    return is_balanced;
}

/// True when a column neither receives more than a trace of CO2 nor holds any.
bool Simulation::is_untouched(std::size_t column) const {
    const auto first = static_cast<std::ptrdiff_t>(column * reservoir_.rows);
    const auto last = first + static_cast<std::ptrdiff_t>(reservoir_.rows);
    const auto is_zero = [](double mass) { return mass == 0.0; };
    const auto is_trace = [&](double mass) { return std::abs(mass) <= trace * largest_rate_; };
    return std::ranges::all_of(in_, is_trace, &Flow::mass) &&
           std::all_of(old_mass_.begin() + first, old_mass_.begin() + last, is_zero) &&
           std::all_of(state_.mass.begin() + first, state_.mass.begin() + last, is_zero);
}

/// Moves the CO2 column by column outwards; what leaves a column enters the next.
bool Simulation::move_co2(double days) {
    const std::size_t rows = reservoir_.rows;
    for (std::size_t cell = 0; cell < reached_ * rows; ++cell) {
        set_saturation(cell);
    }
    std::ranges::fill(dissolved_in_, 0.0);
    for (std::size_t row = 0; row < rows; ++row) {
        in_[row] = {injected_rate_ * state_.inflow[row], 0.0};
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
