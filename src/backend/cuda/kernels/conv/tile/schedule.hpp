#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "backend/cuda/kernels/conv/tile/fields.hpp"
#include "backend/cuda/kernels/conv/tile/layout.hpp"

namespace plumecast::cuda::tile {

/// A block of four warps, each with 64 of its 256 rows.
inline constexpr int warps_of_block = 4, row_tiles = 4, rows_of_block = warps_of_block * row_tiles * 16;

/// Weights come through shared memory in slabs of some steps, a step being two chunks, three slabs at a time: one in
/// use, two on their way.
template <class Product, int column_tiles>
struct Slab {
    static constexpr int step_bytes = column_tiles * 32 * static_cast<int>(sizeof(typename Product::Columns));
    static constexpr int steps = step_bytes > 48 * 32 ? 2 : 4;
    static constexpr int bytes = steps * step_bytes;
    static constexpr int ring = 3;
};

/// How a gather is divided among blocks, and among the windows of channels that a block takes one after the other.
struct Schedule {
    TileBox box;
    std::array<int, 3> boxes{};   ///< along each axis
    int chunks = 0, window = 0;   ///< of input channels: in all, at a time
    int groups = 0, columns = 0;  ///< of output channels: groups, channels of a group
    int steps = 0;                ///< packed for every class and group
    int halo_bytes = 0;
    int weights_at = 0, table_at = 0, shared_bytes = 0;  ///< in shared memory, the halo at 0

    constexpr int windows() const { return (chunks + window - 1) / window; }
    constexpr int chunks_of(int number) const { return std::min(window, chunks - number * window); }
    /// Steps of a window for a class with so many taps, and of those before it.
    constexpr int steps_of(int number, int taps) const { return (taps * chunks_of(number) + 1) / 2; }
    constexpr int steps_before(int number, int taps) const { return number * ((taps * window + 1) / 2); }
    constexpr int steps_of_all(int taps) const {
        return steps_before(windows() - 1, taps) + steps_of(windows() - 1, taps);
    }
    std::int64_t blocks(int batch, int classes) const {
        return std::int64_t{batch} * boxes[0] * boxes[1] * boxes[2] * groups * classes;
    }
};

/// First output of a box, in outputs of a class.
struct BoxPlace {
    int batch;
    std::array<int, 3> first;

    constexpr BoxPlace(int number, const Schedule& s)
        : batch(number / s.boxes[2] / s.boxes[1] / s.boxes[0]),
          first{number / s.boxes[2] / s.boxes[1] % s.boxes[0] * s.box.e1, number / s.boxes[2] % s.boxes[1] * s.box.e2,
                number % s.boxes[2] * s.box.e3} {}
};

/// What a block works on.
struct Place {
    int number, group;  ///< number: of the class
    BoxPlace box;

    constexpr Place(int block, const Schedule& s, int classes)
        : number(block % classes), group(block / classes % s.groups), box(block / classes / s.groups, s) {}
};

/// The input cells that a box takes, with their halo.
constexpr FieldBox input_box(const BoxPlace& place, const GatherAxes& axes, const HaloLayout& halo) {
    const auto first = [&](std::size_t axis) { return place.first[axis] * axes[axis].step + axes[axis].lowest; };
    return {
        place.batch, {axes[0].inputs, axes[1].inputs, axes[2].inputs}, {first(0), first(1), first(2)}, halo.extents};
}

/// Floats between two rows of sums in shared memory: 8 modulo 16, so that lanes of 4 rows store into all banks.
constexpr int sum_stride(int column_tiles) { return column_tiles * 8 + (column_tiles % 2 == 0 ? 8 : 0); }

/// The box of 256 outputs whose blocks read and compute the least for extents such as these.
inline TileBox best_box(const Gather& gather) {
    TileBox best;
    std::int64_t least = 0;
    constexpr std::array<TileBox, 9> candidates{
        {{4, 8, 8}, {8, 4, 8}, {2, 16, 8}, {2, 8, 16}, {4, 4, 16}, {1, 16, 16}, {8, 8, 4}, {16, 8, 2}, {1, 1, 256}}};
    for (const TileBox& box : candidates) {
        const std::array edges{box.e1, box.e2, box.e3};
        std::int64_t boxes = 1, halo = 1;
        for (std::size_t axis = 0; axis < edges.size(); ++axis) {
            boxes *= (gather.most_outputs(axis) + edges[axis] - 1) / edges[axis];
            halo *= gather.of_class(0)[axis].halo(edges[axis]);
        }
        const std::int64_t cost = boxes * (std::int64_t{rows_of_block} * 4 + halo);
        if (least == 0 || cost < least) {
            best = box;
            least = cost;
        }
    }
    return best;
}

/// Bytes of the largest halo of any class with so many chunks at a time.
inline int halo_bytes(const Gather& gather, const TileBox& box, int chunks) {
    int most = 0;
    for (int number = 0; number < gather.classes(); ++number) {
        most = std::max(most, HaloLayout(gather.of_class(number), box, chunks).bytes());
    }
    return most;
}

/// Boxes and groups for all windows.
inline Schedule divided(const Gather& gather, int channels_of_chunk, int columns) {
    Schedule s;
    s.box = best_box(gather);
    s.boxes = {(gather.most_outputs(0) + s.box.e1 - 1) / s.box.e1, (gather.most_outputs(1) + s.box.e2 - 1) / s.box.e2,
               (gather.most_outputs(2) + s.box.e3 - 1) / s.box.e3};
    s.chunks = (gather.in_channels() + channels_of_chunk - 1) / channels_of_chunk;
    s.columns = columns;
    s.groups = (gather.out_channels() + columns - 1) / columns;
    return s;
}

/// A schedule within `limit` bytes of shared memory, with as few windows as that allows; none where nothing fits.
template <class Product, int column_tiles>
std::optional<Schedule> make_schedule(const Gather& gather, int limit) {
    using Weights = Slab<Product, column_tiles>;
    Schedule s = divided(gather, chunk_channels<typename Product::Element>, column_tiles * 8);
    for (int windows = 1; windows <= s.chunks; ++windows) {
        s.window = (s.chunks + windows - 1) / windows;
        s.halo_bytes = halo_bytes(gather, s.box, s.window);
        s.weights_at = s.halo_bytes;
        s.table_at = s.weights_at + Weights::ring * Weights::bytes;
        const int table = rounded_up((gather.most_taps() * s.window + 2) * 4, chunk_bytes);
        s.shared_bytes = std::max(s.table_at + table, rows_of_block * sum_stride(column_tiles) * 4);
        s.steps = s.steps_of_all(gather.most_taps());
        if (s.shared_bytes <= limit) {
            return s;
        }
    }
    return std::nullopt;
}

}  // namespace plumecast::cuda::tile
