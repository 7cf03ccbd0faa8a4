#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "reservoir/eclipse/restart.hpp"
#include "reservoir/eclipse/units.hpp"

namespace plumecast {

/// Keywords of a restart file that dissolved_gas_arrays() looks for.
inline constexpr std::string_view dissolved_gas_keywords[] = {"RS", "RSW", "1OVERBO", "1OVERBW", "BO", "BW", "SWAT"};

/// The arrays of a state that tell how much gas the brine holds.
struct DissolvedGasArrays {
    std::string ratio;            ///< RS or RSW
    std::string expansion;        ///< 1OVERBO, BO or their kin of water; empty when the state has none and 1 is taken
    bool is_inverse = false;      ///< the expansion is 1/B, else B
    bool is_brine_water = false;  ///< brine is the water phase, else the oil phase
    double per_unit = 1.0;        ///< [sm3/sm3] in a unit of the ratio
};

/// Where brine is the oil phase (oil and gas alone) RS, where it is the water phase RSW. Nothing when the state has
/// neither, or three phases without RSW.
std::optional<DissolvedGasArrays> dissolved_gas_arrays(const eclipse::StepFiles& states, std::size_t step,
                                                       double phases, const eclipse::Units& units);

/// What is to be said of a run whose states do not hold the `ratio` that its deck asks for, RS or RSW; empty where
/// there is none, or where oil that is no brine holds the gas.
std::string missing_ratio(const std::string& ratio, double phases);
/// What is to be said of a run whose states hold no formation volume factor of the brine.
std::string missing_expansion(const DissolvedGasArrays& arrays);

}  // namespace plumecast
