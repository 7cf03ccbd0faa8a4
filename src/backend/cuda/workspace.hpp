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

}  // namespace plumecast::cuda
