#pragma once

#include <array>
#include <cstdint>

/// The instructions of tensor cores, lane by lane, as the PTX ISA describes them for compute capability 8.0: ldmatrix
/// of 8 x 8 matrices of 16 bits, mma.m16n8k16 of bfloat16 and mma.m16n8k8 of TF32, with sums in float32.
namespace plumecast::testing {

/// The rows of four matrices, 8 each, in the order of the lanes that give their addresses.
using MatrixRows = std::array<std::array<std::uint16_t, 8>, 32>;
using LaneRows = std::array<std::array<std::uint32_t, 4>, 32>;     ///< first factor, 16 rows
using LaneColumns = std::array<std::array<std::uint32_t, 2>, 32>;  ///< second factor, 8 columns
using LaneSums = std::array<std::array<float, 4>, 32>;

/// A lane's elements: of every matrix, columns 2 (lane % 4) and the next of row lane / 4.
std::array<std::uint32_t, 4> matrix_words(const MatrixRows& rows, int lane);
/// The same of the transposed matrices.
std::array<std::uint32_t, 4> transposed_matrix_words(const MatrixRows& rows, int lane);

/// sums += a b. Products are exact; what a step adds to a sum is added up exactly and then cut off, not rounded, to the
/// 24 bits of float32, as tensor cores do it.
void multiply_bfloat16_lanes(LaneSums& sums, const LaneRows& a, const LaneColumns& b);
/// The lower 13 bits of factors are ignored.
void multiply_ten_bit_lanes(LaneSums& sums, const LaneRows& a, const LaneColumns& b);

}  // namespace plumecast::testing
