#pragma once

#include <cstdint>

#include <plumecast/graph/graph.hpp>

namespace plumecast {

/// Batch norms are folded into convolutions of fewer weights than this for each cell of the field: folded weights are
/// held beside those of the model, and where they are many and the field is small, as on the coarse levels of wide
/// networks, a pass over the field costs less.
constexpr std::int64_t most_folded_weights_per_cell = 40;

/// A network described for evaluation as what a prediction runs: all passes, in the order in which they fit together.
/// `weights` must not change while the result is in use.
Graph for_prediction(Backend& backend, const Graph& described, const Feed& weights);

}  // namespace plumecast
