#include "reservoir/metrics/migration.hpp"

#include <cstdint>

#include <plumecast/reservoir/metrics/plume.hpp>

namespace plumecast {

std::vector<ReachedCell> reached_cells(const CaseFields& fields, double threshold) {
    const std::size_t cells = fields.active.size(), times = fields.gas_saturation.size() / cells;
    std::vector<std::size_t> first(cells, times);
    for (std::size_t time = times; time-- > 0;) {
        const std::vector<std::uint8_t> above =
            cells_above(fields.at(fields.gas_saturation, time), fields.active, threshold);
        for (std::size_t cell = 0; cell < cells; ++cell) {
            first[cell] = above[cell] != 0 ? time : first[cell];
        }
    }
    std::vector<ReachedCell> reached;
    for (std::size_t cell = 0; cell < cells; ++cell) {
        if (first[cell] < times) {
            reached.push_back({cell, first[cell]});
        }
    }
    return reached;
}

ArrivalTime arrival_time(const ReachedCell& reached, std::span<const double> times) {
    return {reached.time > 0 ? times[reached.time - 1] : 0.0, times[reached.time]};
}

}  // namespace plumecast
