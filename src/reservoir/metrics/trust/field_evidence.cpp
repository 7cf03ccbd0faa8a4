#include "reservoir/metrics/trust/field_evidence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

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

void add_balance(FieldEvidence& evidence, const CaseFields& fields, CarbonBalance balance) {
    const std::vector<double>& injected = balance.injected;
    evidence.balance = std::move(balance.found);
    double worst = 0.0;
    for (std::size_t t = 0; t < injected.size(); ++t) {
        if (!(injected[t] > 0.0)) {
            evidence.balance[t] = 1.0;
            continue;
        }
        const double missing = fields.dissolved_co2.empty() ? dissolvable(fields, t) / injected[t] : 0.0;
        worst = std::max({worst, evidence.balance[t] - 1.0, 1.0 - missing - evidence.balance[t]});
    }
    evidence.off_balance = worst;
}

void add_reach(FieldEvidence& evidence, const CaseFields& fields, const std::vector<double>& injected) {
    constexpr double tongue = 0.1;  // mean saturation of the thinnest tongue
    const double density = co2_density(table_pressure(fields), fields.temperature);
    const double per_area = tongue * density * thinnest_row(fields);  // [kg/m2]
    double most = 0.0;
    for (std::size_t t = 0; t < injected.size(); ++t) {
        const MapCover plume = cover_above(fields.at(fields.gas_saturation, t), fields.active, fields.geometry,
                                           plume_threshold, FieldEdge::sharp);
        const double radius = full_radius(fields.geometry, size_of(plume, fields.geometry).radius);
        const double possible =
            std::sqrt(std::max(injected[t], 0.0) * kilograms_per_megatonne / (std::numbers::pi * per_area));
        if (radius > 0.0) {
            most = std::max(most, possible > 0.0 ? radius / possible : std::numeric_limits<double>::infinity());
        }
    }
    evidence.reach = most;
}

/// Calls of(cell, pressure) for each active cell at each time with its pressure [bar], the initial one without
/// build-up.
template <class Each>
void each_pressure(const CaseFields& fields, Each of) {
    const bool has_buildup = !fields.pressure_buildup.empty();
    const std::size_t cells = fields.active.size();
    for (std::size_t begin = 0; begin < std::max(fields.pressure_buildup.size(), cells); begin += cells) {
        for (std::size_t cell = 0; cell < cells; ++cell) {
            if (fields.active[cell] != 0.0F) {
                const double buildup = has_buildup ? static_cast<double>(fields.pressure_buildup[begin + cell]) : 0.0;
                of(cell, fields.initial_pressures[cell] + buildup);
            }
        }
    }
}

/// Pressure per pressure at which any rock breaks, at worst; nothing without build-up.
std::optional<double> rock_load(const CaseFields& fields) {
    if (fields.pressure_buildup.empty()) {
        return std::nullopt;
    }
    FractureLimit any_rock;
    any_rock.gradient = highest_fracture_gradient;
    any_rock.factor = 1.0;
    std::vector<double> allowed;
    for (std::size_t cell = 0; cell < fields.active.size(); ++cell) {
        allowed.push_back(any_rock.allowed(fields.number, fields.top_depth + fields.geometry.depth_of(cell)));
    }
    double most = 0.0;
    each_pressure(fields, [&](std::size_t cell, double pressure) { most = std::max(most, pressure / allowed[cell]); });
    return most;
}

/// Largest build-up of the active cells [bar], 0 without one.
double largest_buildup(const CaseFields& fields) {
    double largest = 0.0;
    const std::size_t cells = fields.active.size();
    for (std::size_t begin = 0; begin < fields.pressure_buildup.size(); begin += cells) {
        for (std::size_t cell = 0; cell < cells; ++cell) {
            const auto buildup = static_cast<double>(fields.pressure_buildup[begin + cell]);
            largest = fields.active[cell] != 0.0F ? std::max(largest, buildup) : largest;
        }
    }
    return largest;
}

/// Whether CO2 has a known density at the pressures of all active cells, the initial ones without build-up.
bool has_known_densities(const CaseFields& fields) {
    bool is_known = true;
    each_pressure(fields, [&](std::size_t, double pressure) { is_known = is_known && has_co2_density(pressure); });
    return is_known;
}

/// The least and the largest pressure [bar] of the active cells over all times.
std::pair<double, double> pressures_of(const CaseFields& fields) {
    std::pair<double, double> range{std::numeric_limits<double>::infinity(), 0.0};
    each_pressure(fields, [&](std::size_t, double pressure) {
        range = {std::min(range.first, pressure), std::max(range.second, pressure)};
    });
    return range;
}

/// What the brine beside gas holds too much or too little at each time, per CO2 injected, at worst. Too little is
/// nothing where the rate of dissolution is limited, as gas is not everywhere from the start on.
void add_absorbed(FieldEvidence& evidence, const CaseFields& fields, const std::vector<double>& times,
                  const std::vector<double>& injected) {
    constexpr double usual_buildup = 20.0;  // [bar], at which brine is described
    const bool is_limited = std::isfinite(fields.dissolution_rate_limit);
    const auto [least, largest] = pressures_of(fields);
    const two_phase::DissolvedLimits limits(fields.temperature, fields.salinity, table_pressure(fields), usual_buildup,
                                            least, largest);
    for (std::size_t t = 0; t < injected.size(); ++t) {
        const auto saturation = fields.at(fields.gas_saturation, t), dissolved = fields.at(fields.dissolved_co2, t);
        const double reached = is_limited ? fields.dissolution_rate_limit * times[t] / days_per_year
                                          : std::numeric_limits<double>::infinity();
        double held = 0.0, possible = 0.0;
        for (std::size_t cell = 0; cell < saturation.size(); ++cell) {
            if (fields.pore_volumes[cell] > 0.0 && saturation[cell] > 0.0F) {
                const double buildup = fields.pressure_buildup[t * saturation.size() + cell];
                const double limit = std::min(limits.at(fields.initial_pressures[cell] + buildup), reached);
                held += fields.pore_volumes[cell] * static_cast<double>(dissolved[cell]);
                possible += fields.pore_volumes[cell] * (1.0 - static_cast<double>(saturation[cell])) * limit;
            }
        }
        const double off = is_limited ? std::max(held - possible, 0.0) : std::abs(held - possible);
        const double absorbed = off / (injected[t] * kilograms_per_megatonne);
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
    if (!fields.gas_saturation.empty()) {
        const CarbonBalance balance = carbon_balance(fields, times);
        if (is_radial) {
            add_reach(evidence, fields, balance.injected);
        }
        if (!fields.dissolved_co2.empty() && !fields.pressure_buildup.empty()) {
            add_absorbed(evidence, fields, times, balance.injected);
        }
        add_balance(evidence, fields, balance);
    }
    return evidence;
}

}  // namespace plumecast
