#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace plumecast {

/// "1 case", "2 cases": a number with its noun, whose plural takes an s.
inline std::string counted(std::int64_t count, std::string_view noun) {
    return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace plumecast
