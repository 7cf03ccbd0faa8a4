#pragma once

#include <cstdint>
#include <vector>

#include <plumecast/distributed/process_grid.hpp>

#include "spectral/axis_exchange.hpp"

namespace plumecast {

/// How the truncated spectrum of a field that ranks hold in boxes comes together: each rank transforms and truncates
/// the axes that it holds whole, or by reduce-scatter its cells of the others; then arrays travel stage by stage, y
/// among the ranks along y, x among those along x. An axis by transpose is transformed after it has travelled.
struct SpectrumRoute {
    /// The exchange of one axis.
    struct Stage {
        int axis = 0;
        std::int64_t held = 0;   ///< cells of the axis on this rank
        std::int64_t after = 1;  ///< cells, or modes, of the axes behind
        AxisExchange exchange;
    };
    std::vector<Stage> stages;  ///< y, x
    std::vector<int> left;      ///< axes by transpose
    std::int64_t owned = 0;     ///< modes of the space axes that this rank ends with
    Box held;                   ///< the cells that its transforms see: its own, and all along axes by transpose
};

/// `extents` [space..., T] of the whole field and its mode counts; `partition` says who holds which cells, nullptr when
/// this rank holds the first `kept` cells and times; `owners` is ProcessGrid::owners() of the modes. The grid must
/// outlive the route.
SpectrumRoute spectrum_route(const Shape& extents, const std::vector<std::int64_t>& modes, const Partition* partition,
                             const Shape& kept, const ProcessGrid& grid, const AxisPartition& owners);

}  // namespace plumecast
