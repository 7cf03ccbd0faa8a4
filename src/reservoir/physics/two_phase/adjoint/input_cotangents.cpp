#include "reservoir/physics/two_phase/adjoint/input_cotangents.hpp"

#include <algorithm>
#include <cmath>

#include "core/units.hpp"
#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/connection_cotangents.hpp"
#include "reservoir/physics/fluid_slopes.hpp"
#include "reservoir/physics/radial_connections.hpp"

namespace plumecast::two_phase {
namespace {

// Rows of the tables have central differences of their formulas.
constexpr double temperature_step = 2e-4;  // [degC]
constexpr double curve_step = 1e-6;        // of irreducible water and of the exponent
constexpr double pressure_step = 1e-2;     // [bar]
constexpr double salinity_step = 1e-6;

void add_rock_cotangents(const RadialCase& radial, const Reservoir& reservoir, const SimulationCotangents& cotangents,
                         RadialCaseGradient& gradient) {
    const RadialConnections connections(radial);
    RadialConnections by;
    by.radial.resize(connections.radial.size());
    by.vertical.resize(connections.vertical.size());
    by.well.resize(connections.well.size());
    by.pore_volume.resize(connections.pore_volume.size());
    double open = 0.0;
    for (const double factor : reservoir.well) {
        open += factor;
    }
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

/// Derivative by the temperature through the rows of the table of CO2 and the density of dissolved CO2.
double table_cotangent(const RadialCase& radial, BrineWeight weight, const SimulationCotangents& cotangents) {
    RadialCase colder = radial, warmer = radial;
    colder.temperature -= temperature_step;
    warmer.temperature += temperature_step;
    const FluidTable low = fluids_of(colder, weight), high = fluids_of(warmer, weight);
    double sum = cotangents.dissolved_density * (high.dissolved_density - low.dissolved_density);
    for (std::size_t i = 0; i < cotangents.fluids.size(); ++i) {
        const FluidTable::Row &by = cotangents.fluids[i], &from = low.rows()[i], &to = high.rows()[i];
        // Rows that no cell was between, among them those where CO2 boils, do not count.
        sum += by.density == 0.0 ? 0.0 : by.density * (to.density - from.density);
        sum += by.viscosity == 0.0 ? 0.0 : by.viscosity * (to.viscosity - from.viscosity);
        sum += by.limit == 0.0 ? 0.0 : by.limit * (to.limit - from.limit);
    }
    return sum / (2.0 * temperature_step);
}

/// Adds the derivatives by pressure and salinity through the density of dissolved CO2, which only a varying weight of
/// brine has. `by`: its cotangent, also through the limit of dissolved CO2.
void add_dissolved_cotangent(const RadialCase& radial, double by, RadialCaseGradient& gradient) {
    const auto density = [&](double more_pressure, double more_salt) {
        return dissolved_co2_density(radial.initial_pressure + more_pressure, radial.temperature,
                                     radial.salinity + more_salt);
    };
    gradient.initial_pressure +=
        by * (density(pressure_step, 0.0) - density(-pressure_step, 0.0)) / (2.0 * pressure_step);
    gradient.salinity += by * (density(0.0, salinity_step) - density(0.0, -salinity_step)) / (2.0 * salinity_step);
}

void add_fluid_cotangents(const RadialCase& radial, const Simulation& simulation,
                          const SimulationCotangents& cotangents, RadialCaseGradient& gradient) {
    const FluidTable& fluids = simulation.fluids();
    const Reservoir& reservoir = simulation.reservoir();
    const double pressure = radial.initial_pressure, temperature = radial.temperature, salinity = radial.salinity;
    // The limit l = w rho / (1 + w rho / rho_d) grows with the density of brine by l / rho (1 - l / rho_d), and with
    // the logarithm of w, which salt changes, by l (1 - l / rho_d).
    double by_brine_in_limits = 0.0, by_salting_out = 0.0, by_dissolved = cotangents.dissolved_density;
    for (std::size_t i = 0; i < cotangents.fluids.size(); ++i) {
        const double limit = fluids.rows()[i].limit;
        const double by_limit = cotangents.fluids[i].limit * limit * (1.0 - limit / fluids.dissolved_density);
        const double share = limit / fluids.dissolved_density;
        by_dissolved += cotangents.fluids[i].limit * share * share;
        by_brine_in_limits += by_limit / fluids.brine_density;
        by_salting_out += by_limit * salting_out_slope(FluidTable::pressure_of(i), temperature, salinity);
    }
    // The limit of the build-up counts from the initial pressure.
    const double by_limit = radial.has_pressure_limit() ? cotangents.limit : 0.0;
    gradient.bottom_hole_pressure_limit += by_limit;
    gradient.initial_pressure -= by_limit;
    double by_initial_density = cotangents.initial_density - by_limit * gravity * reservoir.depth[reservoir.highest];
    for (std::size_t row = 0; row < reservoir.rows; ++row) {
        gradient.initial_pressure += cotangents.initial_pressure[row];
        by_initial_density += cotangents.initial_pressure[row] * gravity * reservoir.depth[row];
    }
    const BrineWeight weight = simulation.formulation().brine_weight;
    const FluidSlopes brine = brine_density_slopes(pressure + usual_buildup(radial, weight), temperature, salinity);
    const FluidSlopes initial = brine_density_slopes(pressure, radial.initial_brine_temperature(), salinity);
    const FluidSlopes compressibility =
        brine_compressibility_slopes(pressure, temperature, salinity, compressibility_span(weight));
    const BrineViscositySlopes viscosity = brine_viscosity_slopes(temperature, salinity);
    gradient.initial_pressure += (cotangents.brine_density + by_brine_in_limits) * brine.pressure +
                                 by_initial_density * initial.pressure +
                                 cotangents.brine_compressibility * compressibility.pressure;
    const bool is_stated = !std::isnan(radial.rock_fluid.initial_brine_temperature);
    gradient.temperature += table_cotangent(radial, weight, cotangents) + cotangents.brine_density * brine.temperature +
                            (is_stated ? 0.0 : by_initial_density * initial.temperature) +
                            cotangents.brine_compressibility * compressibility.temperature +
                            cotangents.brine_viscosity * viscosity.temperature;
    gradient.salinity += by_salting_out + (cotangents.brine_density + by_brine_in_limits) * brine.salinity +
                         by_initial_density * initial.salinity +
                         cotangents.brine_compressibility * compressibility.salinity +
                         cotangents.brine_viscosity * viscosity.salinity;
    if (weight == BrineWeight::varying) {
        add_dissolved_cotangent(radial, by_dissolved, gradient);
    }
}

/// Derivative by an input of the case through the saturation curves.
double curve_cotangent(const RadialCase& radial, double RadialCase::*input, const SimulationCotangents& cotangents) {
    RadialCase low = radial, high = radial;
    low.*input -= curve_step;
    high.*input += curve_step;
    const SaturationCurves from(low), to(high);
    double sum = 0.0;
    for (std::size_t i = 0; i < cotangents.curves.size(); ++i) {
        const SaturationCurves::Row &by = cotangents.curves[i], &a = from.rows()[i], &b = to.rows()[i];
        sum += by.gas * (b.gas - a.gas) + by.brine * (b.brine - a.brine) + by.capillary * (b.capillary - a.capillary);
    }
    for (std::size_t i = 0; i < cotangents.shape.size(); ++i) {
        sum += cotangents.shape[i] * (to.shape()[i] - from.shape()[i]);
    }
    sum += cotangents.land * (to.land().constant() - from.land().constant());
    return sum / (2.0 * curve_step);
}

}  // namespace

void add_rate_cotangent(const RadialCase& radial, double start, double end, double mass_rate,
                        RadialCaseGradient& gradient) {
    const double by_rate = mass_rate * kilograms_per_megatonne / days_per_year;
    const std::vector<double>& ends = radial.schedule.ends;
    if (ends.empty()) {
        gradient.injection_rate += by_rate;
        return;
    }
    for (std::size_t period = 0; period < ends.size(); ++period) {
        const double from = std::max(start, period > 0 ? ends[period - 1] : 0.0);
        gradient.rates[period] += by_rate * std::max(std::min(end, ends[period]) - from, 0.0) / (end - start);
    }
}

void add_input_cotangents(const RadialCase& radial, const Simulation& simulation,
                          const SimulationCotangents& cotangents, RadialCaseGradient& gradient) {
    add_rock_cotangents(radial, simulation.reservoir(), cotangents, gradient);
    add_fluid_cotangents(radial, simulation, cotangents, gradient);
    gradient.irreducible_water_saturation +=
        curve_cotangent(radial, &RadialCase::irreducible_water_saturation, cotangents) - cotangents.largest_saturation;
    gradient.van_genuchten_lambda += curve_cotangent(radial, &RadialCase::van_genuchten_lambda, cotangents);
    if (simulation.curves().has_hysteresis()) {
        gradient.residual_gas_saturation += curve_cotangent(radial, &RadialCase::residual_gas_saturation, cotangents);
    }
}

}  // namespace plumecast::two_phase
