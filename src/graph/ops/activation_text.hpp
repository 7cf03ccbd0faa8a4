#pragma once

#include <string>

#include <plumecast/backend/ops.hpp>

namespace plumecast {

/// "relu", "leaky_relu 0.1".
std::string text_of(Activation activation);

}  // namespace plumecast
