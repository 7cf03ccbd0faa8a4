#pragma once

#include <cstddef>
#include <cstdint>

namespace plumecast::service {

/// What a request may ask for at most.
struct Limits {
    std::size_t body_bytes = std::size_t{8} << 20;
    std::int64_t cases = 64;
    std::int64_t values = 8'000'000;   ///< cases times cells times times
    double seconds = 60.0;             ///< that a request computes
    std::int64_t concurrent = 2;       ///< requests that compute at once
    std::int64_t waiting = 64;         ///< requests that wait for their turn
    std::int64_t realizations = 1000;  ///< of an ensemble
    std::int64_t ensembles = 16;       ///< kept at once, ended ones among them
    double ensemble_seconds = 3600.0;  ///< that an ended one is kept
    std::int64_t streams = 16;         ///< of events at once
};

/// Throws Problem (413) for more cases, or more values of a field, than the limits admit.
void require_within_limits(std::int64_t cases, std::int64_t values, const Limits& limits);

}  // namespace plumecast::service
