#pragma once

#include <plumecast/graph/graph.hpp>

namespace plumecast {

/// Two linear layers with an activation between them, of which the hidden one is the widest, as one op that never
/// holds all of it. The activation may be part of the first layer or stand alone.
Graph fuse_projections(const Graph& graph);

}  // namespace plumecast
