#pragma once

#include <cstdint>
#include <string_view>

#include <plumecast/reservoir/dataset/dataset.hpp>

namespace plumecast {

/// The array of these limits, and the value in it that stands for gas and brine in equilibrium [kg/m3/year].
inline constexpr std::string_view dissolution_rate_limit_name = "dissolution_rate_limit";
inline constexpr double never_reached_dissolution_rate = 1e6;

/// Largest rate at which brine dissolves CO2 in a case [kg/m3/year]; infinite where the data set has no limits, or one
/// that is never reached.
double dissolution_rate_limit(const Dataset& dataset, std::int64_t which);

}  // namespace plumecast
