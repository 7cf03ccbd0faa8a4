#include "reservoir/metrics/trust/field_evidence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <plumecast/reservoir/physics/co2_density.hpp>

#include "core/units.hpp"
#include "reservoir/metrics/case_series.hpp"
#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/co2_solubility.hpp"
#include "reservoir/physics/two_phase/fluid_tables.hpp"

namespace plumecast {
namespace {

bool are_finite(const std::vector<float>& values, const std::vector<float>& active) {
    for (std::size_t i = 0, cell = 0; i < values.size(); ++i, cell = cell + 1 < active.size() ? cell + 1 : 0) {
        if (active[cell] != 0.0F && !std::isfinite(values[i])) {
            return false;
        }
    }
    return true;
}

/// Pressure [bar] and temperature at which tables of fluids are read, within what they cover.
double table_pressure(const CaseFields& fields) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t cell = 0; cell < fields.active.size(); ++cell) {
        least = fields.active[cell] != 0.0F ? std::min(least, fields.initial_pressures[cell]) : least;
    }
    return std::clamp(least, 1.0, 1000.0);
}

/// Pore volume per area [m] of the row that has least of it.
double thinnest_row(const CaseFields& fields) {
    const CellGeometry& geometry = fields.geometry;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t begin = 0; begin < fields.active.size(); begin += geometry.columns) {
        double pores = 0.0, area = 0.0;
        for (std::size_t column = 0; column < geometry.columns; ++column) {
            if (fields.active[begin + column] != 0.0F) {
                pores += fields.pore_volumes[begin + column];
                area += geometry.areas[column];
            }
        }
        least = area > 0.0 ? std::min(least, pores / area) : least;
    }
    return least;
}

/// Mass [Mt] that twice the brine in the plume dissolves.
double dissolvable(const CaseFields& fields, std::size_t time) {
    const double pressure = table_pressure(fields);
    const double per_volume = co2_solubility(pressure, fields.temperature, fields.salinity) *
                              brine_density(pressure, fields.temperature, fields.salinity);  // [kg/m3]
    const auto saturation = fields.at(fields.gas_saturation, time);
    double brine = 0.0;
    for (std::size_t cell = 0; cell < saturation.size(); ++cell) {
        const auto s = static_cast<double>(saturation[cell]);
        if (fields.pore_volumes[cell] > 0.0 && s > plume_threshold) {
            brine += fields.pore_volumes[cell] * (1.0 - s);
        }
    }
    return 2.0 * per_volume * brine / kilograms_per_megatonne;
}

/// Radius up to which columns are full of plume: the inner edge of the outermost one.
double full_radius(const CellGeometry& geometry, double radius) {
    double inner = 0.0;
    for (const double reach : geometry.reaches) {
        inner = reach < radius ? std::max(inner, reach) : inner;
    }
    return inner;
}

void add_balance(FieldEvidence& evidence, const CaseFields& fields, const std::vector<double>& injected,
                 const std::vector<NamedSeries>& series) {
    const NamedSeries* whole = find_series(series, "mass_balance");
    evidence.balance = (whole != nullptr ? whole : find_series(series, "free_share"))->values;
    double worst = 0.0;
    for (std::size_t t = 0; t < injected.size(); ++t) {
        if (!(injected[t] > 0.0)) {
            evidence.balance[t] = 1.0;
            continue;
        }
        const double missing = whole != nullptr ? 0.0 : dissolvable(fields, t) / injected[t];
        worst = std::max({worst, evidence.balance[t] - 1.0, 1.0 - missing - evidence.balance[t]});
    }
    evidence.off_balance = worst;
}

void add_reach(FieldEvidence& evidence, const CaseFields& fields, const std::vector<double>& injected,
               const std::vector<double>& radii) {
    constexpr double tongue = 0.1;  // mean saturation of the thinnest tongue
    const double density = co2_density(table_pressure(fields), fields.temperature);
    const double per_area = tongue * density * thinnest_row(fields);  // [kg/m2]
    double most = 0.0;
    for (std::size_t t = 0; t < injected.size(); ++t) {
        const double radius = full_radius(fields.geometry, radii[t]);
        const double possible =
            std::sqrt(std::max(injected[t], 0.0) * kilograms_per_megatonne / (std::numbers::pi * per_area));
        if (radius > 0.0) {
            most = std::max(most, possible > 0.0 ? radius / possible : std::numeric_limits<double>::infinity());
        }
    }
    evidence.reach = most;
}

/// Pressure per pressure at which any rock breaks, at worst; nothing without build-up.
std::optional<double> rock_load(const CaseFields& fields) {
    FractureLimit any_rock;
    any_rock.gradient = highest_fracture_gradient;
    any_rock.factor = 1.0;
    std::optional<double> most;
    for (std::size_t i = 0; i < fields.pressure_buildup.size(); ++i) {
        const std::size_t cell = i % fields.active.size();
        if (fields.active[cell] != 0.0F) {
            const double depth = fields.top_depth + fields.geometry.depth_of(cell);
            const double pressure = fields.initial_pressures[cell] + static_cast<double>(fields.pressure_buildup[i]);
            most = std::max(most.value_or(0.0), pressure / any_rock.allowed(fields.number, depth));
        }
    }
    return most;
}

/// Largest build-up of the active cells [bar], 0 without one.
double largest_buildup(const CaseFields& fields) {
    double largest = 0.0;
    for (std::size_t i = 0; i < fields.pressure_buildup.size(); ++i) {
        if (fields.active[i % fields.active.size()] != 0.0F) {
            largest = std::max(largest, static_cast<double>(fields.pressure_buildup[i]));
        }
    }
    return largest;
}

/// Whether CO2 has a known density at the pressures of all active cells, the initial ones without build-up.
bool has_known_densities(const CaseFields& fields) {
    const bool has_buildup = !fields.pressure_buildup.empty();
    for (std::size_t i = 0; i < std::max(fields.pressure_buildup.size(), fields.active.size()); ++i) {
        const std::size_t cell = i % fields.active.size();
        const double buildup = has_buildup ? static_cast<double>(fields.pressure_buildup[i]) : 0.0;
        const double pressure = fields.initial_pressures[cell] + buildup;
        if (fields.active[cell] != 0.0F && !has_co2_density(pressure)) {
            return false;
        }
    }
    return true;
}

/// What the brine beside gas holds too much or too little at each time, per CO2 injected, at worst.
void add_absorbed(FieldEvidence& evidence, const CaseFields& fields, const std::vector<double>& injected) {
    constexpr double usual_buildup = 20.0;  // [bar], at which brine is described
    const two_phase::FluidTable fluids(fields.temperature, fields.salinity, table_pressure(fields), usual_buildup);
    for (std::size_t t = 0; t < injected.size(); ++t) {
        const auto saturation = fields.at(fields.gas_saturation, t), dissolved = fields.at(fields.dissolved_co2, t);
        double held = 0.0, possible = 0.0;
        for (std::size_t cell = 0; cell < saturation.size(); ++cell) {
            if (fields.pore_volumes[cell] > 0.0 && saturation[cell] > 0.0F) {
                const double buildup = fields.pressure_buildup[t * saturation.size() + cell];
                const double limit = fluids.at(fields.initial_pressures[cell] + buildup).dissolved_limit;
                held += fields.pore_volumes[cell] * static_cast<double>(dissolved[cell]);
                possible += fields.pore_volumes[cell] * (1.0 - static_cast<double>(saturation[cell])) * limit;
            }
        }
        const double absorbed = std::abs(held - possible) / (injected[t] * kilograms_per_megatonne);
        if (injected[t] > 0.0 && possible > 0.0 && absorbed > evidence.absorbed.value_or(-1.0)) {
            evidence.absorbed = absorbed;
            evidence.dissolved_ratio = held / possible;
        }
    }
}

}  // namespace

FieldEvidence field_evidence(const CaseFields& fields, const std::vector<double>& times, bool is_radial) {
    FieldEvidence evidence;
    evidence.is_finite = are_finite(fields.gas_saturation, fields.active) &&
                         are_finite(fields.pressure_buildup, fields.active) &&
                         are_finite(fields.dissolved_co2, fields.active);
    if (!evidence.is_finite || std::ranges::count(fields.active, 0.0F) == std::ssize(fields.active)) {
        return evidence;
    }
    evidence.rock_load = rock_load(fields);
    evidence.largest_buildup = largest_buildup(fields);
    if (!has_known_densities(fields)) {
        evidence.is_finite = false;
        return evidence;
    }
    SeriesOptions options;
    options.thresholds = {plume_threshold};
    const std::vector<NamedSeries> series = case_series(fields, times, options);
    if (!fields.gas_saturation.empty()) {
        const std::vector<double>& injected = find_series(series, "mass_injected")->values;
        add_balance(evidence, fields, injected, series);
        if (is_radial) {
            add_reach(evidence, fields, injected, find_series(series, "plume_radius_0.01")->values);
        }
        if (!fields.dissolved_co2.empty() && !fields.pressure_buildup.empty()) {
            add_absorbed(evidence, fields, injected);
        }
    }
    return evidence;
}

}  // namespace plumecast
