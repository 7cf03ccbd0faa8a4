#pragma once

#include <cstdint>
#include <vector>

#include "backend/cpu/conv/tile_lines.hpp"
#include "backend/cpu/conv/tiles.hpp"

namespace plumecast::cpu {

/// One thread's way from the lines of some tiles to their results.
class Tiles::Worker {
   public:
    /// Floats of memory that a worker needs.
    static std::int64_t floats(const Tiles& tiles);
    Worker(const Tiles& tiles, float* memory);

    /// Forgets what the tiles of a row share.
    void start_row() { lines_.start_row(); }
    /// Tiles (i, j) to (i, j + count - 1) of a batch entry.
    void run(std::int64_t batch, std::int64_t i, std::int64_t j, std::int64_t count);

   private:
    static std::int64_t points_floats(const Tiles& tiles);
    static std::int64_t results_floats(const Tiles& tiles) { return tiles.channels_ * tiles.pitch_y_; }

    void prefetch(std::int64_t batch, std::int64_t i, std::int64_t j, std::int64_t count) const;
    void arrange(std::int64_t point_2, std::int64_t count) const;
    void multiply(const float* weights, float* products, std::int64_t count);
    void multiply_run(const RowRun& run, const Block& block, const float* weights, float* products, std::int64_t count);
    void write(std::int64_t batch, std::int64_t i, std::int64_t j, std::int64_t count) const;
    void write_line(const Result& result, const float* from, std::int64_t line) const;

    const Tiles* t_;
    std::vector<Block> blocks_;
    TileLines lines_;
    float* points_;    ///< [tile, phase along axis 3, depth, pitch]: one transformed point, its lines transposed
    float* products_;  ///< [point along axis 2, tile, channels, pitch]
    float* halves_;    ///< [point along axis 1, tile column, tile, channels, pitch]
    float* finals_;    ///< [tile row, channels, pitch]
    std::vector<const float*> taps_;
};

}  // namespace plumecast::cpu
