#include "reservoir/physics/two_phase/dense_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace plumecast::two_phase {
namespace {

constexpr std::size_t sizes[] = {1, 2, 3, 7, 8, 9, 15, 16, 31, 32, 33, 96};

std::size_t stride_of(std::size_t size) { return (size + 7) / 8 * 8; }

/// Diagonally dominant in its rows, padded with 0.
std::vector<double> dominant_matrix(std::size_t size, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    const std::size_t stride = stride_of(size);
    std::vector<double> matrix(size * stride);
    for (std::size_t i = 0; i < size; ++i) {
        double sum = 0.01;
        for (std::size_t j = 0; j < size; ++j) {
            matrix[i * stride + j] = i == j ? 0.0 : uniform(random);
            sum += std::abs(matrix[i * stride + j]);
        }
        matrix[i * stride + i] = sum;
    }
    return matrix;
}

TEST(DenseKernels, HaveTheWidestInstructionSetLast) {
    const std::vector<DenseKernels> all = runnable_dense_kernels();
    ASSERT_FALSE(all.empty());
    EXPECT_EQ(all.back().invert, dense_kernels().invert);
    EXPECT_EQ(all.back().multiply_transposed, dense_kernels().multiply_transposed);
}

TEST(DenseKernels, InvertGivesTheInverseWithEveryInstructionSet) {
    for (const DenseKernels& kernels : runnable_dense_kernels()) {
        for (const std::size_t size : sizes) {
            const std::size_t stride = stride_of(size);
            const std::vector<double> matrix = dominant_matrix(size, static_cast<unsigned>(size));
            std::vector<double> inverse = matrix;
            kernels.invert(inverse.data(), size, stride);
            for (std::size_t i = 0; i < size; ++i) {
                for (std::size_t j = 0; j < stride; ++j) {
                    double product = 0.0;
                    for (std::size_t k = 0; k < size; ++k) {
                        product += matrix[i * stride + k] * inverse[k * stride + j];
                    }
                    ASSERT_NEAR(product, i == j ? 1.0 : 0.0, 1e-12) << size << ": " << i << ", " << j;
                }
            }
        }
    }
}

TEST(DenseKernels, InvertLeavesThePaddingZero) {
    for (const DenseKernels& kernels : runnable_dense_kernels()) {
        for (const std::size_t size : sizes) {
            const std::size_t stride = stride_of(size);
            std::vector<double> matrix = dominant_matrix(size, 3);
            kernels.invert(matrix.data(), size, stride);
            for (std::size_t i = 0; i < size; ++i) {
                for (std::size_t j = size; j < stride; ++j) {
                    ASSERT_EQ(matrix[i * stride + j], 0.0) << size << ": " << i << ", " << j;
                }
            }
        }
    }
}

TEST(DenseKernels, TakeMatricesAtEveryAddress) {
    constexpr std::size_t size = 9, alignment = 8;
    const std::size_t stride = stride_of(size);
    const std::vector<double> matrix = dominant_matrix(size, 5), left(size, 2.0), right(stride, 3.0);
    for (const DenseKernels& kernels : runnable_dense_kernels()) {
        std::vector<double> expected = matrix;
        kernels.invert(expected.data(), size, stride);
        for (std::size_t offset = 0; offset < alignment; ++offset) {
            std::vector<double> room(matrix.size() + offset), scaled(matrix.size() + offset);
            std::ranges::copy(matrix, room.begin() + static_cast<std::ptrdiff_t>(offset));
            double* shifted = room.data() + offset;
            kernels.couple(scaled.data() + offset, shifted, left.data(), right.data(), size, stride);
            kernels.invert(shifted, size, stride);
            for (std::size_t i = 0; i < matrix.size(); ++i) {
                ASSERT_EQ(shifted[i], expected[i]) << offset;
                ASSERT_DOUBLE_EQ(scaled[offset + i], -6.0 * matrix[i]) << offset;
            }
        }
    }
}

TEST(DenseKernels, InvertTakesMatricesWithZeros) {
    for (const DenseKernels& kernels : runnable_dense_kernels()) {
        const std::size_t size = 5, stride = 8;
        std::vector<double> matrix(size * stride);
        for (std::size_t i = 0; i < size; ++i) {
            matrix[i * stride + i] = static_cast<double>(i + 1);
        }
        matrix[3] = -0.5;
        kernels.invert(matrix.data(), size, stride);
        for (std::size_t i = 0; i < size; ++i) {
            EXPECT_DOUBLE_EQ(matrix[i * stride + i], 1.0 / static_cast<double>(i + 1));
        }
        EXPECT_DOUBLE_EQ(matrix[3], 0.125);
        EXPECT_EQ(std::ranges::count(matrix, 0.0), static_cast<std::ptrdiff_t>(size * stride - size - 1));
    }
}

TEST(DenseKernels, CoupleScalesRowsAndColumnsWithEveryInstructionSet) {
    for (const DenseKernels& kernels : runnable_dense_kernels()) {
        for (const std::size_t size : sizes) {
            const std::size_t stride = stride_of(size);
            const std::vector<double> further = dominant_matrix(size, static_cast<unsigned>(size));
            std::vector<double> left(size), right(stride), scaled(size * stride, 7.0);
            for (std::size_t j = 0; j < stride; ++j) {
                left[std::min(j, size - 1)] = 0.5 + static_cast<double>(j);
                right[j] = std::sin(static_cast<double>(j + 1));
            }
            kernels.couple(scaled.data(), further.data(), left.data(), right.data(), size, stride);
            for (std::size_t i = 0; i < size; ++i) {
                for (std::size_t j = 0; j < stride; ++j) {
                    ASSERT_DOUBLE_EQ(scaled[i * stride + j], -left[i] * further[i * stride + j] * right[j]);
                }
            }
        }
    }
}

TEST(DenseKernels, MultiplyTransposedAddsUpRowsWithEveryInstructionSet) {
    for (const DenseKernels& kernels : runnable_dense_kernels()) {
        for (const std::size_t size : sizes) {
            const std::size_t stride = stride_of(size);
            const std::vector<double> matrix = dominant_matrix(size, static_cast<unsigned>(size));
            std::vector<double> x(stride), y(stride, -1.0);
            for (std::size_t j = 0; j < stride; ++j) {
                x[j] = std::sin(static_cast<double>(j + 1));
            }
            kernels.multiply_transposed(matrix.data(), x.data(), y.data(), size, stride);
            for (std::size_t i = 0; i < size; ++i) {
                double sum = 0.0;
                for (std::size_t j = 0; j < size; ++j) {
                    sum += matrix[j * stride + i] * x[j];
                }
                ASSERT_NEAR(y[i], sum, 1e-12 * matrix[i * stride + i]) << size << ": " << i;
            }
        }
    }
}

}  // namespace
}  // namespace plumecast::two_phase
