#pragma once

#include <plumecast/graph/graph.hpp>
#include "spectral/spectrum_route.hpp"

namespace plumecast {

/// A spectral convolution of a field of cells [space..., T] on this rank, from its cells of the field and the weights
/// of its modes.
Value on_rank(const SpectralConvOp& op, const Shape& extents, SpectrumRoute& route, const Value& field,
              const Value& weight);

}  // namespace plumecast
