#pragma once

#include <string>

#include <plumecast/core/shape.hpp>

namespace plumecast {

/// Where a file with ready-made channels holds them.
inline constexpr const char* channels_path = "/channels";

/// True when the file holds ready-made channels. Throws IoError or InvalidData when it cannot be opened.
bool is_channel_file(const std::string& path);

/// Shape of ready-made channels: [N, Z, R, T, C], or [N, Z, Y, X, T, C] on a Cartesian grid. Throws IoError, and
/// InvalidData when they are no such array of numbers.
Shape channel_shape(const std::string& path);

}  // namespace plumecast
