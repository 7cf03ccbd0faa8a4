#pragma once

#include <array>
#include <cstdint>

#include <plumecast/core/shape.hpp>

namespace plumecast::cuda {

/// One index per axis; entries beyond the rank are zero.
using Index = std::array<std::int64_t, Shape::max_rank>;

/// A Shape as kernels take it.
struct Extents {
    Index axes{};
    int rank = 0;

    Extents() = default;
    explicit Extents(const Shape& shape) : rank(shape.rank()) {
        for (int axis = 0; axis < rank; ++axis) {
            axes[static_cast<std::size_t>(axis)] = shape[axis];
        }
    }

    constexpr std::int64_t operator[](int axis) const { return axes[static_cast<std::size_t>(axis)]; }
    /// Extent of the last axis.
    constexpr std::int64_t channels() const { return (*this)[rank - 1]; }
    /// Index of the element at a row-major position.
    constexpr Index index(std::int64_t position) const {
        Index at{};
        for (int axis = rank - 1; axis >= 0; --axis) {
            at[static_cast<std::size_t>(axis)] = position % (*this)[axis];
            position /= (*this)[axis];
        }
        return at;
    }
    /// Row-major position of an index.
    constexpr std::int64_t position(const Index& at) const {
        std::int64_t sum = 0;
        for (int axis = 0; axis < rank; ++axis) {
            sum = sum * (*this)[axis] + at[static_cast<std::size_t>(axis)];
        }
        return sum;
    }
};

}  // namespace plumecast::cuda
