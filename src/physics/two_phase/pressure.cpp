#include <algorithm>
#include <cmath>

#include "physics/two_phase/simulation.hpp"

namespace plumecast::two_phase {
namespace {

constexpr double gravity = 9.80665e-5;  // [bar m2 / kg]
constexpr int attempts_to_open = 8;     // after which rows of the well only shut, so that the attempts end

}  // namespace

/// Head of brine over CO2 between the centres of two cells above each other [bar].
double Simulation::head(std::size_t upper, std::size_t lower) const {
    const double gas = 0.5 * (co2_[upper].density + co2_[lower].density);
    const std::size_t rows = reservoir_.rows;
    return (fluids_.brine_density - gas) * gravity * (reservoir_.depth[lower % rows] - reservoir_.depth[upper % rows]);
}

/// Build-up in a row of the well over that at the depth where its pressure stands [bar].
double Simulation::well_head(std::size_t row) const {
    return (well_density_ - reservoir_.initial_density) * gravity * (reservoir_.depth[row] - reservoir_.well_depth);
}

/// Head of the brine of the initial pressures over brine as it is [bar].
double Simulation::brine_head(std::size_t upper, std::size_t lower) const {
    const std::size_t rows = reservoir_.rows;
    return (reservoir_.initial_density - fluids_.brine_density) * gravity *
           (reservoir_.depth[lower % rows] - reservoir_.depth[upper % rows]);
}

/// Fluids at the build-up and saturation of each cell.
void Simulation::update_cells() {
    const std::size_t rows = reservoir_.rows;
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        co2_[cell] = fluids_.at(reservoir_.initial_pressure[cell % rows] + state_.buildup[cell]);
        flow_[cell] = curves_.at(state_.saturation[cell]);
        gas_mobility_[cell] = flow_[cell].gas / co2_[cell].viscosity;
        brine_mobility_[cell] = flow_[cell].brine / fluids_.brine_viscosity;
        capillary_[cell] = flow_[cell].capillary * reservoir_.capillary[cell];
    }
}

/// Compression of rock, brine and gas, the gas that expanded since it was moved, and the volume that went with
/// dissolution, since the flow of the step before and in this one.
void Simulation::add_storage(double days) {
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        const Co2State& co2 = co2_[cell];
        const double gas =
            std::clamp((old_mass_[cell] - co2.dissolved_limit) / (co2.density - co2.dissolved_limit), 0.0, 0.99);
        const double volume = reservoir_.pore_volume[cell] / days;
        const double solid = volume * (reservoir_.rock_compressibility + (1.0 - gas) * fluids_.brine_compressibility);
        const double expansion = volume * gas * co2.density_slope / co2.density;
        // Gas in the place of brine that cannot move has to leave.
        const double excess = std::max(0.0, state_.settled[cell] - largest_saturation_);
        system_.diagonal[cell] += solid + expansion;
        system_.right[cell] +=
            solid * state_.carried[cell] + expansion * state_.buildup[cell] +
            volume * (gas - state_.settled[cell] - released_ * state_.shrinkage[cell] - dissolution_[cell] + excess);
    }
}

void Simulation::add_radial_flow() {
    const std::size_t rows = reservoir_.rows;
    for (std::size_t cell = 0; cell + rows < reservoir_.cells(); ++cell) {
        const std::size_t next = cell + rows;
        const double brine_drop = state_.buildup[cell] - state_.buildup[next];
        const double capillary_drop = capillary_[cell] - capillary_[next];
        const std::size_t gas_from = brine_drop + capillary_drop >= 0.0 ? cell : next;
        const double gas = gas_mobility_[gas_from];
        const double brine = brine_mobility_[brine_drop >= 0.0 ? cell : next];
        // Volumes of gas count at the density of the cell that the equation is of.
        const double here = co2_[gas_from].density / co2_[cell].density;
        const double there = co2_[gas_from].density / co2_[next].density;
        const double own = reservoir_.radial[cell] * (gas * here + brine);
        const double other = reservoir_.radial[cell] * (gas * there + brine);
        system_.diagonal[cell] += own;
        system_.outer[cell] -= own;
        system_.diagonal[next] += other;
        system_.inner[next] -= other;
        const double driven = reservoir_.radial[cell] * gas * capillary_drop;
        outward_[cell] = driven;
        outward_factor_[cell] = reservoir_.radial[cell] * (gas + brine);
        system_.right[cell] -= driven * here;
        system_.right[next] += driven * there;
    }
}

void Simulation::add_vertical_flow() {
    for (std::size_t cell = 0; cell + 1 < reservoir_.cells(); ++cell) {
        if ((cell + 1) % reservoir_.rows == 0) {
            continue;
        }
        const std::size_t lower = cell + 1;
        const double standing = brine_head(cell, lower);
        const double brine_drop = state_.buildup[lower] - state_.buildup[cell] + standing;
        const double other_drop = head(cell, lower) + capillary_[lower] - capillary_[cell];
        const std::size_t gas_from = brine_drop + other_drop >= 0.0 ? lower : cell;
        const double gas = gas_mobility_[gas_from];
        const double brine = brine_mobility_[brine_drop >= 0.0 ? lower : cell];
        const double here = co2_[gas_from].density / co2_[cell].density;
        const double there = co2_[gas_from].density / co2_[lower].density;
        const double own = reservoir_.vertical[cell] * (gas * here + brine);
        const double other = reservoir_.vertical[cell] * (gas * there + brine);
        system_.diagonal[cell] += own;
        system_.below[cell] -= own;
        system_.diagonal[lower] += other;
        system_.above[lower] -= other;
        const double gas_driven = reservoir_.vertical[cell] * gas * (other_drop + standing);
        const double brine_driven = reservoir_.vertical[cell] * brine * standing;
        upward_[cell] = gas_driven + brine_driven;
        upward_factor_[cell] = reservoir_.vertical[cell] * (gas + brine);
        system_.right[lower] -= gas_driven * there + brine_driven;
        system_.right[cell] += gas_driven * here + brine_driven;
    }
}

/// Density of CO2 in the well: that of the rows, weighted by what they took last.
void Simulation::set_well_density() {
    const bool has_injected = std::ranges::any_of(state_.inflow, [](double share) { return share > 0.0; });
    const std::vector<double>& weights = has_injected ? state_.inflow : reservoir_.well;
    double sum = 0.0, density = 0.0;
    for (std::size_t row = 0; row < reservoir_.rows; ++row) {
        sum += weights[row];
        density += weights[row] * co2_[row].density;
    }
    well_density_ = density / sum;
}

double Simulation::well_factor(std::size_t row) const {
    return state_.is_shut[row] ? 0.0 : reservoir_.well[row] * (gas_mobility_[row] + brine_mobility_[row]);
}

/// The well injects a given mass.
void Simulation::add_well() {
    system_.well_right = mass_rate_ / well_density_;
    system_.well_diagonal = 0.0;
    for (std::size_t row = 0; row < reservoir_.rows; ++row) {
        const double factor = well_factor(row);
        system_.diagonal[row] += factor;
        system_.well_in_cell[row] = -factor;
        system_.right[row] += factor * well_head(row);
        const double weighted = factor * co2_[row].density / well_density_;
        system_.well_diagonal += weighted;
        system_.cell_in_well[row] = -weighted;
        system_.well_right -= weighted * well_head(row);
    }
    if (mass_rate_ == 0.0) {
        system_.well_diagonal = 1.0;  // no row is open
    }
}

/// Shuts the rows that would give brine to the well and, where that is allowed, opens those that would take CO2. False
/// when nothing changed.
bool Simulation::shut_rows(bool may_open) {
    if (mass_rate_ == 0.0) {
        return false;
    }
    bool has_changed = false;
    for (std::size_t row = 0; row < reservoir_.rows; ++row) {
        const bool is_shut = state_.well + well_head(row) - solution_[row] < 0.0;
        if (reservoir_.well[row] > 0.0 && is_shut != state_.is_shut[row] && (is_shut || may_open)) {
            state_.is_shut[row] = is_shut;
            has_changed = true;
        }
    }
    return has_changed;
}

std::size_t Simulation::first_column_without_gas() const {
    for (std::size_t cell = reservoir_.cells(); cell-- > 0;) {
        if (state_.saturation[cell] > 0.0) {
            return cell / reservoir_.rows + 1;
        }
    }
    return 0;
}

void Simulation::solve_pressure(double days, bool is_first) {
    system_.clear();
    add_storage(days);
    add_radial_flow();
    add_vertical_flow();
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        if (!reservoir_.active[cell]) {
            system_.diagonal[cell] = 1.0;
            system_.right[cell] = 0.0;
        }
    }
    // The equations of columns without gas know the time step only; the one beside gas receives some.
    const auto rows = static_cast<std::ptrdiff_t>(reservoir_.rows);
    const std::size_t without = std::min(first_column_without_gas() + 1, reservoir_.columns);
    std::size_t kept = is_first ? reservoir_.columns : std::max(kept_, without);
    kept_ = without;
    // Which rows take part in the well follows from the solution; only the first column knows of them.
    set_well_density();
    const std::vector<double> diagonal(system_.diagonal.begin(), system_.diagonal.begin() + rows);
    const std::vector<double> right(system_.right.begin(), system_.right.begin() + rows);
    bool has_changed = true;
    for (int attempt = 1; has_changed; ++attempt) {
        std::ranges::copy(diagonal, system_.diagonal.begin());
        std::ranges::copy(right, system_.right.begin());
        add_well();
        system_.solve(solution_, state_.well, kept);
        kept = 1;
        has_changed = shut_rows(attempt < attempts_to_open);
    }
    std::swap(state_.buildup, solution_);
}

/// Volume flow through the faces and the rows' shares of the injected mass, from the pressure just found.
void Simulation::set_flow() {
    const std::size_t rows = reservoir_.rows;
    double total = 0.0;
    for (std::size_t row = 0; row < rows; ++row) {
        const double drop = std::max(0.0, state_.well + well_head(row) - state_.buildup[row]);
        state_.inflow[row] = co2_[row].density * well_factor(row) * drop;
        total += state_.inflow[row];
    }
    for (double& share : state_.inflow) {
        share = total > 0.0 ? share / total : 0.0;
    }
    // With the mobilities of the equations, so that the flow has the divergence that they say.
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        if (cell + rows < reservoir_.cells()) {
            outward_[cell] += outward_factor_[cell] * (state_.buildup[cell] - state_.buildup[cell + rows]);
        }
        if ((cell + 1) % rows != 0) {
            upward_[cell] += upward_factor_[cell] * (state_.buildup[cell + 1] - state_.buildup[cell]);
        }
    }
}

}  // namespace plumecast::two_phase
