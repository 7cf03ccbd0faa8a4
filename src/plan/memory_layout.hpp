#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include <plumecast/graph/graph.hpp>

namespace plumecast {

/// The step after which nobody reads a node any more, for nodes computed in this order; -1 for one that nobody reads.
std::vector<int> last_reads(const Graph& graph, const std::vector<int>& order);

/// Where the results of a graph lie in the memory of a run.
struct MemoryLayout {
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> offsets;  ///< of each node [bytes], multiples of 64; `none` where it needs no place
    std::size_t bytes = 0;
    std::vector<std::size_t> in_use;  ///< at each step of the order [bytes]
};

/// Places for the nodes computed in this order, `bytes[node]` of them each; 0 for those that need none. A result takes
/// the place of an input that nobody reads any more where its op allows it; of the others, the larger are placed first,
/// each as low as those that are needed at the same time let it (Pisarchyk and Lee 2020, greedy by size).
MemoryLayout lay_out(const Graph& graph, const std::vector<int>& order, const std::vector<std::size_t>& bytes);

}  // namespace plumecast
