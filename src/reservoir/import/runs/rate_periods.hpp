#pragma once

#include <vector>

#include "reservoir/import/runs/running_total.hpp"

namespace plumecast {

/// A time of constant rate, from the end of the one before it on, or from day 0.
struct RatePeriod {
    double end = 0.0;   ///< [day]
    double rate = 0.0;  ///< [Mt/year]
};

/// The fewest periods whose rates amount to `mass` [Mt] from day 0 on: exactly where a period ends, and within 2e-5 of
/// it on all of its days up to the last one; what stands still has the rate 0.
std::vector<RatePeriod> rate_periods(const RunningTotal& mass);

/// Mean rate [Mt/year] of the wells of a case together until the end of the last injection; 0 where nothing is
/// injected.
double mean_rate(const std::vector<std::vector<RatePeriod>>& wells);

/// The ends [day] of the periods of all wells of all cases, increasing; what is within rounding of another is left out.
std::vector<double> common_ends(const std::vector<std::vector<std::vector<RatePeriod>>>& cases);

/// The rates [Mt/year] of a well in the periods that end at `ends`, which hold its own.
std::vector<float> rates_within(const std::vector<RatePeriod>& periods, const std::vector<double>& ends);

}  // namespace plumecast
