#pragma once

#include <plumecast/graph/graph.hpp>

namespace plumecast {

/// The graph of a rank with each exchange as a start and a finish, in an order in which messages travel behind
/// arithmetic: exchanges that wait for no other set out first, halos before spectra, then those with the most exchanges
/// after them; nothing waits as long as there is something else to compute. The order of the
/// starts depends on the exchanges alone, which are the same on all ranks. The last of the passes; plans keep its
/// order.
Graph overlap_messages(const Graph& graph);

}  // namespace plumecast
