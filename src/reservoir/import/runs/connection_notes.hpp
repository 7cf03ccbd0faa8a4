#pragma once

#include <cstdint>

#include "reservoir/import/reservoir_model.hpp"
#include "reservoir/import/runs/connection_rates.hpp"

namespace plumecast {

/// Notes in `history` what mean shares of cells leave out: connections that open or close, gas that moves between those
/// of a well or of several wells in one of the `columns` of the grid, and gas that comes back through some of them.
void note_connections(const ConnectionRates& rates, std::int64_t columns, InjectionHistory& history);

}  // namespace plumecast
