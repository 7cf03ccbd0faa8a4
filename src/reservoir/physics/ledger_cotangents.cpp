#include "reservoir/physics/ledger_cotangents.hpp"

#include <algorithm>
#include <cmath>
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

namespace plumecast {
namespace {

/// A cell at a time, with CO2 in it or not.
struct LedgerCell {
    std::size_t value, time, cell;
    double pores;     // [m3]
    double depth;     // of its centre below the top [m]
    double pressure;  // [bar]
};

/// Trapped part of the gas saturation, and its slope by that where it is no field of its own.
struct Trapped {
    double saturation, slope;
};

Trapped trapped_in(const RadialCase& radial, const LedgerFields& fields, std::size_t value) {
    if (radial.has_hysteresis()) {
        return {fields.trapped[value], 0.0};
    }
    const double saturation = fields.saturation[value], most = radial.rock_fluid.residual_gas_saturation;
    return saturation < most ? Trapped{saturation, 1.0} : Trapped{most, 0.0};
}

void require_known_density(const RadialCase& radial, const LedgerCell& at, const std::string& name) {
    try {
        co2_density(at.pressure, radial.temperature);
    } catch (const InvalidInput& error) {
        throw InvalidInput(fmt::format("{}: masses of CO2 on day {:g} have no derivatives: {}", name,
                                       radial.times[at.time], error.what()));
    }
}

/// The active cells at all times, row by row.
template <typename Visit>
void visit_cells(const RadialCase& radial, const LedgerFields& fields, const Visit& visit) {
    const std::vector<double> pores = RadialConnections(radial).pore_volume;
    for (std::size_t row = 0; row < radial.rows(); ++row) {
        const double depth = 0.5 * (radial.z_edges[row] + radial.z_edges[row + 1]);
        const double initial =
            hydrostatic_pressure(radial.initial_pressure, radial.initial_brine_temperature(), radial.salinity, depth);
        for (std::size_t cell = row * radial.columns(); cell < (row + 1) * radial.columns(); ++cell) {
            for (std::size_t time = 0; radial.active[cell] != 0 && time < radial.times.size(); ++time) {
                const std::size_t value = time * radial.cells() + cell;
                visit(LedgerCell{value, time, cell, pores[cell], depth, initial + fields.buildup[value]});
            }
        }
    }
}

}  // namespace

std::map<std::string, std::vector<double>, std::less<>> ledger_series(const RadialCase& radial,
                                                                      const LedgerFields& fields) {
    std::vector<double> free(radial.times.size()), trapped = free, dissolved = free;
    visit_cells(radial, fields, [&](const LedgerCell& at) {
        const double pores = at.pores / kilograms_per_megatonne;
        dissolved[at.time] += pores * fields.dissolved[at.value];
        if (fields.saturation[at.value] > 0.0) {
            const double gas = pores * co2_density(at.pressure, radial.temperature);
            free[at.time] += gas * fields.saturation[at.value];
            trapped[at.time] += gas * trapped_in(radial, fields, at.value).saturation;
        }
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
    const auto series = [&](std::string_view what) {
        std::vector<double> values(radial.times.size());
        std::ranges::copy(series_cotangents(cotangents, what), values.begin());
        return values;
    };
    const std::vector<double> by_free = series("mass_free"), by_trapped = series("mass_trapped"),
                              by_dissolved = series("mass_dissolved");
    const auto field = [&](std::string_view what) -> std::vector<double>& {
        std::vector<double>& values = cotangents.fields[std::string(what)];
        values.resize(radial.times.size() * radial.cells());
        return values;
    };
    std::vector<double>& by_buildup = field("physics_pressure_buildup");
    std::vector<double>& by_saturation = field("physics_gas_saturation");
    std::vector<double>& by_dissolved_field = field("physics_dissolved_co2");
    std::vector<double>* by_trapped_field = radial.has_hysteresis() ? &field(trapped_gas_field) : nullptr;
    visit_cells(radial, fields, [&](const LedgerCell& at) {
        const double pores = at.pores / kilograms_per_megatonne;
        by_dissolved_field[at.value] += by_dissolved[at.time] * pores;
        double per_pores = by_dissolved[at.time] * fields.dissolved[at.value];
        const bool counts = by_free[at.time] != 0.0 || by_trapped[at.time] != 0.0;
        if (counts && fields.saturation[at.value] > 0.0) {
            require_known_density(radial, at, name);
            const Trapped trapped = trapped_in(radial, fields, at.value);
            const double density = co2_density(at.pressure, radial.temperature), gas = pores * density;
            by_saturation[at.value] += gas * (by_free[at.time] + by_trapped[at.time] * trapped.slope);
            if (by_trapped_field != nullptr) {
                (*by_trapped_field)[at.value] += gas * by_trapped[at.time];
            }
            const double filled =
                by_free[at.time] * fields.saturation[at.value] + by_trapped[at.time] * trapped.saturation;
            per_pores += filled * density;
            const FluidSlopes slopes = co2_density_slopes_at(density, radial.temperature);
            const double by_pressure = pores * filled * slopes.pressure;
            by_buildup[at.value] += by_pressure;
            const HydrostaticSlopes initial = hydrostatic_pressure_slopes(
                radial.initial_pressure, radial.initial_brine_temperature(), radial.salinity, at.depth);
            const bool is_warm = std::isnan(radial.rock_fluid.initial_brine_temperature);
            gradient.initial_pressure += by_pressure * initial.pressure;
            gradient.salinity += by_pressure * initial.salinity;
            gradient.temperature +=
                pores * filled * slopes.temperature + (is_warm ? by_pressure * initial.temperature : 0.0);
        }
        gradient.porosity[at.cell] += pores * per_pores / radial.porosity[at.cell];
    });
}

}  // namespace plumecast
