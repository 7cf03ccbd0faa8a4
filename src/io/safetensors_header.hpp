#pragma once

#include <string_view>

namespace plumecast {

/// The entry of a safetensors header that holds free texts instead of an array.
inline constexpr std::string_view metadata_key = "__metadata__";

}  // namespace plumecast
