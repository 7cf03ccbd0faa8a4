#pragma once

#include <span>

#include <plumecast/distributed/communicator.hpp>

namespace plumecast {

/// Mean and sum of squared deviations of each channel, [2, C], of so many values on each rank: those of the values of
/// all ranks, joined in rank order. Returns how many values these are. Collective.
double merge_moments(Communicator& ranks, std::span<double> moments, double count);

}  // namespace plumecast
