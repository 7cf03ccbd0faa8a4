#pragma once

#include <cstdint>

#include "inference/explained_network.hpp"

namespace plumecast {

/// What a training step from one batch does up to the gradients of all weights: forward pass, loss with the options
/// that a recipe has where it says nothing, backward pass. Adam follows outside the plan. Of `batch` cases of extents
/// [space..., T], each op timed `repeats` times on the network's backend, which leaves other gradients and running
/// statistics in the network. Throws as explain_network() does.
ExplainedNetwork explain_step(const FieldNetwork& network, const Shape& extents, std::int64_t batch, int repeats);

/// The same of one of the ranks that share the work, as explain_rank() does it.
ExplainedNetwork explain_step(const FieldNetwork& network, const Shape& extents, std::int64_t batch,
                              const RankPlace& place, const Ceilings& ceilings);

}  // namespace plumecast
