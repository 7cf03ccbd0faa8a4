#pragma once

#include <set>
#include <string>

#include <plumecast/architectures/parameters.hpp>
#include <plumecast/io/safetensors.hpp>

namespace plumecast {

/// Throws InvalidModel: FILE: problem; remedy.
[[noreturn]] void refuse_weights(const SafetensorsFile& weights, const std::string& problem, const std::string& remedy);

/// An array of this shape in the element type stored, with axes of extent 1 beyond it left out; adds its name to
/// `used`. Throws InvalidModel naming file and array for one that is missing, of another shape, of whole numbers or
/// truth values, or not finite.
Tensor published_array(const SafetensorsFile& weights, const std::string& name, const Shape& shape,
                       std::set<std::string>& used);

/// Values of one of our real parameters from the published array `name`, channels-first there, in our layout. Throws as
/// published_array() does.
Tensor published_values(const SafetensorsFile& weights, const std::string& name, const Parameter& parameter,
                        std::set<std::string>& used);

}  // namespace plumecast
