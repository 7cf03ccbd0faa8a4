#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <plumecast/reservoir/dataset/dataset_content.hpp>

#include "reservoir/case_model/grid.hpp"
#include "reservoir/generation/case_simulator.hpp"

namespace plumecast {

/// Draws and simulates single cases; may be used by several threads at once.
class CaseRun {
   public:
    /// `program` is the full path of the simulator, of that release.
    CaseRun(const GeneratorConfiguration& configuration, std::string program, FlowRelease release);

    /// Grid and times of the data set, without attributes.
    DatasetContent frame() const;

    /// A case on the grid of the data set, or why it is not worth a simulation.
    std::variant<PreparedCase, RejectedCase> draw(std::int64_t number) const;
    /// What simulates it.
    const CaseSimulator& simulator() const { return simulator_; }

   private:
    std::variant<PreparedCase, RejectedCase> draw_radial(std::int64_t number) const;
    std::variant<PreparedCase, RejectedCase> draw_in_box(std::int64_t number) const;

    GeneratorConfiguration configuration_;
    FlowRelease release_;
    RadialGrid lattice_;
    RadialGrid grid_;
    BoxGrid box_;
    std::vector<double> times_;
    CaseSimulator simulator_;
};

}  // namespace plumecast
