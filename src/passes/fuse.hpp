#pragma once

#include <plumecast/graph/graph.hpp>

namespace plumecast {

/// Sums and activations of linear ops (matrix products, transforms along an axis, convolutions) as part of these ops,
/// and activations of norms as part of the norms: no pass over memory only adds or only applies a function. Of two
/// terms the transform takes the other one in, else the later op. Gradients are taken before.
Graph fuse_sums_and_activations(const Graph& graph);

/// Activations of norms alone, whose gradients then need no pass over memory of their own.
Graph fuse_activations_of_norms(const Graph& graph);

/// Convolutions of concatenated fields read these part by part.
Graph fuse_concatenations(const Graph& graph);

}  // namespace plumecast
