#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <plumecast/reservoir/physics/radial_case.hpp>

#include "reservoir/case_model/reservoir.hpp"
#include "reservoir/simulation/deck_constants.hpp"

namespace plumecast {

/// What the deck assumes of rock and fluids, for the data sets made with it; of the temperature of the brine nothing
/// where the simulator does not weigh it at surface conditions. Boxes have an aquifer at their sides.
RockFluidSettings deck_rock_fluid(bool weighs_brine_at_surface_temperature, std::optional<double> aquifer_factor);

/// Rates of a case as simulated: those of its schedule, or its constant rate without an end.
InjectionSchedule injection_of(const SampledCase& inputs);

/// The days that a deck simulates to: `times`, and those on which the rate of the case changes before the last of them.
std::vector<double> report_days(const SampledCase& inputs, std::span<const double> times);

/// Input of OPM Flow for a case, with snapshots at `times` [day]. Cells are those of an unrolled cylinder, whose
/// transmissibilities are overridden by the cylinder's own.
std::string deck_text(const Reservoir& reservoir, std::span<const double> times, BrinePhase brine = BrinePhase::oil);

}  // namespace plumecast
