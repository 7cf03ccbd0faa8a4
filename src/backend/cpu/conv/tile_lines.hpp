#pragma once

#include <cstdint>
#include <vector>

#include <plumecast/backend/ops.hpp>

#include "backend/cpu/conv/winograd/tile_kernels.hpp"
#include "backend/cpu/conv/winograd/winograd_transform.hpp"

namespace plumecast::cpu {

/// Asks the caches for floats that will be read or written soon.
inline void prefetch_floats(const float* from, std::int64_t floats) {
    constexpr std::int64_t cache_line = 16;
    for (std::int64_t n = 0; n < floats; n += cache_line) {
        __builtin_prefetch(from + n);
    }
}

/// A field [B, s1, s2, s3, C] that tiles read: point k of tile i is at position (i * tile + k) * step + origin along
/// axes 1 and 2, zero outside the field.
struct TileField {
    ConstView view;
    std::int64_t origin_1;
    std::int64_t origin_2;

    std::int64_t channels() const { return view.shape[4]; }
};

/// What tiles read of some fields: lines of axis 3 with zeros beyond their ends, transformed along axes 1 and 2 for
/// Winograd's algorithm. Tiles of a row share the columns of lines they both read. One per thread.
class TileLines {
   public:
    struct Layout {
        const WinogradTransform* axis_1;
        const WinogradTransform* axis_2;
        std::int64_t step_1;
        std::int64_t step_2;
        std::int64_t before;  ///< zero rows of a line before input point 0
        std::int64_t rows;    ///< of a line
        std::int64_t group;   ///< most tiles side by side that are turned to together
        std::vector<TileField> fields;

        /// Floats of the lines of fields before one; of all fields with fields.size(). A vector may be read at any
        /// place of a line.
        std::int64_t offset(std::size_t field) const;
        std::int64_t line() const { return offset(fields.size()); }
        std::int64_t columns() const { return axis_2->points + (group - 1) * axis_2->tile; }
        std::int64_t floats() const { return (columns() * axis_1->points + group * axis_2->points + 1) * line(); }
    };

    /// Uses layout.floats() floats at `memory`; the layout must outlive the lines.
    TileLines(const TileKernels& kernels, const Layout& layout, float* memory);

    /// Forgets the columns: axis 1 now means other positions.
    void start_row();
    /// Turns to tiles (i, j) to (i, j + count - 1) of a batch entry.
    void load(std::int64_t batch, std::int64_t i, std::int64_t j, std::int64_t count);
    /// Asks the caches for what such a call will read beyond the tiles turned to now.
    void prefetch(std::int64_t batch, std::int64_t i, std::int64_t j, std::int64_t count) const;
    /// Computes the lines of the tiles at all transformed points along axis 2 and one along axis 1.
    void transform(std::int64_t point_1) const;
    /// Such a line of a field, [rows, channels], of tile j + tile; valid until the next call.
    const float* point(std::int64_t tile, std::int64_t point_2, std::size_t field) const;

   private:
    float* column(std::int64_t index) const {
        return columns_ + index % layout_->columns() * layout_->axis_1->points * line_;
    }
    const float* line(const TileField& field, std::int64_t batch, std::int64_t index_1, std::int64_t index_2) const;
    void transform_column(std::int64_t batch, std::int64_t i, std::int64_t index) const;

    const TileKernels* kernels_;
    const Layout* layout_;
    std::int64_t line_;
    float* columns_;  ///< [index along axis 2 mod columns, point along axis 1, line]
    float* points_;   ///< [tile, point along axis 2, line]
    float* zeros_;
    std::int64_t first_ = 0, count_ = 0;
    std::vector<std::int64_t> held_;
};

}  // namespace plumecast::cpu
