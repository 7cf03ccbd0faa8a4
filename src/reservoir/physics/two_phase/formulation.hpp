#pragma once

#include <string>

#include <plumecast/reservoir/physics/radial_case.hpp>

#include "reservoir/physics/two_phase/fluid_tables.hpp"
#include "reservoir/physics/two_phase/planned_steps.hpp"

namespace plumecast::two_phase {

/// Where the gas and the brine that cross a face come from. `by_flow` (version 1 of the physics): both move with the
/// total flow at the shares of the cell upstream, and are exchanged for each other beside that.
/// `by_phase_where_opposed` (versions 2 to 5): so, but at faces between two rows where the total flow and the drive of
/// buoyancy and capillarity have opposite directions each comes from the cell that it leaves in all. `by_phase`: at all
/// faces.
enum class Upwinding { by_flow, by_phase_where_opposed, by_phase };

/// Weight of brine. `constant` (versions 1 and 2 of the physics): that of a usual build-up, of 20 bar where CO2 is ever
/// injected. `varying`: that of the pressure and of the CO2 in it at the start of a time step, equation (23) in
/// docs/physics.md.
enum class BrineWeight { constant, varying };

/// Gas whose expansion since the transport of the step before the volume balance counts. `flashed` (versions 1 to 3 of
/// the physics): that of the masses at the limit of the new pressure, so that CO2 which leaves the brine as the
/// pressure falls, or enters it as that rises, counts here and as dissolution. `free`: the gas that there was.
enum class ExpandingGas { flashed, free };

/// What versions of the physics differ in.
struct Formulation {
    Upwinding upwinding = Upwinding::by_phase;
    BrineWeight brine_weight = BrineWeight::varying;
    ExpandingGas expanding_gas = ExpandingGas::free;
    int times_at_end = 2;  ///< times as many time steps once all is injected; 1 in versions 1 to 3
    /// Of StepCount [day], which makes the steps follow the growth of time; 0 in versions 1 to 4, which count them
    /// between snapshots.
    double grows_from = grows_from_usual;
    double longest_at_rest = 2.0 * days_per_year;  ///< of StepCount too [day]; 5 years in versions 1 to 4
};
Formulation formulation_of(int version);
/// Throws InvalidInput that begins with `name` and states the remedy where a case has what a version does not know: a
/// limit of the rate of dissolution before version 4.
void check_known(const RadialCase& radial, const Formulation& formulation, const std::string& name);

/// Build-up at which the density of brine is taken [bar].
double usual_buildup(const RadialCase& radial, BrineWeight weight);
/// Fluids of a case.
FluidTable fluids_of(const RadialCase& radial, BrineWeight weight);
/// Over which the compressibility of brine is taken [bar].
double compressibility_span(BrineWeight weight);

}  // namespace plumecast::two_phase
