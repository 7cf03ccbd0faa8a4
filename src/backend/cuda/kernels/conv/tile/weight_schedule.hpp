#pragma once

#include <algorithm>
#include <optional>

#include "backend/cuda/kernels/conv/tile/schedule.hpp"

namespace plumecast::cuda::tile {

/// A block of eight warps takes 512 rows of the gradient of a weight, a row being a tap and a fine channel.
inline constexpr int warps_of_weights = 8, rows_of_weights = warps_of_weights * row_tiles * 16;

/// How the gradient of a weight is divided: blocks take a slice of its rows, a group of its columns, which are coarse
/// channels, and one piece of the boxes of coarse cells.
struct WeightSchedule {
    Schedule tiles;  ///< of the gather from fine to coarse
    int slices = 0;  ///< of the rows of a window
    int pieces = 0;
    int buffers = 0;  ///< 2 where they fit: one box is in use, one on its way
    int coarse_at = 0, coarse_cell_bytes = 0, buffer_bytes = 0;

    constexpr int boxes(int batch) const { return batch * tiles.boxes[0] * tiles.boxes[1] * tiles.boxes[2]; }
    constexpr int parts() const { return slices * tiles.windows() * tiles.groups; }
};

/// A schedule within `limit` bytes of shared memory, for a device that runs so many blocks at once: that of the fewest
/// rows that no channel fills.
template <class Product, int column_tiles>
std::optional<WeightSchedule> make_weight_schedule(const Gather& gather, int limit, int blocks_at_once) {
    constexpr int channels = chunk_channels<typename Product::Element>;
    WeightSchedule s;
    s.tiles = divided(gather, channels, column_tiles * 8);
    s.coarse_cell_bytes = (column_tiles * 8 / channels | 1) * chunk_bytes;
    for (s.buffers = 2; s.buffers > 0; --s.buffers) {
        std::optional<WeightSchedule> best;
        for (int windows = 1; windows <= s.tiles.chunks; ++windows) {
            s.tiles.window = (s.tiles.chunks + windows - 1) / windows;
            s.coarse_at = halo_bytes(gather, s.tiles.box, s.tiles.window);
            s.buffer_bytes = s.coarse_at + rows_of_block * s.coarse_cell_bytes;
            s.tiles.shared_bytes = s.buffers * s.buffer_bytes;
            s.slices = (gather.most_taps() * s.tiles.window * channels + rows_of_weights - 1) / rows_of_weights;
            s.pieces = std::clamp(blocks_at_once / s.parts(), 1, s.boxes(gather.batch));
            if (s.tiles.shared_bytes <= limit && (!best || s.parts() < best->parts())) {
                best = s;
            }
        }
        if (best) {
            return best;
        }
    }
    return std::nullopt;
}

}  // namespace plumecast::cuda::tile
