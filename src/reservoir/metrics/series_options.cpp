#include <plumecast/reservoir/metrics/series_options.hpp>

#include <limits>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/units.hpp"
#include "reservoir/metrics/case_fields.hpp"

namespace plumecast {
namespace {

[[noreturn]] void refuse_critical(const CaseFields& fields, const std::string& why, const std::string& what) {
    throw InvalidInput(fmt::format("case {}: no critical build-up can be computed ({}); {}", fields.number, why, what));
}

}  // namespace

double FractureLimit::allowed(std::int64_t number, double depth) const {
    if (gradient) {
        return factor * *gradient * depth;
    }
    if (pressure) {
        return factor * *pressure;
    }
    if (number < 0 || static_cast<std::size_t>(number) >= pressures.size()) {
        throw InvalidInput(
            fmt::format("no fracture pressure of case {} ({} are given, counted from case 0); give one per "
                        "case",
                        number, pressures.size()));
    }
    return factor * pressures[static_cast<std::size_t>(number)];
}

double DrinkingWater::build_up_to_rise(const CaseFields& fields) const {
    constexpr double atmosphere = 1.01325;  // [bar]
    constexpr double bar_per_weight = 9.80665 / pascals_per_bar;
    constexpr double fresh = 1000.0;  // [kg/m3]
    if (fields.depth_source == DepthSource::water_at_rest) {
        refuse_critical(fields, "the depth of the formation is not known, only computed from its pressure",
                        "give the depth of its top, or the critical build-up itself as that of the front");
    }
    if (!(depth < fields.top_depth)) {
        refuse_critical(fields,
                        fmt::format("the drinking water at {:g} m does not lie above the formation at {:g} m", depth,
                                    fields.top_depth),
                        "correct one of the two depths");
    }
    if (water_density && !(*water_density < brine_density)) {
        refuse_critical(fields,
                        fmt::format("the water at the base of the drinking water, of {:g} kg/m3, is not lighter than "
                                    "the brine, of {:g}",
                                    *water_density, brine_density),
                        "correct one of the two densities");
    }
    const double height = fields.top_depth - depth;
    const double there = pressure.value_or(atmosphere + fresh * bar_per_weight * depth);
    const double full_of_brine = there + brine_density * bar_per_weight * height - fields.initial_pressure;
    // Brine that rises without any build-up does so whatever stood in the borehole.
    return water_density && full_of_brine > 0.0 ? 0.5 * bar_per_weight * (brine_density - *water_density) * height
                                                : full_of_brine;
}

double DrinkingWater::critical_buildup(const CaseFields& fields) const {
    const double critical = build_up_to_rise(fields);
    if (!(critical > 0.0)) {
        refuse_critical(fields,
                        fmt::format("it would be {:.3g} bar: at its initial pressure of {:.4g} bar the brine already "
                                    "stands above the drinking water",
                                    critical, fields.initial_pressure),
                        "have the critical build-up of an over-pressured formation determined for your site (EPA "
                        "816-R-13-005) and give it as that of the front");
    }
    return critical;
}

double SeriesOptions::front_of(const CaseFields& fields) const {
    if (pressure_front) {
        return *pressure_front;
    }
    if (!drinking_water) {
        return default_pressure_front;
    }
    const double critical = drinking_water->build_up_to_rise(fields);
    return critical > 0.0 ? critical : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace plumecast
