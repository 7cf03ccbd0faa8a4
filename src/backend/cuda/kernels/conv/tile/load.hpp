#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "backend/cuda/kernels/conv/tile/fields.hpp"
#include "backend/cuda/kernels/conv/tile/layout.hpp"

namespace plumecast::cuda::tile {

/// Some channels of one field, and where they go within a cell in shared memory. Without a field: zeros.
struct ChannelRun {
    const char* field;
    std::int64_t cell_bytes;  ///< of the field
    int from;                 ///< byte within the cell of the field
    int to;                   ///< byte within the cell in shared memory
    int bytes;
    int unit;
};

/// Starts copying the run's channels of a box to shared memory at `to`. A warp takes a line of the last axis at a time.
template <class Block>
constexpr void load_run(Block& block, int thread, const ChannelRun& run, const FieldBox& box, const HaloLayout& halo,
                        int to) {
    const int units = run.bytes / run.unit, lines = box.extents[0] * box.extents[1];
    for (int line = thread / 32; line < lines; line += block.threads() / 32) {
        const int p1 = line / box.extents[1], p2 = line - p1 * box.extents[1];
        const int x1 = box.first[0] + p1, x2 = box.first[1] + p2;
        const bool inside = run.field != nullptr && x1 >= 0 && x1 < box.cells[0] && x2 >= 0 && x2 < box.cells[1];
        const std::int64_t cell =
            ((static_cast<std::int64_t>(box.batch) * box.cells[0] + x1) * box.cells[1] + x2) * box.cells[2];
        for (int at = thread % 32; at < box.extents[2] * units; at += 32) {
            const int p3 = at / units, offset = (at - p3 * units) * run.unit, x3 = box.first[2] + p3;
            const bool exists = inside && x3 >= 0 && x3 < box.cells[2];
            const char* from = exists ? run.field + (cell + x3) * run.cell_bytes + run.from + offset : nullptr;
            block.copy(to + halo.cell(p1, p2, p3) + run.to + offset, from, run.unit);
        }
    }
}

/// Starts copying `channels` channels from `first` on of all fields together; channels beyond the last are zero.
template <class Block, class T>
constexpr void load_tile(Block& block, const Fields<T>& fields, int first, int channels, const FieldBox& box,
                         const HaloLayout& halo, int to) {
    constexpr int size = static_cast<int>(sizeof(T));
    block.each_thread([&](int thread) {
        int joined = 0;
        for (int i = 0; i < fields.count; ++i) {
            const auto at = static_cast<std::size_t>(i);
            const int own = fields.channels[at], low = std::max(joined, first),
                      high = std::min(joined + own, first + channels);
            if (low < high) {
                const auto* data = reinterpret_cast<const char*>(fields.data[at]);
                const ChannelRun run{data,
                                     std::int64_t{own} * size,
                                     (low - joined) * size,
                                     (low - first) * size,
                                     (high - low) * size,
                                     fields.unit};
                load_run(block, thread, run, box, halo, to);
            }
            joined += own;
        }
        if (joined < first + channels) {
            const int low = std::max(joined, first);
            load_run(block, thread, {nullptr, 0, 0, (low - first) * size, (first + channels - low) * size, fields.unit},
                     box, halo, to);
        }
    });
}

}  // namespace plumecast::cuda::tile
