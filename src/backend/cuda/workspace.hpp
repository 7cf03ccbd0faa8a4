#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <plumecast/backend/ops.hpp>

#include "backend/cuda/kernels/conv/part.hpp"

/// Memory that a device takes for a while beside the arrays of an op. Plans count the same, so that a batch that fits a
/// plan fits the device.
namespace plumecast::cuda {

/// Backend::rows_at_once() of a device: a few kernels over many rows; the memory for them is small beside a field.
inline std::int64_t rows_of_a_device(std::size_t row_bytes) {
    return static_cast<std::int64_t>(std::max<std::size_t>((std::size_t{64} << 20) / row_bytes, 1));
}

/// Most that an algorithm of cuDNN may ask for, one that asks for more is not taken: a copy of both fields and of the
/// weights in another order, each as float32, and partial sums.
inline std::size_t conv_workspace_bound(const ConvPart& part) {
    constexpr std::size_t partial_sums = std::size_t{32} << 20;
    const std::int64_t elements = part.coarse.count() + part.fine.count() + part.packed().count();
    return static_cast<std::size_t>(elements) * sizeof(float) + partial_sums;
}

}  // namespace plumecast::cuda
