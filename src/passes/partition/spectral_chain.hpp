#pragma once

#include <vector>

#include <plumecast/graph/graph.hpp>

#include "spectral/spectrum_route.hpp"

namespace plumecast {

/// The ops of one spectral convolution of a graph, from a field to its modes, times their weights, and back.
struct SpectralChain {
    int field = 0, weight = 0;  ///< nodes that it reads
    std::vector<int> forward;   ///< in their order
    int multiply = 0;
    std::vector<int> inverse;  ///< in their order; the last is the result
};

/// All of a graph. Throws Error for one that is not as spectral_conv() describes it.
std::vector<SpectralChain> spectral_chains(const Graph& graph);

/// The matrices of a chain and what its axes keep.
struct ChainMatrices {
    ChainMatrices(const Graph& graph, const SpectralChain& chain);

    int axes() const { return static_cast<int>(forward.size()); }
    /// Cells of the axes of space, then time.
    Shape extents() const;
    /// Kept modes, m of each axis of space, then mt.
    std::vector<std::int64_t> modes() const;
    /// Modes of both signs of the axes of space.
    Shape both_signs() const;

    std::vector<ConstantOp> forward, inverse;  ///< of the axes of space
    ConstantOp time_forward, time_inverse;
    std::vector<std::int64_t> dropped_from;
    DType result = DType::float32;  ///< element type of the convolution's result
};

/// The chain on this rank, from its cells of the field and the weights of its modes.
Value on_rank(const ChainMatrices& matrices, SpectrumRoute& route, const Value& field, const Value& weight);

}  // namespace plumecast
