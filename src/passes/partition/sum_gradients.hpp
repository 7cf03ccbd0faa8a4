#pragma once

#include <cstdint>
#include <vector>

#include <plumecast/distributed/process_grid.hpp>
#include <plumecast/graph/graph.hpp>

namespace plumecast {

/// The graph of a rank with its gradients, where what goes back through norms of a batch takes the sums of all ranks,
/// whose values the batch's moments come from. Gradients of weights that all ranks hold remain partial sums, which
/// are to be added up over the ranks. The grid outlives the graph.
Graph sum_norm_gradients(const Graph& graph, const ProcessGrid& grid);

/// The sums over ranks of values of which each rank has a partial one, as further nodes of their graph; each of the
/// shape of its partial sum. Those that follow one another travel together, in buckets of up to `most` numbers; a
/// larger one travels alone. Each bucket travels twice, partial sums to the rank that adds up a part of it and sums to
/// all: 2 (P - 1) / P of its bytes per rank. Sums go in rank order, so all ranks get the same bits. The communicator
/// outlives the graph. Collective, as making the exchanges is.
std::vector<Value> summed_over_ranks(const std::vector<Value>& partial, Communicator& ranks,
                                     std::int64_t most = std::int64_t{1} << 20);

}  // namespace plumecast
