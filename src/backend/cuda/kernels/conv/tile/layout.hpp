#pragma once

#include <array>
#include <cstdint>

#include "backend/cuda/kernels/conv/tile/gather.hpp"

/// Where numbers lie in the shared memory of a block. A chunk is 16 bytes: a row of a matrix of ldmatrix, 8 channels of
/// bfloat16 or 4 of float32.
namespace plumecast::cuda::tile {

inline constexpr int chunk_bytes = 16;
template <class T>
inline constexpr int chunk_channels = chunk_bytes / static_cast<int>(sizeof(T));
constexpr int rounded_up(int value, int step) { return (value + step - 1) / step * step; }

/// Output cells of a block, a box; its cells are the rows of the block's product.
struct TileBox {
    int e1 = 4, e2 = 8, e3 = 8;

    constexpr int cells() const { return e1 * e2 * e3; }
    constexpr std::array<int, 3> cell(int row) const { return {row / (e2 * e3), row / e3 % e2, row % e3}; }
};

/// Input cells of a tile with their halo, some chunks of channels each. A cell takes an odd number of chunks, and where
/// the gather takes every other cell, even cells of the last axis lie before odd ones: the 8 rows of a matrix, which
/// are neighbouring outputs, then lie in 8 different groups of banks.
struct HaloLayout {
    std::array<int, 3> extents{};
    int step1 = 1, step2 = 1, step3 = 1;
    int slots = 1;  ///< cells of the last axis that share a remainder of the step
    int cell_bytes = chunk_bytes;

    HaloLayout() = default;
    /// A box of cells without a halo, row after row.
    constexpr HaloLayout(const std::array<int, 3>& cells, int bytes_of_cell)
        : extents(cells), slots(cells[2]), cell_bytes(bytes_of_cell) {}
    constexpr HaloLayout(const GatherAxes& axes, const TileBox& box, int chunks)
        : extents{axes[0].halo(box.e1), axes[1].halo(box.e2), axes[2].halo(box.e3)},
          step1(axes[0].step),
          step2(axes[1].step),
          step3(axes[2].step),
          slots((extents[2] + step3 - 1) / step3),
          cell_bytes((chunks | 1) * chunk_bytes) {}

    constexpr int line_bytes() const { return slots * step3 * cell_bytes; }
    constexpr int bytes() const { return extents[0] * extents[1] * line_bytes(); }
    /// Offset of an input cell.
    constexpr int cell(int p1, int p2, int p3) const {
        return (p1 * extents[1] + p2) * line_bytes() + (p3 % step3 * slots + p3 / step3) * cell_bytes;
    }
    /// Offset of the first input cell of an output cell; with that of a tap added, of the cell that the tap takes.
    constexpr int output(const std::array<int, 3>& at) const {
        return (at[0] * step1 * extents[1] + at[1] * step2) * line_bytes() + at[2] * cell_bytes;
    }
    constexpr int tap(int j1, int j2, int j3) const { return cell(j1, j2, j3); }
};

/// Offset, from an output cell's first input cell, of chunk number `chunk` of all that a window of channels has: taps
/// in order, `chunks` chunks of channels each.
constexpr int chunk_offset(const GatherAxes& axes, const HaloLayout& halo, int chunks, int chunk) {
    const int tap = chunk / chunks, n3 = axes[2].taps, n2 = axes[1].taps;
    return halo.tap(tap / n3 / n2, tap / n3 % n2, tap % n3) + chunk % chunks * chunk_bytes;
}

}  // namespace plumecast::cuda::tile
