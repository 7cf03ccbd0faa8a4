// Compiled once per instruction set by CMake, which names the factory.
#include "physics/two_phase/dense_kernels.hpp"

namespace plumecast::two_phase {
namespace {

// Gauss-Jordan: row k is scaled and taken from all others, and the column of the inverse grows in the place of column
// k.
void invert(double* matrix, std::size_t size, std::size_t stride) {
    for (std::size_t k = 0; k < size; ++k) {
        double* pivot_row = matrix + k * stride;
        const double scale = 1.0 / pivot_row[k];
        pivot_row[k] = 1.0;
        for (std::size_t j = 0; j < stride; ++j) {
            pivot_row[j] *= scale;
        }
        for (std::size_t i = 0; i < size; ++i) {
            double* row = matrix + i * stride;
            const double factor = row[k];
            if (i == k || factor == 0.0) {
                continue;
            }
            row[k] = 0.0;
            for (std::size_t j = 0; j < stride; ++j) {
                row[j] -= factor * pivot_row[j];
            }
        }
    }
}

void multiply(const double* matrix, const double* x, double* y, std::size_t size, std::size_t stride) {
    for (std::size_t i = 0; i < size; ++i) {
        double parts[8] = {};
        for (std::size_t j = 0; j < stride; j += 8) {
            for (std::size_t lane = 0; lane < 8; ++lane) {
                parts[lane] += matrix[i * stride + j + lane] * x[j + lane];
            }
        }
        y[i] = ((parts[0] + parts[4]) + (parts[1] + parts[5])) + ((parts[2] + parts[6]) + (parts[3] + parts[7]));
    }
}

}  // namespace

const DenseKernels& PLUMECAST_DENSE_FACTORY() {
    static const DenseKernels kernels{invert, multiply};
    return kernels;
}

}  // namespace plumecast::two_phase
