#pragma once

#include <set>
#include <string>

#include <plumecast/architectures/parameters.hpp>
#include <plumecast/io/safetensors.hpp>

namespace plumecast {

/// Values of one of our parameters from the published tensor `name` (a spectral weight from four, `name` with 1 to 4
/// appended) in our layout and the element type stored; adds the names read to `used`. Throws InvalidModel naming file
/// and tensor for one that is missing, of a wrong shape, or not finite.
Tensor published_values(const SafetensorsFile& weights, const std::string& name, const Parameter& parameter,
                        std::set<std::string>& used);

}  // namespace plumecast
