#pragma once

#include <array>
#include <string_view>

namespace plumecast {

/// Why a case did not enter the data set.
enum class Rejection {
    estimated_buildup,
    simulator_failed,
    time_limit,
    incomplete_output,
    not_finite,
    saturation_range,
    injection,
    mass_balance,
    supersaturation,
    not_at_rest
};
/// The reasons in words, in the order of the enumeration.
inline constexpr std::array<std::string_view, 10> rejection_names = {"estimated build-up above the limit",
                                                                     "simulator failed",
                                                                     "simulator out of time",
                                                                     "simulator output incomplete",
                                                                     "values not finite",
                                                                     "saturation out of range",
                                                                     "injection not as asked",
                                                                     "mass balance",
                                                                     "supersaturated brine",
                                                                     "brine not at rest before injection"};

}  // namespace plumecast
