#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/units.hpp"
#include "reservoir/physics/connection_cotangents.hpp"
#include "reservoir/physics/fluid_slopes.hpp"
#include "reservoir/physics/radial_connections.hpp"
#include "reservoir/physics/temperature_profile.hpp"
#include "reservoir/physics/two_phase/adjoint/simulation_cotangents.hpp"

namespace plumecast::two_phase {
namespace {

void add_rock_cotangents(const RadialCase& radial, const Reservoir& reservoir, const SimulationCotangents& cotangents,
                         RadialCaseGradient& gradient) {
    const RadialConnections connections(radial);
    RadialConnections by = connections;
    for (auto* part : {&by.radial, &by.vertical, &by.well, &by.pore_volume}) {
        std::ranges::fill(*part, 0.0);
    }
    const double open = std::accumulate(reservoir.well.begin(), reservoir.well.end(), 0.0);
    for (std::size_t row = 0; row < reservoir.rows; ++row) {
        by.well[row] =
            cotangents.well[row] + cotangents.well_depth * (reservoir.depth[row] - reservoir.well_depth) / open;
        for (std::size_t column = 0; column < reservoir.columns; ++column) {
            const std::size_t cell = column * reservoir.rows + row, at = row * reservoir.columns + column;
            if (!reservoir.active[cell]) {
                continue;
            }
            by.pore_volume[at] = cotangents.pore_volume[cell];
            if (column + 1 < reservoir.columns) {
                by.radial[row * (reservoir.columns - 1) + column] = cotangents.radial[cell];
            }
            if (row + 1 < reservoir.rows) {
                by.vertical[at] = cotangents.vertical[cell];
            }
            // Leverett: the root of porosity over permeability.
            const double by_logarithm = 0.5 * cotangents.capillary[cell] * reservoir.capillary[cell];
            gradient.porosity[at] += by_logarithm / radial.porosity[at];
            gradient.permeability_r[at] -= by_logarithm / radial.permeability_r[at];
        }
    }
    add_connection_cotangents(radial, connections, by, gradient);
}

/// What numbers differ by, times their cotangents. Those that no cell depends on, among them rows of the table where
/// CO2 boils, do not count.
double difference(double cotangent, double low, double high) {
    return cotangent == 0.0 ? 0.0 : cotangent * (high - low);
}

template <typename Number, typename... Parts>
double difference(const std::vector<Number>& cotangents, const std::vector<Number>& low,
                  const std::vector<Number>& high, Parts... parts) {
    double sum = 0.0;
    for (std::size_t i = 0; i < cotangents.size(); ++i) {
        if constexpr (sizeof...(parts) == 0) {
            sum += difference(cotangents[i], low[i], high[i]);
        } else {
            sum += (difference(cotangents[i].*parts, low[i].*parts, high[i].*parts) + ...);
        }
    }
    return sum;
}

/// By what the fluids, but for the viscosity of brine, and the initial pressures of two cases differ.
double fluid_difference(const RadialCase& less, const RadialCase& more, const SimulationCotangents& by) {
    using Row = FluidTable::Row;
    const RowFluids low(less), high(more);
    const Reservoir from(less), to(more);
    double sum = difference(by.initial_pressure, from.initial_pressure, to.initial_pressure) +
                 difference(by.face_density, from.face_density, to.face_density) +
                 difference(by.added_pressure, from.added_pressure, to.added_pressure) +
                 difference(by.limit, from.limit, to.limit) +
                 difference(by.initial_density, from.initial_density, to.initial_density);
    for (std::size_t table = 0; table < by.fluids.size(); ++table) {
        const FluidCotangents& cotangents = by.fluids[table];
        const FluidTable &before = low.tables()[table], &after = high.tables()[table];
        sum += difference(cotangents.rows, before.rows(), after.rows(), &Row::density, &Row::viscosity, &Row::limit) +
               difference(cotangents.brine_density, before.brine_density, after.brine_density) +
               difference(cotangents.brine_compressibility, before.brine_compressibility, after.brine_compressibility) +
               difference(cotangents.dissolved_density, before.dissolved_density, after.dissolved_density);
    }
    return sum;
}

double curve_difference(const RadialCase& less, const RadialCase& more, const SimulationCotangents& by) {
    using Row = SaturationCurves::Row;
    const SaturationCurves low(less), high(more);
    return difference(by.curves, low.rows(), high.rows(), &Row::gas, &Row::brine, &Row::capillary) +
           difference(by.shape, low.shape(), high.shape()) +
           difference(by.land, low.land().constant(), high.land().constant());
}

}  // namespace

void add_input_cotangents(const RadialCase& radial, const Simulation& simulation, const SimulationCotangents& by,
                          RadialCaseGradient& gradient) {
    add_rock_cotangents(radial, simulation.reservoir(), by, gradient);
    // Of smooth formulas in double precision, whose central differences are right to seven digits and more.
    const auto derivative = [&](double RadialCase::*input, double step, const auto& difference_of) {
        RadialCase less = radial, more = radial;
        less.*input = std::max(0.0, less.*input - step);  // there is no less than no salt
        more.*input += step;
        return difference_of(less, more) / (more.*input - less.*input);
    };
    const auto fluids = [&](const RadialCase& less, const RadialCase& more) {
        return fluid_difference(less, more, by);
    };
    const auto curves = [&](const RadialCase& less, const RadialCase& more) {
        return curve_difference(less, more, by);
    };
    const TemperatureProfile temperatures = radial.temperatures();
    for (std::size_t table = 0; table < by.fluids.size(); ++table) {
        const BrineViscositySlopes viscosity =
            brine_viscosity_slopes(temperatures.at(simulation.reservoir().depth[table]), radial.salinity);
        gradient.temperature += by.fluids[table].brine_viscosity * viscosity.temperature;
        gradient.salinity += by.fluids[table].brine_viscosity * viscosity.salinity;
    }
    gradient.initial_pressure += derivative(&RadialCase::initial_pressure, 1e-2, fluids);
    gradient.temperature += derivative(&RadialCase::temperature, 2e-4, fluids);
    gradient.salinity += derivative(&RadialCase::salinity, 1e-7, fluids);
    gradient.irreducible_water_saturation += derivative(&RadialCase::irreducible_water_saturation, 1e-6, curves);
    gradient.van_genuchten_lambda += derivative(&RadialCase::van_genuchten_lambda, 1e-6, curves);
    if (simulation.curves().has_hysteresis()) {
        // Land's constant is the inverse of what more is trapped than drainage leaves.
        const double more_trapped = radial.residual_gas_saturation - radial.rock_fluid.residual_gas_saturation;
        gradient.residual_gas_saturation +=
            derivative(&RadialCase::residual_gas_saturation, std::min(1e-6, 1e-3 * more_trapped), curves);
    }
    gradient.bottom_hole_pressure_limit += by.limit;  // 0 where there is none
    gradient.dissolution_rate_limit += by.dissolution_rate / days_per_year;
}

}  // namespace plumecast::two_phase
