#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reservoir/import/case_arrays.hpp"

namespace plumecast {

/// What is injected into a case.
struct Injection {
    double rate = 0.0;  ///< over the time in which something is injected [Mt/year]
    /// Injected until each snapshot [Mt]; empty when the model does not say.
    std::vector<double> mass;
    /// What one rate for all times leaves out, in words; empty when it leaves out nothing.
    std::string assumption;
};

/// By the value injection_rate, the wells among the values, or surface_density and what the model says was injected.
/// Nothing when none of these is there.
std::optional<Injection> injection_of(ReservoirModel& model, const CaseValues& values, const CaseSteps& steps);

}  // namespace plumecast
