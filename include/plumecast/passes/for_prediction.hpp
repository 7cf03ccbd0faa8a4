#pragma once

#include <plumecast/graph/graph.hpp>

namespace plumecast {

/// A network described for evaluation as what a prediction runs: all passes, in the order in which they fit together.
/// `weights` must not change while the result is in use.
Graph for_prediction(Backend& backend, const Graph& described, const Feed& weights);

}  // namespace plumecast
