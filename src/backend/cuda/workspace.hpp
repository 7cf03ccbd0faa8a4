#pragma once

#include <cstddef>

#include <plumecast/backend/ops.hpp>

#include "backend/cuda/kernels/conv/part.hpp"

/// Memory that libraries of CUDA take for a while beside the arrays of an op. Plans count these bounds, so that a batch
/// that fits a plan fits the device.
namespace plumecast::cuda {

/// Most that an algorithm of cuDNN may ask for, one that asks for more is not taken: a copy of both fields and of the
/// weights in another order, each as float32, and partial sums.
inline std::size_t conv_workspace_bound(const ConvPart& part) {
    constexpr std::size_t partial_sums = std::size_t{32} << 20;
    const std::int64_t elements = part.coarse.count() + part.fine.count() + part.packed().count();
    return static_cast<std::size_t>(elements) * sizeof(float) + partial_sums;
}

/// With so few rows of sines and cosines, the product along the first axis, which alone meets all points, is limited by
/// reading them once; a full transform reads and writes them once per axis (docs/benchmarks/gpu.md).
inline bool products_cannot_lose(const FourierGrid& grid) {
    constexpr std::int64_t few_rows = 32;
    const int first = grid.kept.rank() > 1 ? grid.kept.rank() - 2 : 0;
    return 2 * (grid.kept[first] + 1) <= few_rows;
}

/// What a whole transform of one case holds at once: the field, its half spectrum and cuFFT's copy of that. A transform
/// for which there is no more room goes by products.
inline std::size_t fft_workspace_bound(const FourierGrid& grid, std::int64_t channels) {
    const std::int64_t half = grid.points.with(-1, grid.points[-1] / 2 + 1).count();
    return static_cast<std::size_t>((grid.points.count() + 4 * half) * channels) * sizeof(float);
}

}  // namespace plumecast::cuda
