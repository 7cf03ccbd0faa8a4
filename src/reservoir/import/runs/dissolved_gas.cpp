#include "reservoir/import/runs/dissolved_gas.hpp"

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

}  // namespace plumecast
