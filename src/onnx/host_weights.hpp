#pragma once

#include <functional>
#include <string>

#include <plumecast/core/tensor.hpp>

namespace plumecast {

/// A weight as a host array of float32.
using HostWeights = std::function<Tensor(const std::string& name)>;

}  // namespace plumecast
