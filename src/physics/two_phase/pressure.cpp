#include <algorithm>
#include <cmath>

#include "physics/two_phase/simulation.hpp"

namespace plumecast::two_phase {
namespace {

constexpr double gravity = 9.80665e-5;  // [bar m2 / kg]

}  // namespace

/// Head of brine over CO2 between the centres of two cells above each other [bar].
double Simulation::head(std::size_t upper, std::size_t lower) const {
    const double gas = 0.5 * (co2_[upper].density + co2_[lower].density);
    const std::size_t rows = reservoir_.rows;
    return (fluids_.brine_density - gas) * gravity *
           (reservoir_.depth[lower % rows] - reservoir_.depth[upper % rows]);
}

/// What the column of CO2 in the well lacks in a row against brine [bar].
double Simulation::well_head(std::size_t row) const {
    return -(fluids_.brine_density - well_density_) * gravity * (reservoir_.depth[row] - reservoir_.well_depth);
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

/// Compression of rock, brine and gas, the gas that expanded since the flow was last computed, and the volume that went
/// with dissolution.
void Simulation::add_storage(double days) {
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        const Co2State& co2 = co2_[cell];
        const double gas =
            std::clamp((old_mass_[cell] - co2.dissolved_limit) / (co2.density - co2.dissolved_limit), 0.0, 0.99);
        const double volume = reservoir_.pore_volume[cell] / days;
        const double solid =
            volume * (reservoir_.rock_compressibility + (1.0 - gas) * fluids_.brine_compressibility);
        const double expansion = volume * gas * co2.density_slope / co2.density;
        system_.diagonal[cell] += solid + expansion;
        system_.right[cell] += solid * old_buildup_[cell] + expansion * state_.buildup[cell] +
                               volume * (gas - state_.settled[cell] - dissolution_[cell]);
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
        const double brine_drop = state_.buildup[lower] - state_.buildup[cell];
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
        const double driven = reservoir_.vertical[cell] * gas * other_drop;
        system_.right[lower] -= driven * there;
        system_.right[cell] += driven * here;
    }
}

/// The well injects a given mass; where it would take brine in, its connection is closed.
void Simulation::add_well(bool is_first) {
    const bool is_new = is_first && !state_.is_injecting;
    double sum = 0.0, density = 0.0;
    for (std::size_t row = 0; row < reservoir_.rows; ++row) {
        const double weight = is_new ? reservoir_.well[row] : state_.inflow[row];
        sum += weight;
        density += weight * co2_[row].density;
    }
    well_density_ = density / sum;
    system_.well_right = mass_rate_ / well_density_;
    for (std::size_t row = 0; row < reservoir_.rows; ++row) {
        const bool is_closed = !is_new && state_.well + well_head(row) - state_.buildup[row] < 0.0;
        const double factor = is_closed ? 0.0 : reservoir_.well[row] * (gas_mobility_[row] + brine_mobility_[row]);
        system_.diagonal[row] += factor;
        system_.well_in_cell[row] -= factor;
        system_.right[row] += factor * well_head(row);
        const double weighted = factor * co2_[row].density / well_density_;
        system_.well_diagonal += weighted;
        system_.cell_in_well[row] -= weighted;
        system_.well_right -= weighted * well_head(row);
    }
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
    add_well(is_first);
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        if (!reservoir_.active[cell]) {
            system_.diagonal[cell] = 1.0;
            system_.right[cell] = 0.0;
        }
    }
    // The equations of columns without gas know the time step only; the one beside gas receives some.
    const std::size_t without = std::min(first_column_without_gas() + 1, reservoir_.columns);
    system_.solve(solution_, state_.well, is_first ? reservoir_.columns : std::max(kept_, without));
    kept_ = without;
    std::swap(state_.buildup, solution_);
}

/// Volume flow through the faces and the rows' shares of the injected mass, from the pressure just found.
void Simulation::set_flow() {
    const std::size_t rows = reservoir_.rows;
    double total = 0.0;
    for (std::size_t row = 0; row < rows; ++row) {
        const double drop = std::max(0.0, state_.well + well_head(row) - state_.buildup[row]);
        state_.inflow[row] =
            co2_[row].density * reservoir_.well[row] * (gas_mobility_[row] + brine_mobility_[row]) * drop;
        total += state_.inflow[row];
    }
    for (double& share : state_.inflow) {
        share /= total;
    }
    state_.is_injecting = true;
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        if (cell + rows < reservoir_.cells()) {
            const double drop = state_.buildup[cell] - state_.buildup[cell + rows];
            const double other = capillary_[cell] - capillary_[cell + rows];
            const double gas = gas_mobility_[drop + other >= 0.0 ? cell : cell + rows];
            const double brine = brine_mobility_[drop >= 0.0 ? cell : cell + rows];
            outward_[cell] = reservoir_.radial[cell] * ((gas + brine) * drop + gas * other);
        }
        if ((cell + 1) % rows != 0) {
            const double drop = state_.buildup[cell + 1] - state_.buildup[cell];
            const double other = head(cell, cell + 1) + capillary_[cell + 1] - capillary_[cell];
            const double gas = gas_mobility_[drop + other >= 0.0 ? cell + 1 : cell];
            const double brine = brine_mobility_[drop >= 0.0 ? cell + 1 : cell];
            upward_[cell] = reservoir_.vertical[cell] * ((gas + brine) * drop + gas * other);
        }
    }
}

}  // namespace plumecast::two_phase
