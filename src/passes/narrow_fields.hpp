#pragma once

#include <plumecast/graph/graph.hpp>

namespace plumecast {

/// The fields between layers as the narrow type of a device, bfloat16 (Micikevicius et al., ICLR 2018): inputs,
/// weights, spectra, terms of the lift and outputs stay what they are. Of a network as it was described, before passes
/// join its ops.
Graph narrow_fields(const Graph& graph);

}  // namespace plumecast
