#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "backend/cpu/conv/kernels.hpp"

namespace plumecast::cpu {

/// Row of a row-major matrix.
inline std::span<const float> row_of(std::span<const float> matrix, std::int64_t row, std::int64_t columns) {
    return matrix.subspan(static_cast<std::size_t>(row * columns), static_cast<std::size_t>(columns));
}

/// Terms of a sum of lines; those with factor zero or without a line are left out.
class LineSum {
   public:
    void add(float factor, const float* line) {
        if (factor != 0.0f && line != nullptr) {
            factors_[count_] = factor;
            lines_[count_++] = line;
        }
    }
    /// The sum as one row of `columns` floats. Refers to the terms.
    ConvSum into(float* y, std::int64_t columns) const {
        ConvSum call{};
        call.x = lines_.data();
        call.factors = factors_.data();
        call.terms = static_cast<std::int64_t>(count_);
        call.y = y;
        call.rows = 1;
        call.columns = columns;
        call.slope = 1.0f;
        return call;
    }

   private:
    std::array<const float*, 6> lines_{};
    std::array<float, 6> factors_{};
    std::size_t count_ = 0;
};

}  // namespace plumecast::cpu
