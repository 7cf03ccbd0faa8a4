#pragma once

#include <cstdint>

#include "backend/cpu/conv/winograd/tile_kernels.hpp"

namespace plumecast::cpu {

/// A run of output rows of a convolution, one panel of output channels wide:
/// y[m, n] = f(bias[n] + beta y[m, n] + sum over taps and i of x[tap][m x_stride + i] w[tap][i, n]), f as in
/// SimdKernels.
struct ConvRows {
    const float* const* x;  ///< first input row of every tap (a tap may be several neighbouring weights)
    const float* const* w;  ///< weights of every tap, [depth, panel width]
    std::int64_t taps;
    std::int64_t depth;     ///< floats of an input row that a tap reads
    std::int64_t x_stride;  ///< floats between input rows
    float* y;
    std::int64_t y_stride;  ///< floats between output rows
    std::int64_t rows;
    std::int64_t columns;  ///< output channels that exist, at most the panel width
    std::int64_t vectors;  ///< panel width in vectors of `lanes`, 1 to 3
    const float* bias;     ///< as wide as the panel, or nullptr
    float beta;
    float slope;
    bool streams =
        false;  ///< rows of x and y follow one another in memory, beyond the last too, and few weights stay cached
};

/// w[i, n] += sum over lines and rows p of a[line][p a_stride + i] g[line][p g_stride + n] for i in [0, depth), n in
/// the panel.
struct ConvOuter {
    const float* const* a;
    const float* const* g;
    std::int64_t lines;
    std::int64_t rows;
    std::int64_t depth;
    std::int64_t a_stride;  ///< floats between rows of a
    std::int64_t g_stride;  ///< floats between rows of g, of which the whole panel width may be read
    std::int64_t vectors;   ///< panel width in vectors of `lanes`, 1 to 3
    float* w;
    std::int64_t ahead =
        0;  ///< prefetch distance: rows between the one that is summed and the one fetched into the cache
};

/// Innermost loops of the convolutions; one table per instruction set.
struct ConvKernels {
    std::int64_t lanes;         ///< floats in a vector
    std::int64_t most_vectors;  ///< widest panel that leaves registers for enough rows
    void (*rows)(const ConvRows& run);
    void (*outer)(const ConvOuter& run);
    const TileKernels* tiles;
};

const ConvKernels& conv_kernels_baseline();
const ConvKernels& conv_kernels_avx2();
const ConvKernels& conv_kernels_avx512();

}  // namespace plumecast::cpu
