#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <plumecast/inference/field_network.hpp>
#include <plumecast/plan/explain.hpp>

namespace plumecast {

/// What a prediction of one batch does, op by op, measured on the network's backend.
struct ExplainedNetwork {
    std::vector<ExplainedOp> ops;
    Ceilings ceilings;
    std::size_t workspace_bytes = 0;  ///< of one run
    std::size_t constant_bytes = 0;   ///< of the plan: folded weights and matrices of transforms
    std::size_t weight_bytes = 0;     ///< of the network
};

/// Of `batch` cases of extents [space..., T], each op timed `repeats` times. Throws InvalidInput where the network does
/// not fit the grid, and OutOfMemory.
ExplainedNetwork explain_network(const FieldNetwork& network, const Shape& extents, std::int64_t batch, int repeats);

}  // namespace plumecast
