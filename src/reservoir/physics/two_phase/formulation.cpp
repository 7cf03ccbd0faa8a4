#include "reservoir/physics/two_phase/formulation.hpp"

#include <plumecast/core/error.hpp>

#include "reservoir/physics/brine.hpp"

namespace plumecast::two_phase {

Formulation formulation_of(int version) {
    Formulation formulation;
    formulation.upwinding = version == 1   ? Upwinding::by_flow
                            : version <= 5 ? Upwinding::by_phase_where_opposed
                                           : Upwinding::by_phase;
    formulation.brine_weight = version <= 2 ? BrineWeight::constant : BrineWeight::varying;
    formulation.expanding_gas = version <= 3 ? ExpandingGas::flashed : ExpandingGas::free;
    formulation.times_at_end = version <= 3 ? 1 : formulation.times_at_end;
    if (version <= 4) {
        const StepCount by_snapshots;
        formulation.grows_from = by_snapshots.grows_from;
        formulation.longest_at_rest = by_snapshots.longest_at_rest;
    }
    return formulation;
}

void check_known(const RadialCase& radial, const Formulation& formulation, const std::string& name) {
    if (radial.has_dissolution_limit() && formulation.expanding_gas == ExpandingGas::flashed) {
        throw InvalidInput(name +
                           ": dissolution_rate_limit (versions 1 to 3 of the two-phase physics have gas and brine in "
                           "equilibrium alone); take version 4 or later, or a model trained with it, or leave it out");
    }
}

double usual_buildup(const RadialCase& radial, BrineWeight weight) {
    return weight == BrineWeight::constant && radial.injection().largest_rate() > 0.0 ? 20.0 : 0.0;
}

double compressibility_span(BrineWeight weight) { return weight == BrineWeight::constant ? 50.0 : 10.0; }

FluidTable fluids_of(const RadialCase& radial, BrineWeight weight) {
    const double pressure = radial.initial_pressure, temperature = radial.temperature, salinity = radial.salinity;
    return {temperature,
            salinity,
            pressure,
            usual_buildup(radial, weight),
            brine_compressibility(pressure, temperature, salinity, compressibility_span(weight)),
            weight == BrineWeight::constant ? dissolved_co2_density(temperature)
                                            : dissolved_co2_density(pressure, temperature, salinity)};
}

}  // namespace plumecast::two_phase
