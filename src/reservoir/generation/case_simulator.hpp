#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "reservoir/case_model/configuration.hpp"
#include "reservoir/case_model/reservoir.hpp"
#include "reservoir/generation/finished_arrays.hpp"
#include "reservoir/generation/generation_report.hpp"
#include "reservoir/simulation/case_check.hpp"
#include "reservoir/simulation/flow_process.hpp"
#include "reservoir/simulation/flow_results.hpp"

namespace plumecast {

/// A case that only waits for the simulator.
struct PreparedCase {
    SampledCase inputs;
    std::size_t cells = 0;  ///< of the simulation
    std::string deck;
    std::function<FinishedCase(const FlowResults&)> finish;  ///< arrays of the data set from what was computed
    std::function<FinishedCase()> inputs_alone;              ///< those that are known before
    double compressibility = rock_compressibility;           ///< of the pores [1/bar]
};

/// A radial case ready for the simulator, with snapshots at `times` [day]; outputs are rounded to `output_bits` bits of
/// mantissa.
PreparedCase prepared_case(Reservoir reservoir, const std::vector<double>& times, BrinePhase brine, int output_bits);

/// Runs the simulator; may be used by several threads at once.
struct CaseSimulator {
    std::string program;  ///< full path
    FlowRelease release;
    CheckSettings checks;
    SimulatorSettings settings;  ///< time limit and steps; its program is the one above, looked up
    std::vector<double> times;   ///< of the snapshots [day]

    /// Simulates a case in `folder`, which is created and left with deck, values for `import` and the simulator's
    /// files. Nothing when `is_stopped` ended it. Throws IoError where a run says nothing of the case.
    std::optional<std::variant<FinishedCase, RejectedCase>> run(const PreparedCase& prepared,
                                                                const std::filesystem::path& folder,
                                                                const std::function<bool()>& is_stopped) const;
};

}  // namespace plumecast
