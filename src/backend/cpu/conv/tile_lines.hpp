#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <plumecast/backend/verbs.hpp>

#include "backend/cpu/conv/filtering.hpp"
#include "backend/cpu/conv/kernels.hpp"

namespace plumecast::cpu {

/// What tiles read of some fields [B, s1, s2, s3, C]: lines of axis 3, channels side by side, zero beyond all ends,
/// transformed along axes 1 and 2 for minimal filtering. Tiles of a row share the columns of lines they both read. One
/// per thread.
class TileLines {
   public:
    struct Layout {
        std::int64_t first_1 = 0;  ///< input position that tile 0 meets first, axes 1 and 2
        std::int64_t first_2 = 0;
        std::int64_t before = 0;  ///< zero rows of a line before input point 0
        std::int64_t rows = 0;    ///< of a line
        std::int64_t depth = 0;   ///< floats of a row: channels of all fields

        std::int64_t line() const { return rows * depth; }
        std::int64_t floats(const Filtering& f) const { return (f.places * f.places + 1) * line(); }
    };

    /// Uses layout.floats(filtering) floats at `memory`.
    TileLines(const ConvKernels& kernels, const Filtering& filtering, const Layout& layout,
              std::span<const ConstView> fields, float* memory);

    /// Forgets the columns: axis 1 now means other positions.
    void start_row();
    /// Turns to tile (i, j) of a batch entry.
    void load(std::int64_t batch, std::int64_t i, std::int64_t j);
    /// The tile's line at one of places x places; valid until the next call.
    const float* point(std::int64_t place_1, std::int64_t place_2) const;

   private:
    /// Remainder of a position, also of a negative one.
    std::int64_t slot(std::int64_t position) const {
        return (position % filtering_->places + filtering_->places) % filtering_->places;
    }
    float* column(std::int64_t position) const {
        return columns_ + slot(position) * filtering_->places * layout_.line();
    }
    void transform_column(std::int64_t batch, std::int64_t first_1, std::int64_t position) const;

    const ConvKernels* kernels_;
    const Filtering* filtering_;
    Layout layout_;
    std::span<const ConstView> fields_;
    float* columns_;  ///< [position along axis 2 mod places, place along axis 1, line]
    float* point_;    ///< a line transformed along both axes
    std::int64_t first_2_ = 0;
    std::vector<std::int64_t> held_;
};

}  // namespace plumecast::cpu
