#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <plumecast/inference/predictor.hpp>

namespace plumecast {

/// How fast cases are predicted, in seconds for all of them; medians of the rounds.
struct PredictionSpeed {
    std::int64_t cases = 0;
    double compute = 0.0;     ///< the networks alone, on batches in memory
    double whole = 0.0;       ///< from file to file
    PredictionStages stages;  ///< of it, each the median of the rounds

    /// What reading, packing and writing leave of the rate of the networks alone.
    double kept_rate() const { return compute / whole; }
};

/// How the speed of predictions is measured, and who is told.
struct SpeedOptions {
    std::int64_t batch = 4;
    int rounds = 3;
    std::function<void(int done, int all)> progress;  ///< told of half rounds; may be empty
    std::function<bool()> stop_requested;             ///< ends with Interrupted; may be empty
};

/// Times the prediction of all cases of a data set, the networks alone and from `input` to `output` in turn, after one
/// batch to warm up; `output` is left from the last round. One rank alone. Throws what Predictor::predict() throws.
PredictionSpeed measure_prediction(const Predictor& predictor, const std::string& input, const std::string& output,
                                   const SpeedOptions& options);

}  // namespace plumecast
