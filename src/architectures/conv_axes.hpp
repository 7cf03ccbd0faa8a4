#pragma once

#include <cstdint>

#include <plumecast/backend/ops.hpp>

namespace plumecast {

/// The axes that a network's convolutions work on: two or three of space, then time, which may be a case of its own.
struct ConvAxes {
    int space = 2;
    /// Cells of the kernel along time, odd; 1 for each time step on its own.
    std::int64_t time_kernel = 3;
    /// Strides halve and double time too; else it keeps its steps.
    bool time_strides = true;
};

/// Kernel 3, padding 1, stride 1 or 2.
ConvGeometry kernel3(std::int64_t stride, const ConvAxes& axes = {});
/// Transposed kernel 4, stride 2, padding 1: doubles every extent.
ConvGeometry doubling4(const ConvAxes& axes = {});
/// Transposed kernel 3, stride 2: doubles every extent.
ConvGeometry doubling3(const ConvAxes& axes = {});

}  // namespace plumecast
