#include "reservoir/import/runs/dissolved_gas.hpp"

#include <fmt/format.h>

namespace plumecast {
namespace {

// The phases of a run, as INTEHEAD counts them: 1 oil, 2 water, 4 gas, and sums of these.
constexpr double oil_and_gas = 5.0;

}  // namespace

std::optional<DissolvedGasArrays> dissolved_gas_arrays(const eclipse::StepFiles& states, std::size_t step,
                                                       double phases, const eclipse::Units& units) {
    DissolvedGasArrays arrays;
    arrays.is_brine_water = states.has(step, "RSW");
    if (!arrays.is_brine_water && (phases != oil_and_gas || !states.has(step, "RS"))) {
        return std::nullopt;
    }
    arrays.ratio = arrays.is_brine_water ? "RSW" : "RS";
    const std::string inverse = arrays.is_brine_water ? "1OVERBW" : "1OVERBO";
    const std::string direct = arrays.is_brine_water ? "BW" : "BO";
    arrays.is_inverse = states.has(step, inverse);
    arrays.expansion = arrays.is_inverse ? inverse : states.has(step, direct) ? direct : "";
    arrays.per_unit = units.surface_volume / units.liquid_volume;
    return arrays;
}

std::string missing_ratio(const std::string& ratio, double phases) {
    const bool is_water = ratio == "RSW";
    if (!is_water && (ratio.empty() || phases != oil_and_gas)) {
        return "";
    }
    return fmt::format(
        "dissolved CO2 is left out, since the restart file holds no {0} (the deck has {1}); let the simulator write "
        "it: {2}",
        ratio, is_water ? "DISGASW" : "DISGAS",
        is_water ? "OPM Flow 2024.10 does with its parameter EnableOpmRstFile=true, not for RPTRST RSW alone"
                 : "RPTRST RS");
}

std::string missing_expansion(const DissolvedGasArrays& arrays) {
    const char* factor = arrays.is_brine_water ? "BW" : "BO";
    return fmt::format(
        "dissolved_co2 takes a formation volume factor of 1 for the brine (the restart file holds no 1OVER{0}, and it "
        "is some per cent too large so); let the simulator write it: RPTRST {0}, in OPM Flow 2022.10 with "
        "its parameter EnableOpmRstFile=true beside",
        factor);
}

}  // namespace plumecast
