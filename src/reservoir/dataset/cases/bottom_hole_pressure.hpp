#pragma once

#include <string_view>

namespace plumecast {

/// Name under /case of the highest bottom-hole pressure of the wells that inject [N, T] [bar], as a simulator has it;
/// NaN at times without injection.
inline constexpr std::string_view bottom_hole_pressure_name = "bottom_hole_pressure";
inline constexpr std::string_view bottom_hole_pressure_meaning =
    "highest bottom-hole pressure of the wells that inject";

}  // namespace plumecast
