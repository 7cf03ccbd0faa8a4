#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "reservoir/eclipse/summary.hpp"
#include "reservoir/import/runs/well_states.hpp"

namespace plumecast {

/// What the files of a run say about its wells.
struct RunRecord {
    std::string name;  ///< of the run, for messages
    eclipse::Summary summary;
    std::vector<double> days;  ///< of its states
    std::vector<std::vector<WellState>> wells;
    std::int64_t columns = 1;  ///< of the grid; cells count layer by layer
    /// How easily gas enters a cell, up to a factor; divides what connections without rates take.
    std::function<double(std::int64_t cell)> injectivity;
};

}  // namespace plumecast
