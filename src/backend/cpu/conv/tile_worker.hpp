#pragma once

#include <cstdint>
#include <vector>

#include "backend/cpu/conv/tiles.hpp"

namespace plumecast::cpu {

/// One thread's memory and what it holds. Tiles of a row share the columns of lines they both read.
class Tiles::Worker {
   public:
    /// Floats of memory that a worker needs.
    static std::int64_t floats(const Tiles& tiles);
    Worker(const Tiles& tiles, float* memory);

    /// Forgets the columns: axis 1 now means other positions.
    void start_row();
    /// Tile (i, j) of a batch entry.
    void run(std::int64_t batch, std::int64_t i, std::int64_t j);

   private:
    /// Remainder of a position, also of a negative one.
    std::int64_t slot(std::int64_t position) const { return (position % places_ + places_) % places_; }
    float* column(std::int64_t position) const { return columns_ + slot(position) * places_ * line_; }
    void transform_column(std::int64_t batch, std::int64_t first_1, std::int64_t position);
    void transform_point(std::int64_t first_2, std::int64_t place_1, std::int64_t place_2) const;
    void multiply(std::int64_t place_1, std::int64_t place_2) const;
    void add_up(std::int64_t place_2) const;
    void write(std::int64_t batch, std::int64_t i, std::int64_t j) const;
    void write_line(const Job& job, std::int64_t row, std::int64_t column, std::int64_t line) const;

    const Tiles* t_;
    std::int64_t places_, line_, products_floats_;
    float* columns_;   ///< [position along axis 2 mod places, place along axis 1, line]
    float* point_;     ///< a line transformed along both axes
    float* products_;  ///< [place along axis 1, rows, width]
    float* halves_;    ///< [tile row, place along axis 2, rows, width]
    std::vector<std::int64_t> held_;
};

}  // namespace plumecast::cpu
