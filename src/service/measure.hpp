#pragma once

#include <optional>

#include <plumecast/core/json.hpp>
#include <plumecast/reservoir/metrics/series_options.hpp>

namespace plumecast::service {

/// What figures need that the cases do not say.
struct Measure {
    SeriesOptions series;
    std::optional<double> top_depth;  ///< of the formation [m]; computed without
};

/// Reads the entry `measure` of a request strictly. Throws InvalidInput naming the entry.
Measure read_measure(JsonReader measure);

}  // namespace plumecast::service
