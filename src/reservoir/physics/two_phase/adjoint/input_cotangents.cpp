#include "reservoir/physics/two_phase/adjoint/input_cotangents.hpp"

#include <algorithm>
#include <vector>

#include "core/units.hpp"
#include "reservoir/physics/connection_cotangents.hpp"
#include "reservoir/physics/fluid_slopes.hpp"
#include "reservoir/physics/radial_connections.hpp"

namespace plumecast::two_phase {
namespace {

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

/// What two numbers differ by, times their cotangent. Those that no cell depends on, among them rows of the table where
/// CO2 boils, do not count.
double times_difference(double cotangent, double low, double high) {
    return cotangent == 0.0 ? 0.0 : cotangent * (high - low);
}

template <typename Row, typename... Parts>
double rows_difference(const std::vector<Row>& cotangents, const std::vector<Row>& low, const std::vector<Row>& high,
                       Parts... parts) {
    double sum = 0.0;
    for (std::size_t i = 0; i < cotangents.size(); ++i) {
        sum += (times_difference(cotangents[i].*parts, low[i].*parts, high[i].*parts) + ...);
    }
    return sum;
}

/// Sum of what the fluids and the initial pressures of two cases differ by, but for the viscosity of brine, times the
/// cotangents.
double fluid_difference(const RadialCase& less, const RadialCase& more, BrineWeight weight,
                        const SimulationCotangents& by) {
    using Row = FluidTable::Row;
    const FluidTable low = fluids_of(less, weight), high = fluids_of(more, weight);
    const Reservoir from(less), to(more);
    double sum = rows_difference(by.fluids, low.rows(), high.rows(), &Row::density, &Row::viscosity, &Row::limit);
    for (std::size_t row = 0; row < from.rows; ++row) {
        sum += times_difference(by.initial_pressure[row], from.initial_pressure[row], to.initial_pressure[row]);
    }
    return sum + times_difference(by.limit, from.limit, to.limit) +
           times_difference(by.initial_density, from.initial_density, to.initial_density) +
           times_difference(by.brine_density, low.brine_density, high.brine_density) +
           times_difference(by.brine_compressibility, low.brine_compressibility, high.brine_compressibility) +
           times_difference(by.dissolved_density, low.dissolved_density, high.dissolved_density);
}

/// Sum of what the saturation functions of two cases differ by times the cotangents.
double curve_difference(const RadialCase& less, const RadialCase& more, const SimulationCotangents& by) {
    using Row = SaturationCurves::Row;
    const SaturationCurves low(less), high(more);
    double sum = rows_difference(by.curves, low.rows(), high.rows(), &Row::gas, &Row::brine, &Row::capillary);
    for (std::size_t i = 0; i < by.shape.size(); ++i) {
        sum += times_difference(by.shape[i], low.shape()[i], high.shape()[i]);
    }
    return sum + times_difference(by.land, low.land().constant(), high.land().constant());
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
    // Of smooth formulas in double precision, whose central differences are right to seven digits and more.
    const auto derivative = [&](double RadialCase::*input, double step, const auto& difference) {
        RadialCase less = radial, more = radial;
        less.*input = std::max(0.0, less.*input - step);  // there is no less than no salt
        more.*input += step;
        return difference(less, more) / (more.*input - less.*input);
    };
    const auto by_fluids = [&](const RadialCase& less, const RadialCase& more) {
        return fluid_difference(less, more, simulation.formulation().brine_weight, cotangents);
    };
    const auto by_curves = [&](const RadialCase& less, const RadialCase& more) {
        return curve_difference(less, more, cotangents);
    };
    const BrineViscositySlopes viscosity = brine_viscosity_slopes(radial.temperature, radial.salinity);
    gradient.initial_pressure += derivative(&RadialCase::initial_pressure, 1e-2, by_fluids);
    gradient.temperature +=
        derivative(&RadialCase::temperature, 2e-4, by_fluids) + cotangents.brine_viscosity * viscosity.temperature;
    gradient.salinity +=
        derivative(&RadialCase::salinity, 1e-7, by_fluids) + cotangents.brine_viscosity * viscosity.salinity;
    gradient.irreducible_water_saturation +=
        derivative(&RadialCase::irreducible_water_saturation, 1e-6, by_curves) - cotangents.largest_saturation;
    gradient.van_genuchten_lambda += derivative(&RadialCase::van_genuchten_lambda, 1e-6, by_curves);
    if (simulation.curves().has_hysteresis()) {
        // Land's constant is the inverse of what more is trapped than drainage leaves.
        const double more_trapped = radial.residual_gas_saturation - radial.rock_fluid.residual_gas_saturation;
        const double step = std::min(1e-6, 1e-3 * more_trapped);
        gradient.residual_gas_saturation += derivative(&RadialCase::residual_gas_saturation, step, by_curves);
    }
    if (radial.has_pressure_limit()) {
        gradient.bottom_hole_pressure_limit += cotangents.limit;
    }
    if (radial.has_dissolution_limit()) {
        gradient.dissolution_rate_limit += cotangents.dissolution_rate / days_per_year;
    }
}

}  // namespace plumecast::two_phase
