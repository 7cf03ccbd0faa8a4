#pragma once

#include <cstdint>

#include "backend/cpu/conv/tile_lines.hpp"
#include "backend/cpu/conv/tiles.hpp"

namespace plumecast::cpu {

/// One thread's way from the lines of a tile to its results.
class Tiles::Worker {
   public:
    /// Floats of memory that a worker needs.
    static std::int64_t floats(const Tiles& tiles);
    Worker(const Tiles& tiles, float* memory);

    /// Forgets what the tiles of a row share.
    void start_row() { lines_.start_row(); }
    /// Tile (i, j) of a batch entry.
    void run(std::int64_t batch, std::int64_t i, std::int64_t j);

   private:
    void multiply(std::int64_t place_1, std::int64_t place_2) const;
    void add_up(std::int64_t place_2) const;
    void write(std::int64_t batch, std::int64_t i, std::int64_t j) const;
    void write_line(const Job& job, std::int64_t row, std::int64_t column, std::int64_t line) const;

    const Tiles* t_;
    std::int64_t places_, products_floats_;
    TileLines lines_;
    float* products_;  ///< [place along axis 1, rows, width]
    float* halves_;    ///< [tile row, place along axis 2, rows, width]
};

}  // namespace plumecast::cpu
