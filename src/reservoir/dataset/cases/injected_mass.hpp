#pragma once

#include <string_view>
#include <vector>

#include <plumecast/reservoir/dataset/dataset.hpp>

namespace plumecast {

/// Name under /case of what was injected until each time [N, T] [Mt], where a file states it.
inline constexpr std::string_view injected_mass_name = "injected_mass";

/// CO2 injected until each time of the file [N * T, times fastest] [Mt], as a simulator counted it; empty where the
/// file does not state it, so that `injection_rate` holds at all times. Throws InvalidData when the array is damaged or
/// of another size, IoError.
std::vector<float> injected_mass(const Dataset& dataset);

}  // namespace plumecast
