#include <algorithm>
#include <cmath>

#include "reservoir/physics/two_phase/simulation.hpp"

namespace plumecast::two_phase {
namespace {

constexpr int attempts_to_open = 8;  // after which rows of the well only shut, so that the attempts end

}  // namespace

double Simulation::well_head(std::size_t row) const {
    return two_phase::well_head(now_.well_density, reservoir_.initial_density,
                                reservoir_.depth[row] - reservoir_.well_depth) -
           reservoir_.added_pressure[row];
}

/// By which the pressure in the well that drives gas is above that which drives brine: the mean capillary pressure of
/// its open rows, by what they let in.
double Simulation::well_capillary() const {
    double sum = 0.0, weights = 0.0;
    for (std::size_t row = 0; row < reservoir_.rows; ++row) {
        const double weight = now_.density[row] * well_factor(row);
        sum += weight * now_.capillary[row];
        weights += weight;
    }
    return weights > 0.0 ? sum / weights : 0.0;
}

// Equation (23) in docs/physics.md.
void Simulation::weigh_brine() {
    for (std::size_t cell = 0; cell < reservoir_.cells(); ++cell) {
        const FluidTable& fluids = fluids_[cell];
        now_.weight[cell] = brine_weight(fluids.brine_density, fluids.brine_compressibility, fluids.dissolved_density,
                                         state_.buildup[cell], state_.dissolved[cell]);
    }
}

/// Mobilities and capillary pressures at the saturations of the cells of a column, and their slopes by mass.
void Simulation::set_flow_properties(std::size_t column) {
    const std::size_t first = column * reservoir_.rows, end = first + reservoir_.rows;
    column_kernels().follow_curves(
        curves_.arrays(),
        {state_.saturation.data() + first, now_.mass_slope.data() + first, gas_fluidity_.data() + first,
         fluids_.brine_fluidity().data(), reservoir_.capillary.data() + first, now_.gas_mobility.data() + first,
         now_.brine_mobility.data() + first, now_.capillary.data() + first, now_.gas_slope.data() + first,
         now_.brine_slope.data() + first, now_.capillary_slope.data() + first},
        reservoir_.rows);
    for (std::size_t cell = first; curves_.has_hysteresis() && cell < end; ++cell) {
        const GasSaturation gas{state_.saturation[cell], state_.peak[cell]};
        if (curves_.is_scanning(gas)) {
            const ScannedGas scanned = curves_.scan(gas);
            now_.gas_mobility[cell] = scanned.permeability * gas_fluidity_[cell];
            now_.gas_slope[cell] = scanned.slope * gas_fluidity_[cell] * now_.mass_slope[cell];
        }
    }
}

/// Updates the fluids of a column at the given build-up, and its mobilities and capillary pressures at its saturation.
void Simulation::update_column(std::size_t column, const std::vector<double>& buildup) {
    const std::size_t first = column * reservoir_.rows;
    for (std::size_t row = 0; row < reservoir_.rows; ++row) {
        const std::size_t cell = first + row;
        const Co2State co2 = fluids_[row].at(reservoir_.initial_pressure[row] + buildup[cell]);
        now_.density[cell] = co2.density;
        now_.density_slope[cell] = co2.density_slope;
        now_.viscosity[cell] = co2.viscosity;
        now_.limit[cell] = std::min(co2.dissolved_limit, now_.dissolvable[cell]);
        gas_fluidity_[cell] = 1.0 / co2.viscosity;
    }
    set_flow_properties(column);
}

/// Updates the columns that CO2 has reached, and the next one, which gas may enter; all of them where brine is not as
/// mobile in one row as in another, so that it matters which of them it comes from.
void Simulation::update_cells() {
    updated_ = fluids_.grow_warmer() ? reservoir_.columns : std::min(reached_ + 1, reservoir_.columns);
    for (std::size_t column = 0; column < updated_; ++column) {
        update_column(column, state_.buildup);
    }
}

void Simulation::add_storage(double days, std::size_t columns) {
    const std::size_t with_co2 = reached_ * reservoir_.rows;
    for (std::size_t cell = 0; cell < columns * reservoir_.rows; ++cell) {
        const double brine =
            now_.old_brine[cell] / brine_content(cell, state_.buildup[cell], now_.old_concentration[cell]);
        double gas = 0.0, left_out = now_.deferred[cell];
        if (cell < with_co2) {
            gas = free_volume(now_.old_mass[cell], now_.old_dissolved[cell], now_.density[cell]);
            left_out += now_.dissolution[cell];
        }
        const Storage<double> stored =
            storage<double>({reservoir_.pore_volume[cell] / days, gas, brine, left_out, now_.density[cell],
                             now_.density_slope[cell], state_.buildup[cell], fluids_[cell].brine_compressibility},
                            reservoir_.rock_compressibility);
        system_.diagonal[cell] = stored.diagonal;
        system_.right[cell] = stored.right;
    }
}

PressedCells Simulation::pressed_cells() const {
    return {state_.buildup.data(), now_.gas_mobility.data(), now_.brine_mobility.data(), now_.density.data()};
}

/// Through the outer faces of the cells of so many columns.
void Simulation::add_radial_flow(std::size_t columns) {
    const std::size_t rows = reservoir_.rows, cells = columns * rows,
                      faces = std::min(cells, reservoir_.cells() - rows);
    std::fill_n(standing_.begin(), faces, 0.0);
    for (std::size_t cell = 0; cell < faces; ++cell) {
        drive_[cell] = now_.capillary[cell] - now_.capillary[cell + rows];
    }
    column_kernels().flow(pressed_cells(), pressed_cells().from(rows),
                          {reservoir_.radial.data(), standing_.data(), drive_.data()},
                          {in_from_.data(), in_to_.data(), driven_from_.data(), driven_to_.data(),
                           outward_driven_.data(), now_.outward_factor.data()},
                          faces);
    for (std::size_t cell = 0; cell + rows < cells; ++cell) {
        const std::size_t next = cell + rows;
        system_.diagonal[next] += in_to_[cell];
        system_.inner[next] = -in_to_[cell];
        system_.right[next] += driven_to_[cell];
    }
    for (std::size_t cell = 0; cell < faces; ++cell) {
        system_.diagonal[cell] += in_from_[cell];
        system_.outer[cell] = -in_from_[cell];
        system_.right[cell] -= driven_from_[cell];
    }
}

/// Through the lower faces of the cells of so many columns, upwards; nothing flows through those at the bottom, which
/// have no transmissibility.
void Simulation::add_vertical_flow(std::size_t columns) {
    const std::size_t rows = reservoir_.rows, faces = columns * rows - 1;
    for (std::size_t first = 0; first <= faces; first += rows) {
        for (std::size_t row = 0; row + 1 < rows; ++row) {
            const std::size_t cell = first + row;
            standing_[cell] = weights(cell).standing(reservoir_.face_density[row], reservoir_.head[row]);
            drive_[cell] =
                weights(cell).buoyancy(reservoir_.head[row]) + now_.capillary[cell + 1] - now_.capillary[cell];
        }
        standing_[first + rows - 1] = drive_[first + rows - 1] = 0.0;
    }
    column_kernels().flow(pressed_cells().from(1), pressed_cells(),
                          {reservoir_.vertical.data(), standing_.data(), drive_.data()},
                          {in_from_.data(), in_to_.data(), driven_from_.data(), driven_to_.data(),
                           upward_driven_.data(), now_.upward_factor.data()},
                          faces);
    for (std::size_t cell = 0; cell < faces; ++cell) {
        const std::size_t lower = cell + 1;
        system_.diagonal[lower] += in_from_[cell];
        system_.above[lower] = -in_from_[cell];
        system_.right[lower] -= driven_from_[cell];
    }
    for (std::size_t cell = 0; cell < faces; ++cell) {
        system_.diagonal[cell] += in_to_[cell];
        system_.below[cell] = -in_to_[cell];
        system_.right[cell] += driven_to_[cell];
    }
}

/// Density of CO2 in the well: that of the rows, weighted by the mass that each took last.
void Simulation::set_well_density() {
    const bool has_injected = std::ranges::any_of(state_.inflow, [](double share) { return share > 0.0; });
    const std::vector<double>& weights = has_injected ? state_.inflow : reservoir_.well;
    double sum = 0.0, density = 0.0;
    for (std::size_t row = 0; row < reservoir_.rows; ++row) {
        sum += weights[row];
        density += weights[row] * now_.density[row];
    }
    now_.well_density = density / sum;
}

double Simulation::well_factor(std::size_t row) const {
    return state_.is_shut[row] ? 0.0 : reservoir_.well[row] * (now_.gas_mobility[row] + now_.brine_mobility[row]);
}

/// Balance of the well, which injects a given mass: the right side of equation (11) in docs/physics.md; at its limit
/// equation (24) gives its pressure instead.
void Simulation::add_well() {
    system_.well_right = mass_rate_ / now_.well_density;
    system_.well_diagonal = 0.0;
    for (std::size_t row = 0; row < reservoir_.rows; ++row) {
        const double factor = well_factor(row);
        system_.diagonal[row] += factor;
        system_.well_in_cell[row] = -factor;
        system_.right[row] += factor * well_head(row);
        const double weighted = factor * now_.density[row] / now_.well_density;
        system_.well_diagonal += weighted;
        system_.cell_in_well[row] = -weighted;
        system_.well_right -= weighted * well_head(row);
    }
    if (mass_rate_ == 0.0) {
        system_.well_diagonal = 1.0;  // no row is open
    } else if (state_.is_limited) {
        system_.well_diagonal = 1.0;
        system_.well_right = reservoir_.limit - well_head(reservoir_.highest) - well_capillary();
        std::ranges::fill(system_.cell_in_well, 0.0);
    }
}

/// CO2 that flows from the well into a row at a build-up of the cells [kg/day].
double Simulation::row_inflow(std::size_t row, const std::vector<double>& buildup) const {
    const double drop = std::max(0.0, state_.well + well_head(row) - buildup[row]);
    return now_.density[row] * well_factor(row) * drop;
}

/// Holds the well at its limit where the pressure just found is above it and, where that is allowed, returns to the
/// rate asked for where it would inject more than that. False when nothing changed.
bool Simulation::change_control(bool may_end) {
    if (mass_rate_ == 0.0 || !state_.is_limited) {
        state_.is_limited =
            mass_rate_ > 0.0 && state_.well + well_head(reservoir_.highest) + well_capillary() > reservoir_.limit;
        return state_.is_limited;
    }
    double rate = 0.0;
    for (std::size_t row = 0; row < reservoir_.rows; ++row) {
        rate += row_inflow(row, solution_);
    }
    state_.is_limited = !may_end || rate <= mass_rate_;
    return !state_.is_limited;
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
    for (std::size_t cell = reached_ * reservoir_.rows; cell-- > 0;) {
        if (state_.saturation[cell] > 0.0) {
            return cell / reservoir_.rows + 1;
        }
    }
    return 0;
}

void Simulation::solve_pressure(double days, bool is_first) {
    // Within a step the equations of columns further out than gas may get do not change.
    const std::size_t columns = is_first ? reservoir_.columns : updated_;
    add_storage(days, columns);
    add_radial_flow(columns);
    add_vertical_flow(columns);
    for (std::size_t cell = 0; cell < columns * reservoir_.rows; ++cell) {
        if (!reservoir_.active[cell]) {
            system_.diagonal[cell] = 1.0;
            system_.right[cell] = 0.0;
        }
    }
    // In columns without gas the coefficients depend on the time step only, but in the one next to gas, where brine is
    // as mobile in all rows.
    const auto rows = static_cast<std::ptrdiff_t>(reservoir_.rows);
    const std::size_t without = std::min(first_column_without_gas() + 1, reservoir_.columns);
    const bool may_differ = is_first || fluids_.grow_warmer();
    std::size_t kept = may_differ ? reservoir_.columns : std::max(kept_, without);
    kept_ = without;
    // Which rows are open to the well follows from the solution; they change the equations of the first column only.
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
        const bool may_undo = attempt < attempts_to_open;
        has_changed = shut_rows(may_undo);
        has_changed = change_control(may_undo) || has_changed;
    }
    std::swap(state_.buildup, solution_);
}

/// Volume flow through the faces and the rows' shares of the injected mass, from the pressure just found.
void Simulation::set_flow() {
    const std::size_t rows = reservoir_.rows;
    double total = 0.0;
    for (std::size_t row = 0; row < rows; ++row) {
        state_.inflow[row] = row_inflow(row, state_.buildup);
        total += state_.inflow[row];
    }
    now_.injected_rate = state_.is_limited ? total : mass_rate_;
    for (double& share : state_.inflow) {
        share = total > 0.0 ? share / total : 0.0;
    }
    // With the mobilities of the pressure equations, so that the divergence of the flow is the one that they solved
    // for.
    for (std::size_t cell = 0; cell + rows < reservoir_.cells(); ++cell) {
        now_.outward[cell] =
            outward_driven_[cell] + now_.outward_factor[cell] * (state_.buildup[cell] - state_.buildup[cell + rows]);
    }
    for (std::size_t first = 0; first < reservoir_.cells(); first += rows) {
        for (std::size_t cell = first; cell + 1 < first + rows; ++cell) {
            now_.upward[cell] =
                upward_driven_[cell] + now_.upward_factor[cell] * (state_.buildup[cell + 1] - state_.buildup[cell]);
        }
    }
}

}  // namespace plumecast::two_phase
