#include "service/measure.hpp"

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

namespace plumecast::service {
namespace {

constexpr double deepest = 20000.0;                             // [m]
constexpr double highest_pressure = 1e4;                        // [bar]
constexpr double least_density = 900.0, most_density = 1500.0;  // of water and brine [kg/m3]

/// A number above `low`, at most `high`.
double number_above(JsonReader& reader, const char* key, double low, double high) {
    const auto value = reader.get<double>(key);
    if (!(value > low && value <= high)) {
        throw InvalidInput(fmt::format("{} is {:g} (it lies above {:g} and is at most {:g}); correct the value",
                                       reader.path(key), value, low, high));
    }
    return value;
}

std::optional<double> maybe_above(JsonReader& reader, const char* key, double low, double high) {
    return reader.has(key) ? std::optional(number_above(reader, key, low, high)) : std::nullopt;
}

/// Where the depths tell, the critical build-up is known of every case but those that brine leaves anyway.
DrinkingWater read_water(JsonReader water, const std::optional<double>& top_depth, const std::string& path_of_depth) {
    DrinkingWater read;
    read.depth = number_above(water, "depth", 0.0, deepest);
    read.pressure = maybe_above(water, "pressure", 0.0, highest_pressure);
    read.brine_density = number_above(water, "brine_density", least_density, most_density);
    read.water_density = maybe_above(water, "water_density", least_density, most_density);
    water.reject_unknown();
    if (!top_depth) {
        throw InvalidInput(path_of_depth +
                           " is missing (the critical build-up follows from it beside the drinking water); give the "
                           "depth of the top of the formation");
    }
    if (!(read.depth < *top_depth)) {
        throw InvalidInput(
            fmt::format("{} is {:g} m (the formation begins at {:g} m, above it); correct one of the two",
                        water.path("depth"), read.depth, *top_depth));
    }
    if (read.water_density && !(*read.water_density < read.brine_density)) {
        throw InvalidInput(fmt::format("{} is {:g} (the brine has {:g} kg/m3, and is heavier); correct one of the two",
                                       water.path("water_density"), *read.water_density, read.brine_density));
    }
    if (read.water_density && read.pressure) {
        throw InvalidInput(water.path("pressure") +
                           " is given beside water_density (which is for a formation in hydrostatic balance); remove "
                           "one of them");
    }
    return read;
}

}  // namespace

Measure read_measure(JsonReader measure) {
    Measure read;
    read.top_depth = maybe_above(measure, "top_depth", 0.0, deepest);
    read.series.pressure_front = maybe_above(measure, "pressure_front", 0.0, highest_pressure);
    if (measure.has("drinking_water")) {
        if (read.series.pressure_front) {
            throw InvalidInput(measure.path("pressure_front") +
                               " is given beside drinking_water (from which the front follows); remove one of them");
        }
        read.series.drinking_water =
            read_water(measure.object("drinking_water"), read.top_depth, measure.path("top_depth"));
    }
    FractureLimit& fracture = read.series.fracture;
    fracture.gradient = maybe_above(measure, "fracture_gradient", 0.0, highest_fracture_gradient);
    fracture.pressure = maybe_above(measure, "fracture_pressure", 0.0, highest_pressure);
    if (fracture.gradient && fracture.pressure) {
        throw InvalidInput(measure.path("fracture_pressure") +
                           " is given beside fracture_gradient (one follows from the other); remove one of them");
    }
    if (measure.has("fracture_factor")) {
        fracture.factor = number_above(measure, "fracture_factor", 0.0, 1.0);
    }
    measure.reject_unknown();
    return read;
}

}  // namespace plumecast::service
