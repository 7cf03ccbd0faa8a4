#include "reservoir/physics/connections/box_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/connections/box_transmissibilities.hpp"
#include "reservoir/physics/connections/cell_state.hpp"
#include "reservoir/physics/saturation_functions.hpp"
#include "reservoir/physics/two_phase/simulation.hpp"

namespace plumecast::connections {
namespace {

constexpr std::size_t no_cell = std::numeric_limits<std::size_t>::max();

/// Adds the cells of a column, downwards; `number` gets their numbers by their places in the box.
void add_column(BoxModel& model, const BoxCase& box, std::size_t at, std::vector<std::size_t>& number) {
    model.flow.column_starts.push_back(model.places.size());
    for (std::size_t row = 0; row < box.rows(); ++row) {
        const std::size_t cell = row * box.plane() + at;
        if (box.active[cell] != 0) {
            number[cell] = model.places.size();
            model.places.push_back(cell);
        }
    }
    if (model.flow.column_starts.back() == model.places.size()) {
        model.flow.column_starts.pop_back();  // nothing but inactive cells
    }
}

/// Pressures of brine at rest at heights below the top, whose density grows with the pressure.
std::vector<double> initial_pressures(const BoxCase& box, const std::vector<double>& below) {
    const double gradient = box.rock_fluid.temperature_gradient;
    if (!std::isnan(gradient)) {
        return pressures_of_warm_brine({box.initial_pressure, box.temperature_at(0.0), gradient, box.salinity}, below);
    }
    const double density = brine_density(box.initial_pressure, box.initial_brine_temperature(), box.salinity);
    const double compressibility = brine_compressibility(box.initial_pressure, box.initial_brine_temperature(),
                                                         box.salinity, two_phase::compressibility_span);
    std::vector<double> pressures;
    for (const double depth : below) {
        const double strain = density * two_phase::gravity * depth * compressibility;
        pressures.push_back(box.initial_pressure + std::expm1(strain) / compressibility);
    }
    return pressures;
}

/// Temperatures of rows, or of levels between the least and the largest depth where each cell has a depth of its own.
void add_temperatures(BoxModel& model, const BoxCase& box) {
    constexpr std::size_t levels = 64;
    FlowModel& flow = model.flow;
    if (std::isnan(box.rock_fluid.temperature_gradient)) {
        return;
    }
    if (box.cell_depth.empty()) {
        for (std::size_t row = 0; row < box.rows(); ++row) {
            flow.temperatures.push_back(box.temperature_at(box.depth(row * box.plane())));
        }
        for (const std::size_t cell : model.places) {
            flow.warmth.push_back(cell / box.plane());
        }
        return;
    }
    const auto [least, most] = std::ranges::minmax(flow.depth);
    const double step = std::max(most - least, 1e-3) / static_cast<double>(levels);
    for (std::size_t level = 0; level < levels; ++level) {
        flow.temperatures.push_back(box.temperature_at(least + (static_cast<double>(level) + 0.5) * step));
    }
    for (const double depth : flow.depth) {
        flow.warmth.push_back(std::min(static_cast<std::size_t>((depth - least) / step), levels - 1));
    }
}

void add_cells(BoxModel& model, const BoxCase& box) {
    const std::vector<double> pores = box_pore_volumes(box);
    for (const std::size_t cell : model.places) {
        model.flow.depth.push_back(box.depth(cell));
    }
    model.flow.initial_pressure = initial_pressures(box, model.flow.depth);
    add_temperatures(model, box);
    for (const std::size_t cell : model.places) {
        const double permeability = std::sqrt(box.permeability_x[cell] * box.permeability_y[cell]);
        model.flow.pore_volume.push_back(pores[cell]);
        if (box.saturation_tables.empty()) {
            model.flow.capillary.push_back(leverett_factor(permeability, box.porosity[cell]));
        } else {
            model.flow.capillary.push_back(1.0);
            model.flow.table.push_back(box.saturation_region[cell] - 1);
        }
    }
}

void connect(FlowModel& flow, std::size_t from, std::size_t to, double transmissibility) {
    if (from != no_cell && to != no_cell && transmissibility > 0.0) {
        flow.connections.push_back({from, to, transmissibility});
    }
}

/// Neighbours by their indices, as the case states it or, where it does not, as geometry and permeabilities have it.
void connect_neighbours(FlowModel& flow, const BoxCase& box, const std::vector<std::size_t>& number) {
    const bool is_stated = !box.transmissibility_x.empty();
    const CellConnections found = is_stated ? CellConnections() : box_transmissibilities(box);
    const std::vector<double>& x = is_stated ? box.transmissibility_x : found.x;
    const std::vector<double>& y = is_stated ? box.transmissibility_y : found.y;
    const std::vector<double>& z = is_stated ? box.transmissibility_z : found.z;
    for (std::size_t cell = 0; cell < box.cells(); ++cell) {
        const std::size_t column = cell % box.columns(), line = cell % box.plane() / box.columns();
        if (cell + box.plane() < box.cells()) {
            connect(flow, number[cell], number[cell + box.plane()], z[cell]);
        }
        if (column + 1 < box.columns()) {
            connect(flow, number[cell], number[cell + 1], x[cell]);
        }
        if (line + 1 < box.lines()) {
            connect(flow, number[cell], number[cell + box.columns()], y[cell]);
        }
    }
}

/// Makes one connection of those between the same cells, which lie in the order of cells then.
void join_parallel(std::vector<Connection>& connections) {
    for (Connection& one : connections) {
        std::tie(one.from, one.to) = std::minmax({one.from, one.to});
    }
    std::ranges::sort(connections, {}, [](const Connection& one) { return std::pair(one.from, one.to); });
    std::vector<Connection> joined;
    for (const Connection& one : connections) {
        if (!joined.empty() && joined.back().from == one.from && joined.back().to == one.to) {
            joined.back().transmissibility += one.transmissibility;
        } else {
            joined.push_back(one);
        }
    }
    connections = std::move(joined);
}

void add_connections(FlowModel& flow, const BoxCase& box, const std::vector<std::size_t>& number) {
    connect_neighbours(flow, box, number);
    for (const BoxConnection& one : box.connections) {
        connect(flow, number[one.first], number[one.second], one.transmissibility);
    }
    if (!box.connections.empty()) {
        join_parallel(flow.connections);
    }
}

/// Rates of all wells in a period.
std::vector<double> rates_in(const BoxCase& box, std::size_t period) {
    std::vector<double> rates;
    for (const std::vector<double>& well : box.schedule_rates) {
        rates.push_back(well[period]);
    }
    return rates;
}

/// The periods after which the rate of a well changes.
std::vector<std::size_t> last_of_equal_rates(const BoxCase& box) {
    std::vector<std::size_t> periods;
    for (std::size_t period = 0; period < box.schedule_ends.size(); ++period) {
        const bool is_last = period + 1 == box.schedule_ends.size();
        if (is_last || rates_in(box, period) != rates_in(box, period + 1)) {
            periods.push_back(period);
        }
    }
    return periods;
}

void add_wells(FlowModel& flow, const BoxCase& box, const std::vector<std::size_t>& number) {
    const std::vector<std::size_t> periods = last_of_equal_rates(box);
    for (const std::size_t period : periods) {
        flow.period_ends.push_back(box.schedule_ends[period]);
    }
    if (periods.empty()) {
        flow.period_ends.push_back(std::numeric_limits<double>::infinity());
    }
    const std::vector<BoxCaseWell> wells = box_wells(box);
    for (std::size_t i = 0; i < wells.size(); ++i) {
        Well well;
        for (const std::size_t period : periods) {
            well.rates.push_back(box.schedule_rates[i][period]);
        }
        if (periods.empty()) {
            well.rates.push_back(wells[i].injection_rate);
        }
        for (std::size_t row = 0; row < box.rows(); ++row) {
            if (wells[i].factors[row] > 0.0) {
                const std::size_t cell = row * box.plane() + wells[i].line * box.columns() + wells[i].column;
                well.perforations.push_back({number[cell], wells[i].factors[row]});
            }
        }
        flow.wells.push_back(std::move(well));
    }
}

}  // namespace

BoxModel box_model(const BoxCase& box) {
    BoxModel model;
    std::vector<std::size_t> number(box.cells(), no_cell);
    for (std::size_t at = 0; at < box.plane(); ++at) {
        add_column(model, box, at, number);
    }
    model.flow.column_starts.push_back(model.places.size());
    add_cells(model, box);
    add_connections(model.flow, box, number);
    add_wells(model.flow, box, number);
    model.flow.reference_pressure = box.initial_pressure;
    model.flow.temperature = box.temperature;
    model.flow.salinity = box.salinity;
    model.flow.irreducible_water_saturation = box.irreducible_water_saturation;
    model.flow.van_genuchten_lambda = box.van_genuchten_lambda;
    model.flow.residual_gas_saturation = box.residual_gas_saturation.value_or(0.0);
    model.flow.rock_fluid = box.rock_fluid;
    model.flow.saturation_tables = box.saturation_tables;
    return model;
}

}  // namespace plumecast::connections
