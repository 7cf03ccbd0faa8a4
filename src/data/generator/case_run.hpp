#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "data/generator/case_file.hpp"
#include "data/generator/grid.hpp"
#include "data/generator/reservoir.hpp"
#include "data/simulation/flow_results.hpp"

namespace plumecast {

/// Draws and simulates single cases; may be used by several threads at once.
class CaseRun {
   public:
    /// `program` is the full path of the simulator.
    CaseRun(const GeneratorConfiguration& configuration, std::string program);

    const RadialGrid& grid() const { return grid_; }
    const std::vector<double>& times() const { return times_; }

    /// A case on the grid of the data set, or why it is not worth a simulation.
    std::variant<Reservoir, RejectedCase> draw(std::int64_t number) const;
    /// Simulates it in `folder`, which is created. Nothing when `is_stopped` ended it.
    std::optional<std::variant<FinishedCase, RejectedCase>> simulate(const Reservoir& reservoir,
                                                                     const std::filesystem::path& folder,
                                                                     const std::function<bool()>& is_stopped) const;

   private:
    GeneratorConfiguration configuration_;
    std::string program_;
    RadialGrid lattice_;
    RadialGrid grid_;
    std::vector<double> times_;
};

/// Arrays of the data set for a case: maps over all rows of the grid, zero below the formation, outputs rounded to
/// `output_bits` bits of mantissa.
FinishedCase finished_case(const Reservoir& reservoir, const FlowResults& results, int output_bits);

}  // namespace plumecast
