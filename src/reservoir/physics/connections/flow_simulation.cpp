#include "reservoir/physics/connections/flow_simulation.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "reservoir/physics/two_phase/simulation.hpp"

namespace plumecast::connections {
namespace {

using two_phase::gravity;

constexpr double no_pressure = std::numeric_limits<double>::quiet_NaN();
constexpr double lowest_pressure = 2.0, highest_pressure = 990.0;  // that a step may end with [bar]
constexpr double share_of_shut = 1e-9;  // what keeps the unknown of a shut well at 0 [m3/(day bar)]

/// Wells are unknowns after the cells, connections and then perforations are links.
PressureSystem pressure_system(const FlowModel& model) {
    std::vector<PressureSystem::Link> links;
    std::vector<std::size_t> groups(model.cells());
    for (std::size_t column = 0; column < model.columns(); ++column) {
        for (std::size_t cell = model.column_starts[column]; cell < model.column_starts[column + 1]; ++cell) {
            groups[cell] = column;
        }
    }
    for (const Connection& one : model.connections) {
        links.emplace_back(one.from, one.to);
    }
    for (std::size_t well = 0; well < model.wells.size(); ++well) {
        groups.push_back(groups[model.wells[well].perforations.front().cell]);
        for (const Perforation& one : model.wells[well].perforations) {
            links.emplace_back(one.cell, model.cells() + well);
        }
    }
    return {model.cells() + model.wells.size(), std::move(links), std::move(groups)};
}

}  // namespace

FlowSimulation::FlowSimulation(const FlowModel& model, FlowIterations iterations)
    : model_(model),
      iterations_(iterations),
      properties_(model),
      transport_(model, properties_),
      system_(pressure_system(model)),
      cells_(model.cells()),
      volume_rates_(model.wells.size()),
      volumes_(model.connections.size()),
      right_(model.cells()),
      kept_volumes_(model.cells()) {
    for (std::size_t well = 0; well < model.wells.size(); ++well) {
        for (const Perforation& one : model.wells[well].perforations) {
            perforations_.push_back({well, one.cell, one.factor});
        }
    }
    for (const Connection& one : model.connections) {
        below_.push_back(model.depth[one.from] - model.depth[one.to]);
    }
    heads_.resize(perforations_.size());
    is_shut_.resize(perforations_.size());
    state_.pressure = model.initial_pressure;
    state_.perforation_flow.resize(perforations_.size());
    state_.bottom_hole.assign(model.wells.size(), no_pressure);
    state_.masses.co2.assign(model.cells(), 0.0);
    set_pressures(state_);
    for (std::size_t cell = 0; cell < model.cells(); ++cell) {
        properties_.set_mass(cells_[cell], cell, 0.0);
        state_.masses.brine.push_back(cells_[cell].brine_density * cells_[cell].pore_volume);
    }
    set_masses(state_);
}

double FlowSimulation::dissolved(std::size_t cell) const {
    return cells_[cell].dissolved * (1.0 - cells_[cell].saturation);
}

double FlowSimulation::co2_in_place() const {
    return std::accumulate(state_.masses.co2.begin(), state_.masses.co2.end(), 0.0);
}

void FlowSimulation::set_pressures(const State& now) {
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
        properties_.set_pressure(cells_[cell], cell, now.pressure[cell]);
    }
}

void FlowSimulation::set_masses(const State& now) {
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
        CellState& state = cells_[cell];
        properties_.set_mass(state, cell, now.masses.co2[cell] / state.pore_volume);
        state.weight = properties_.brine_weight(state);
    }
}

bool FlowSimulation::advance(double days, const std::vector<double>& mass_rates) {
    State now = state_;
    for (std::size_t i = 0; i < perforations_.size(); ++i) {
        is_shut_[i] = mass_rates[perforations_[i].well] > 0.0 ? 0 : 1;
    }
    bool is_taken = take_rounds(days, mass_rates, now);
    if (is_taken && iterations_.leaves_room) {
        set_pressures(now);
        set_masses(now);
        is_taken = leaves_room();
    }
    if (is_taken) {
        now.days = days;
        now.injected += days * std::accumulate(mass_rates.begin(), mass_rates.end(), 0.0);
        state_ = std::move(now);
    }
    set_pressures(state_);
    set_masses(state_);
    for (std::size_t cell = 0; is_taken && cell < cells_.size(); ++cell) {
        properties_.remember(cells_[cell], cell);
    }
    return is_taken;
}

/// Where many times what a cell holds goes through it, more rounds than usual mend masses that it has no room for.
bool FlowSimulation::take_rounds(double days, const std::vector<double>& mass_rates, State& now) {
    const bool is_resting = std::ranges::none_of(mass_rates, [](double rate) { return rate > 0.0; });
    const double tolerance = is_resting ? std::min(iterations_.transport_tolerance, iterations_.resting_tolerance)
                                        : iterations_.transport_tolerance;
    std::vector<double> saturations;
    std::ranges::transform(cells_, std::back_inserter(saturations), &CellState::saturation);
    bool are_possible = false;
    for (int round = 0; round < iterations_.rounds || !are_possible; ++round) {
        if (round == iterations_.rounds + iterations_.extra_rounds) {
            return false;
        }
        if (!solve_pressure(days, mass_rates, now, round == 0)) {
            return false;
        }
        set_pressures(now);
        if (!transport_.move({days, tolerance}, cells_, now.pressure, volumes_, sources(mass_rates, now), state_.masses,
                             now.masses)) {
            return false;
        }
        are_possible = transport_.are_possible(cells_, now.masses, state_.masses, saturations);
        set_masses(now);
    }
    const std::vector<double> former = volumes_;
    const bool is_solved = solve_pressure(days, mass_rates, now, false);
    flow_change_ = change_of_flow(former, days);
    return is_solved;
}

double FlowSimulation::change_of_flow(const std::vector<double>& former, double days) const {
    double changes = 0.0, gas = 0.0;
    for (std::size_t i = 0; i < former.size(); ++i) {
        const Connection& one = model_.connections[i];
        const bool has_gas = cells_[one.from].saturation > 0.0 && cells_[one.to].saturation > 0.0;
        changes += has_gas ? days * std::abs(volumes_[i] - former[i]) : 0.0;
    }
    for (const CellState& cell : cells_) {
        gas += cell.saturation * cell.pore_volume;
    }
    return gas > 0.0 ? changes / gas : 0.0;
}

/// Whether cells hold no more CO2 than a transport may end with.
bool FlowSimulation::leaves_room() const {
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
        if (cells_[cell].saturation > properties_.largest_saturation(cell) + overshoot) {
            return false;
        }
    }
    return true;
}

/// Equation (21) in docs/physics.md: changes the pressure such that flow and compression take up the volume that the
/// masses have too much, and the flow with it. In the first round all of the flow counts, later what it changes by.
bool FlowSimulation::solve_pressure(double days, const std::vector<double>& mass_rates, State& now, bool is_first) {
    set_wells(mass_rates, now);
    if (is_first) {
        set_kept_volumes(days, now);
        std::ranges::fill(volumes_, 0.0);
        std::ranges::fill(now.perforation_flow, 0.0);
    }
    add_storage(days, now);
    add_connections(now, is_first);
    if (!solve_with_wells(now, is_first ? iterations_.first_tolerance : iterations_.later_tolerance)) {
        return false;
    }
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
        now.pressure[cell] += solution_[cell];
        if (!(now.pressure[cell] > lowest_pressure && now.pressure[cell] < highest_pressure)) {
            return false;
        }
    }
    for (std::size_t i = 0; i < model_.connections.size(); ++i) {
        const Connection& one = model_.connections[i];
        volumes_[i] += system_.conductance[i] * (solution_[one.from] - solution_[one.to]);
    }
    return true;
}

/// Volume that a step of another length left over is made up for over the longer of the two: a shorter step keeps its
/// part of it.
void FlowSimulation::set_kept_volumes(double days, const State& now) {
    const double share = std::max(0.0, 1.0 - days / now.days);
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
        kept_volumes_[cell] = share * properties_.excess_volume(cells_[cell], now.masses.brine[cell]);
    }
}

void FlowSimulation::add_storage(double days, const State& now) {
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
        const double co2 = now.masses.co2[cell], brine = now.masses.brine[cell];
        right_[cell] = (properties_.excess_volume(cells_[cell], brine) - kept_volumes_[cell]) / days;
        system_.own[cell] = properties_.compressibility(cells_[cell], cell, now.pressure[cell], co2, brine) / days;
    }
}

void FlowSimulation::add_connections(const State& now, bool is_first) {
    for (std::size_t i = 0; i < model_.connections.size(); ++i) {
        const auto& [from, to, transmissibility] = model_.connections[i];
        const CellState &one = cells_[from], &other = cells_[to];
        const double drop = now.pressure[from] - now.pressure[to];
        const double brine = drop - 0.5 * (one.weight + other.weight) * gravity * below_[i];
        const double gas = brine + drive_of_gas(one, other, below_[i]);
        const double brine_conductance = transmissibility * (brine >= 0.0 ? one : other).brine;
        const double gas_conductance = transmissibility * (gas >= 0.0 ? one : other).gas;
        const double volume = brine_conductance * brine + gas_conductance * gas;
        const double change = volume - (is_first ? 0.0 : volumes_[i]);
        right_[from] -= change;
        right_[to] += change;
        volumes_[i] = volume;
        system_.conductance[i] = brine_conductance + gas_conductance;
    }
}

/// Heads at the mean density of CO2 beside the wells, volume rates at that of what comes through the perforations, and
/// pressures of wells that begin to inject.
void FlowSimulation::set_wells(const std::vector<double>& mass_rates, State& now) {
    for (std::size_t well = 0, first = 0; well < model_.wells.size(); ++well) {
        const auto& open = model_.wells[well].perforations;
        double densities = 0.0, volume = 0.0, mass = 0.0;
        for (std::size_t i = 0; i < open.size(); ++i) {
            const double density = cells_[open[i].cell].gas_density;
            const double inflow = std::max(now.perforation_flow[first + i], 0.0);
            densities += density;
            volume += inflow;
            mass += inflow * density;
        }
        const double mean = densities / static_cast<double>(open.size());
        for (std::size_t i = 0; i < open.size(); ++i) {
            heads_[first + i] = mean * gravity * (model_.depth[open[i].cell] - model_.depth[open[0].cell]);
        }
        volume_rates_[well] = mass_rates[well] / (mass > 0.0 ? mass / volume : mean);
        double& pressure = now.bottom_hole[well];
        if (!(mass_rates[well] > 0.0)) {
            pressure = no_pressure;
        } else if (std::isnan(pressure)) {
            pressure = now.pressure[open[0].cell];
        }
        first += open.size();
    }
}

/// Flow through a perforation at the pressures of now [m3/day].
double FlowSimulation::well_volume(std::size_t perforation, const State& now) const {
    const auto& [well, cell, factor] = perforations_[perforation];
    const double mobility = cells_[cell].gas + cells_[cell].brine;
    return is_shut_[perforation] != 0
               ? 0.0
               : factor * mobility * (now.bottom_hole[well] + heads_[perforation] - now.pressure[cell]);
}

/// Right sides of the cells and wells, with what `former` flow through the perforations becomes, and their
/// conductances.
void FlowSimulation::add_wells(const std::vector<double>& former, State& now) {
    const std::size_t cells = model_.cells(), connections = model_.connections.size();
    std::ranges::copy(right_, system_.right.begin());
    for (std::size_t well = 0; well < model_.wells.size(); ++well) {
        system_.right[cells + well] = volume_rates_[well];
        system_.own[cells + well] = volume_rates_[well] > 0.0 ? 0.0 : share_of_shut;
    }
    for (std::size_t i = 0; i < perforations_.size(); ++i) {
        const auto& [well, cell, factor] = perforations_[i];
        now.perforation_flow[i] = well_volume(i, now);
        system_.right[cell] += now.perforation_flow[i] - former[i];
        system_.right[cells + well] -= now.perforation_flow[i];
        system_.conductance[connections + i] =
            is_shut_[i] != 0 ? 0.0 : factor * (cells_[cell].gas + cells_[cell].brine);
    }
}

/// Shuts perforations through which the cell would flow into the well; whether there were any.
bool FlowSimulation::shut_backflow(const State& now) {
    bool is_any = false;
    for (std::size_t i = 0; i < perforations_.size(); ++i) {
        if (is_shut_[i] == 0 && now.perforation_flow[i] < -1e-9 * volume_rates_[perforations_[i].well]) {
            is_shut_[i] = 1;
            is_any = true;
        }
    }
    return is_any;
}

/// Solves for the changes of all pressures, and of the flow through the wells, with fewer perforations until none gives
/// brine to its well.
bool FlowSimulation::solve_with_wells(State& now, double tolerance) {
    const std::vector<double> former = now.perforation_flow;
    do {
        add_wells(former, now);
        const auto iterations = system_.solve(solution_, tolerance);
        if (!iterations) {
            return false;
        }
        pressure_iterations_ += *iterations;
        for (std::size_t i = 0; i < perforations_.size(); ++i) {
            now.perforation_flow[i] +=
                system_.conductance[model_.connections.size() + i] *
                (solution_[model_.cells() + perforations_[i].well] - solution_[perforations_[i].cell]);
        }
    } while (shut_backflow(now));
    for (std::size_t well = 0; well < model_.wells.size(); ++well) {
        now.bottom_hole[well] += solution_[model_.cells() + well];
    }
    return true;
}

/// CO2 that comes into cells [kg/day]: each well's, by the masses through its perforations.
std::vector<double> FlowSimulation::sources(const std::vector<double>& mass_rates, const State& now) const {
    std::vector<double> sums(model_.wells.size()), result(model_.cells());
    const auto mass = [&](std::size_t i) {
        return std::max(now.perforation_flow[i], 0.0) * cells_[perforations_[i].cell].gas_density;
    };
    for (std::size_t i = 0; i < perforations_.size(); ++i) {
        sums[perforations_[i].well] += mass(i);
    }
    for (std::size_t i = 0; i < perforations_.size(); ++i) {
        const auto& [well, cell, factor] = perforations_[i];
        if (sums[well] > 0.0) {
            result[cell] += mass_rates[well] * mass(i) / sums[well];
        }
    }
    return result;
}

}  // namespace plumecast::connections
