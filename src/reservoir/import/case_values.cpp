#include "reservoir/import/case_values.hpp"

#include <cmath>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/ranges.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>
#include "core/number_text.hpp"
#include "reservoir/dataset/range_text.hpp"

#include "reservoir/eclipse/units.hpp"

namespace plumecast {
namespace {

/// A number that the format has an input for lies in its range.
double in_range(const JsonReader& reader, const char* key, double value) {
    const ArraySpec* spec = find_array(key);
    if (spec != nullptr && !is_within(spec->low, spec->high, value)) {
        throw InvalidInput(fmt::format("{}: {} is outside of {} to {} ({}); correct value or unit", reader.path(key),
                                       with_unit(number_text(value, spec->low, spec->high), spec->unit),
                                       number_text(spec->low), with_unit(number_text(spec->high), spec->unit),
                                       spec->long_name));
    }
    return value;
}

std::optional<double> number(JsonReader& reader, const char* key) {
    if (!reader.has(key)) {
        return std::nullopt;
    }
    const auto value = reader.get<double>(key);
    if (!std::isfinite(value)) {
        throw InvalidInput(reader.path(key) + ": not finite (a number is needed); correct it");
    }
    return in_range(reader, key, value);
}

std::array<double, 2> interval(JsonReader& reader, const char* key) {
    const auto ends = reader.get<std::vector<double>>(key);
    if (ends.size() != 2 || !(ends[0] >= 0.0) || !(ends[1] > ends[0])) {
        throw InvalidInput(reader.path(key) +
                           ": no interval (it is two depths below the top of the formation, the smaller first, in m); "
                           "write [TOP, BOTTOM]");
    }
    return {ends[0], ends[1]};
}

WellValues well_of(JsonReader& reader) {
    WellValues well;
    well.i = reader.get<std::int64_t>("i");
    well.j = reader.get<std::int64_t>("j", 1);
    if (reader.has("layers")) {
        const auto layers = reader.get<std::vector<std::int64_t>>("layers");
        if (layers.size() != 2 || layers[0] < 1 || layers[1] < layers[0]) {
            throw InvalidInput(reader.path("layers") +
                               ": no interval of layers (they count from 1 at the top); write [FIRST, LAST]");
        }
        well.first = layers[0];
        well.last = layers[1];
    }
    well.rate = reader.get<double>("rate");
    if (!(well.rate >= 0.0) || !std::isfinite(well.rate)) {
        throw InvalidInput(reader.path("rate") + ": below 0, or no number (CO2 injected in Mt/year); correct it");
    }
    reader.reject_unknown();
    return well;
}

}  // namespace

CaseValues read_case_values(const Json& object, const std::string& origin) {
    JsonReader reader(object, origin);
    CaseValues values;
    values.injection_rate = number(reader, "injection_rate");
    values.initial_pressure = number(reader, "initial_pressure");
    values.temperature = number(reader, "temperature");
    values.irreducible_water_saturation = number(reader, "irreducible_water_saturation");
    values.van_genuchten_lambda = number(reader, "van_genuchten_lambda");
    values.temperature_gradient = number(reader, "temperature_gradient");
    values.rock_compressibility = number(reader, "rock_compressibility");
    values.salinity = number(reader, "salinity");
    values.residual_gas_saturation = number(reader, "residual_gas_saturation");
    values.dissolution_rate_limit = number(reader, "dissolution_rate_limit");
    values.surface_density = number(reader, "surface_density");
    if (reader.has("perforation")) {
        values.perforation = interval(reader, "perforation");
    }
    if (reader.has("wells")) {
        for (JsonReader& well : reader.objects("wells")) {
            values.wells.push_back(well_of(well));
        }
    }
    values.injection_start = reader.get<double>("injection_start", 0.0);
    values.times = reader.get<std::vector<double>>("times", {});
    for (std::size_t i = 0; i < values.times.size(); ++i) {
        if (!(values.times[i] > (i == 0 ? 0.0 : values.times[i - 1])) || !std::isfinite(values.times[i])) {
            throw InvalidInput(reader.path("times") +
                               ": the days do not increase from above 0 (each is one snapshot); sort them");
        }
    }
    values.units = reader.get<std::string>("units", "");
    if (!values.units.empty()) {
        eclipse::units_named(values.units);  // throws for another name
    }
    if (values.surface_density && !(*values.surface_density > 0.0)) {
        throw InvalidInput(reader.path("surface_density") +
                           ": not above 0 (of CO2 at the surface in kg/sm3); correct it");
    }
    reader.reject_unknown();
    return values;
}

Json merged(const std::vector<Json>& objects) {
    Json all = Json::Object{};
    for (const Json& object : objects) {
        if (const auto* entries = object.get_if<Json::Object>()) {
            for (const auto& [key, value] : *entries) {
                all[key] = value;
            }
        }
    }
    return all;
}

}  // namespace plumecast
