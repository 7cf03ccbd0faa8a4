#include "reservoir/physics/ledger_cotangents.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/physics/co2_density.hpp>
#include <plumecast/reservoir/physics/reduced_physics.hpp>

#include "core/units.hpp"
#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/fluid_slopes.hpp"
#include "reservoir/physics/physics_cotangents.hpp"
#include "reservoir/physics/radial_connections.hpp"
#include "reservoir/physics/scalars/taped.hpp"
#include "reservoir/physics/temperature_profile.hpp"

namespace plumecast {
namespace {

/// An active cell at a time.
struct LedgerCell {
    std::size_t value, time, cell;
    double pores;        // [m3]
    double depth;        // of its centre below the top [m]
    double pressure;     // [bar]
    double temperature;  // [degC]
    double brine;        // temperature of the initial brine above [degC]
};

/// The active cells at all times, row by row.
template <typename Visit>
void visit_cells(const RadialCase& radial, const LedgerFields& fields, const Visit& visit) {
    const std::vector<double> pores = RadialConnections(radial).pore_volume;
    const TemperatureProfile temperatures = radial.temperatures();
    for (std::size_t row = 0; row < radial.rows(); ++row) {
        const double depth = 0.5 * (radial.z_edges[row] + radial.z_edges[row + 1]);
        const double brine = temperatures.initial_brine_above(depth);
        const double initial = hydrostatic_pressure(radial.initial_pressure, brine, radial.salinity, depth);
        for (std::size_t cell = row * radial.columns(); cell < (row + 1) * radial.columns(); ++cell) {
            for (std::size_t time = 0; radial.active[cell] != 0 && time < radial.times.size(); ++time) {
                const std::size_t value = time * radial.cells() + cell;
                visit(LedgerCell{value, time, cell, pores[cell], depth, initial + fields.buildup[value],
                                 temperatures.at(depth), brine});
            }
        }
    }
}

/// CO2 in a cell [Mt]; without hysteresis what drainage leaves of the gas is trapped.
template <typename Number>
struct Masses {
    Masses(const RadialCase& radial, const Number& pore_volume, const Number& density, const Number& saturation,
           const Number& trapped_saturation, const Number& dissolved_co2) {
        const Number pores = pore_volume / kilograms_per_megatonne, gas = pores * density;
        free = gas * saturation;
        trapped =
            gas * (radial.has_hysteresis() ? trapped_saturation
                                           : std::min(Number(radial.rock_fluid.residual_gas_saturation), saturation));
        dissolved = pores * dissolved_co2;
    }
    Number free, trapped, dissolved;
};

/// Density of CO2 in a cell that holds some gas.
double density_in(const LedgerFields& fields, const LedgerCell& at) {
    return fields.saturation[at.value] > 0.0 ? co2_density(at.pressure, at.temperature) : 0.0;
}

}  // namespace

std::map<std::string, std::vector<double>, std::less<>> ledger_series(const RadialCase& radial,
                                                                      const LedgerFields& fields) {
    std::vector<double> free(radial.times.size()), trapped = free, dissolved = free;
    visit_cells(radial, fields, [&](const LedgerCell& at) {
        const Masses<double> masses(radial, at.pores, density_in(fields, at), fields.saturation[at.value],
                                    fields.trapped.empty() ? 0.0 : fields.trapped[at.value],
                                    fields.dissolved[at.value]);
        free[at.time] += masses.free;
        trapped[at.time] += masses.trapped;
        dissolved[at.time] += masses.dissolved;
    });
    return {{"mass_free", free}, {"mass_trapped", trapped}, {"mass_dissolved", dissolved}};
}

bool has_ledger_cotangents(const PhysicsCotangents& cotangents) {
    return std::ranges::any_of(cotangents.series, [](const auto& series) {
        return series.first == "mass_free" || series.first == "mass_trapped" || series.first == "mass_dissolved";
    });
}

void add_ledger_cotangents(const RadialCase& radial, const LedgerFields& fields, PhysicsCotangents& cotangents,
                           RadialCaseGradient& gradient, const std::string& name) {
    if (!has_ledger_cotangents(cotangents)) {
        return;
    }
    const auto series = [&](std::string_view what) {
        std::vector<double> values(radial.times.size());
        std::ranges::copy(series_cotangents(cotangents, what), values.begin());
        return values;
    };
    const std::vector<double> by_free = series("mass_free"), by_trapped = series("mass_trapped"),
                              by_dissolved = series("mass_dissolved");
    Tape tape(32);
    std::vector<double> nowhere;
    const auto field = [&](std::string_view what, const std::vector<double>& values) {
        std::vector<double>& by = values.empty() ? nowhere : cotangents.fields[std::string(what)];
        by.resize(values.size());
        return [&tape, &values, &by](std::size_t value) {
            return values.empty() ? Taped() : tape(values[value], by[value]);
        };
    };
    const auto buildup = field("physics_pressure_buildup", fields.buildup);
    const auto saturation = field("physics_gas_saturation", fields.saturation);
    const auto trapped = field(trapped_gas_field, fields.trapped);
    const auto dissolved = field("physics_dissolved_co2", fields.dissolved);
    // By the change of constants, with the slopes of their formulas.
    const Taped by_pressure = tape(0.0, gradient.initial_pressure), by_salinity = tape(0.0, gradient.salinity),
                by_temperature = tape(0.0, gradient.temperature);
    const bool is_warm = radial.temperatures().weighs_brine_as_it_is();
    const auto density_in_gas = [&](const LedgerCell& at) -> Taped {
        const double density = co2_density(at.pressure, at.temperature);
        const FluidSlopes slopes = co2_density_slopes_at(density, at.temperature);
        const HydrostaticSlopes initial =
            hydrostatic_pressure_slopes(radial.initial_pressure, at.brine, radial.salinity, at.depth);
        const Taped pressure = buildup(at.value) + initial.pressure * by_pressure + initial.salinity * by_salinity +
                               (is_warm ? initial.temperature : 0.0) * by_temperature;
        return density + slopes.pressure * (pressure - pressure.value) + slopes.temperature * by_temperature;
    };
    visit_cells(radial, fields, [&](const LedgerCell& at) {
        const bool has_gas = fields.saturation[at.value] > 0.0;
        const bool counts = has_gas && (by_free[at.time] != 0.0 || by_trapped[at.time] != 0.0);
        const double volume = at.pores / radial.porosity[at.cell];
        try {
            const Masses<Taped> masses(radial, volume * tape(radial.porosity[at.cell], gradient.porosity[at.cell]),
                                       counts ? density_in_gas(at) : Taped(), saturation(at.value), trapped(at.value),
                                       dissolved(at.value));
            masses.free.pull(by_free[at.time]);
            masses.trapped.pull(by_trapped[at.time]);
            masses.dissolved.pull(by_dissolved[at.time]);
        } catch (const InvalidInput& error) {
            throw InvalidInput(fmt::format("{}: masses of CO2 on day {:g} have no derivatives: {}", name,
                                           radial.times[at.time], error.what()));
        }
        tape.back();
    });
}

}  // namespace plumecast
