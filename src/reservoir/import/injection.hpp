#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reservoir/import/case_arrays.hpp"

namespace plumecast {

/// Whether wells whose shares change in time may take their means.
enum class WellRates { keep_changes, take_means };

/// What is injected into a case, by the value injection_rate, the wells among the values, or surface_density and what
/// the model says was injected, which is that of the whole ring where the cells of the model fill `ring_share` of it.
/// Throws InvalidData naming the model when gas was injected before the start of injection, and when the cells of a
/// well are not known. Changes of the shares of wells by more than 1 % are told in `changes`, for those that can keep
/// no schedule.
Injection injection_of(ReservoirModel& model, const CaseValues& values, const CaseSteps& steps, WellRates rates,
                       double ring_share);

}  // namespace plumecast
