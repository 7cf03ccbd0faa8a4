#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "reservoir/simulation/deck_constants.hpp"

namespace plumecast {

/// How a run of the simulator ended: by itself, out of its time, stopped by us, or killed by somebody else.
enum class FlowOutcome { finished, failed, out_of_time, stopped, killed };

/// Full path of a program, looked up on PATH unless it holds a slash. Throws InvalidInput naming what to install.
std::string find_program(const std::string& name);

/// What runs depend on of a release of the simulator.
struct FlowRelease {
    std::string version;                              ///< what it says about itself, "flow 2022.10"
    bool can_be_lenient_with_decks = false;           ///< has the option --parsing-strictness, as 2024.10 has
    bool weighs_brine_at_surface_temperature = true;  ///< in its initial state; 2022.10 does, 2024.10 does not
    double lowest_temperature = 15.0;                 ///< of its tables of CO2 [degC]
    double highest_temperature = 126.8;               ///< likewise; those of 2024.10 reach from 12 to 170 degC
    BrinePhase brine = BrinePhase::oil;               ///< that decks for it take; water from 2024.10 on
};

/// Arguments that run CASE.DATA on a grid of that many cells. The simulator's defaults lose up to a quarter of the CO2.
/// Releases that have --parsing-strictness call PCG unsupported and stop, though they apply it; it is set to low there.
/// After a change of a rate the first time step is at most `step_after_change` long [day]; with 0 steps go on as long
/// as before the change.
std::vector<std::string> flow_arguments(std::size_t cells, const FlowRelease& release, double step_after_change);

/// Runs `program` in `folder` and waits for it: one thread, its output in `folder`/flow.log. The process stands in a
/// group of its own, so that Ctrl-C reaches the caller alone; it is killed when `is_stopped` returns true, when
/// `seconds` are over, and when the calling thread ends for whatever reason. Throws IoError when it cannot be started.
FlowOutcome run_flow(const std::string& program, const std::filesystem::path& folder,
                     const std::vector<std::string>& arguments, double seconds,
                     const std::function<bool()>& is_stopped);

/// Asks the simulator for its version and its options; its log lies in `folder`. Throws InvalidInput when it does not
/// tell its version.
FlowRelease flow_release(const std::string& program, const std::filesystem::path& folder);

}  // namespace plumecast
