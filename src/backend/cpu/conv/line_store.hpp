#pragma once

#include <span>
#include <vector>

#include <plumecast/core/tensor.hpp>

namespace plumecast::cpu {

/// Lines of the last spatial axis of some fields [B, s1, s2, s3, C], channels side by side and zeros beyond both ends.
/// Remembers the lines copied last, so that neighbouring outputs share them. One per thread.
class LineStore {
   public:
    /// Where the points of a line go: input point p to row p + before; rows [0, rows) exist.
    struct Layout {
        std::int64_t depth = 0;
        std::int64_t before = 0;
        std::int64_t rows = 0;
        std::int64_t slots_1 = 0;  ///< lines kept along axis 1, one per tap
        std::int64_t slots_2 = 0;  ///< and along axis 2

        std::int64_t floats() const { return slots_1 * slots_2 * rows * depth; }
    };

    /// Uses layout.floats() floats at `memory`.
    LineStore(const Layout& layout, std::span<const ConstView> fields, float* memory);

    /// Forgets the lines: axis 1 now means other positions.
    void clear();
    /// Row 0 of line (batch, position_1, position_2), kept under tap `slot_1` of axis 1.
    const float* line(std::int64_t batch, std::int64_t position_1, std::int64_t position_2, std::int64_t slot_1);

   private:
    void copy(std::int64_t line, float* to) const;

    Layout layout_;
    std::span<const ConstView> fields_;
    float* memory_;
    std::vector<std::int64_t> held_;
};

}  // namespace plumecast::cpu
