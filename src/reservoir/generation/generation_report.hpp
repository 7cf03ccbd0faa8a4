#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "reservoir/simulation/rejection.hpp"

namespace plumecast {

/// How far a run is.
struct GenerationProgress {
    std::int64_t wanted = 0;    ///< cases of the data set
    std::int64_t finished = 0;  ///< of them finished, in earlier runs too
    std::int64_t rejected = 0;
    std::int64_t running = 0;     ///< being drawn or simulated now
    double cases_per_hour = 0.0;  ///< finished in this run; 0 before the first
    double seconds_left = 0.0;    ///< infinite before the first
};

/// A case that did not enter the data set.
struct RejectedCase {
    std::int64_t number = 0;
    Rejection reason = Rejection::simulator_failed;
    std::string detail;
};

/// What a run came to.
struct GenerationReport {
    bool is_complete = false;  ///< false when it was asked to stop: finished cases wait for a run with `resume`
    std::int64_t finished = 0;
    std::map<Rejection, std::int64_t> rejected;
};

}  // namespace plumecast
