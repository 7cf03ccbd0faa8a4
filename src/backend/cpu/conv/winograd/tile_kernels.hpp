#pragma once

#include <cstdint>

namespace plumecast::cpu {

/// Results of a convolution with points side by side in vectors:
/// y[o y_stride + v y_step + n] = sum over taps and i of w[tap, i, o] x[tap][i x_stride + v x_step + n],
/// o in [0, rows), v in [0, vectors), n in a vector.
struct TileProduct {
    const float* const* x;  ///< first channel of every tap
    std::int64_t taps;
    std::int64_t depth;     ///< channels
    std::int64_t x_stride;  ///< floats between channels
    std::int64_t x_step;    ///< floats between the two vectors, which may lie in different lines
    const float* w;         ///< [taps, depth, rows]
    std::int64_t rows;      ///< at most TileKernels::most_rows
    std::int64_t vectors;   ///< 1 or 2
    float* y;
    std::int64_t y_stride;
    std::int64_t y_step;
};

/// y[i][n] = sum over k of factor[i, k] x[k][n]; the factors are those of the kernel. No y overlaps an x.
struct TileFilter {
    const float* const* x;
    float* const* y;
    std::int64_t floats;
};

/// y[c y_stride + m] = x[m x_stride + c].
struct TileTranspose {
    const float* x;
    std::int64_t x_stride;
    std::int64_t points;  ///< m
    std::int64_t channels;
    float* y;
    std::int64_t y_stride;
};

/// y[m y_stride + c] = f(bias[c] + beta y[m y_stride + c] + x[c x_stride + m]), f as in SimdKernels.
struct TileFinish {
    const float* x;
    std::int64_t x_stride;
    std::int64_t points;  ///< m
    std::int64_t channels;
    float* y;
    std::int64_t y_stride;
    const float* bias;  ///< or nullptr
    float beta;
    float slope;
};

/// The steps of one Winograd transform along one axis.
struct TileFilters {
    void (*inputs)(const TileFilter& run);   ///< B: points from points
    void (*outputs)(const TileFilter& run);  ///< A: tile from points
    void (*adjoint)(const TileFilter& run);  ///< A^T: points from tile
    void (*weights)(const TileFilter& run);  ///< G: points from kernel
};

/// Innermost loops of Winograd convolutions; one table per instruction set.
struct TileKernels {
    std::int64_t most_rows;      ///< results that one product computes together
    const TileFilters* filters;  ///< by WinogradName
    void (*product)(const TileProduct& run);
    void (*transpose)(const TileTranspose& run);
    void (*finish)(const TileFinish& run);
};

const TileFilters* tile_filters_baseline();
const TileFilters* tile_filters_avx2();
const TileFilters* tile_filters_avx512();
const TileKernels& tile_kernels_baseline();
const TileKernels& tile_kernels_avx2();
const TileKernels& tile_kernels_avx512();

}  // namespace plumecast::cpu
