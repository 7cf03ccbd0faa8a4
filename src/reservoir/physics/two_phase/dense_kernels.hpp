#pragma once

#include <cstddef>
#include <vector>

namespace plumecast::two_phase {

/// Loops over small dense matrices, compiled once per instruction set. Rows have `stride` elements, of which those from
/// `size` on are 0 and stay so; a stride is a multiple of 8.
struct DenseKernels {
    /// Replaces a matrix by its inverse, without pivoting: for diagonally dominant ones.
    void (*invert)(double* matrix, std::size_t size, std::size_t stride);
    /// y = transposed matrix x, a sum of its rows; y has `stride` elements.
    void (*multiply_transposed)(const double* matrix, const double* x, double* y, std::size_t size, std::size_t stride);
    /// matrix = -diag(left) further diag(right); `right` has `stride` elements, those from `size` on finite.
    void (*couple)(double* matrix, const double* further, const double* left, const double* right, std::size_t size,
                   std::size_t stride);
};

/// Of every instruction set that runs here, the widest last.
std::vector<DenseKernels> runnable_dense_kernels();

/// Of the widest instruction set that runs here.
const DenseKernels& dense_kernels();

}  // namespace plumecast::two_phase
