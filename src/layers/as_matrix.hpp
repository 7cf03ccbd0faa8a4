#pragma once

#include <plumecast/core/shape.hpp>

namespace plumecast {

/// [..., C] as the matrix [rows, C] that it is in memory.
inline Shape as_matrix(const Shape& shape) { return {shape.count(0, shape.rank() - 1), shape[-1]}; }

}  // namespace plumecast
