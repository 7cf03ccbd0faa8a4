#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <plumecast/inference/field_network.hpp>

#include "distributed/rank_place.hpp"
#include "plan/explain.hpp"

namespace plumecast {

/// What a network does with one batch, op by op.
struct ExplainedNetwork {
    std::vector<ExplainedOp> ops;
    Ceilings ceilings;                ///< of the network's backend
    std::size_t workspace_bytes = 0;  ///< of one run
    std::size_t constant_bytes = 0;   ///< of the plan: folded weights and matrices of transforms
    std::size_t weight_bytes = 0;     ///< of the network
};

/// Of `batch` cases of extents [space..., T], each op timed `repeats` times on the network's backend. Throws
/// InvalidInput where the network does not fit the grid, and OutOfMemory.
ExplainedNetwork explain_network(const FieldNetwork& network, const Shape& extents, std::int64_t batch, int repeats);

/// What this rank does, holds and sends in a prediction of `batch` cases of all groups, planned without the others and
/// for such a backend as the network's. Nothing is timed: a rank alone cannot know how long it waits for messages.
/// Throws InvalidInput where the network does not fit the ranks, for more groups than cases and a rank that there is
/// not.
ExplainedNetwork explain_rank(const FieldNetwork& network, const Shape& extents, std::int64_t batch,
                              const RankPlace& place, const Ceilings& ceilings);

/// The same of any plan of a network whose ops were explained.
ExplainedNetwork explained_plan(const FieldNetwork& network, const Plan& plan, std::vector<ExplainedOp> ops,
                                const Ceilings& ceilings);

}  // namespace plumecast
