#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <plumecast/core/shape.hpp>

namespace plumecast::cuda {

/// One index per axis; entries beyond the rank are zero.
using Index = std::array<std::int64_t, Shape::max_rank>;

/// Calls use(axis) for axis 0 to rank - 1, or the other way round. The calls are written out one by one, so that an
/// Index that they use stays in registers: what is indexed by a number of the run lies in the memory of the device.
template <class Use>
constexpr void each_axis(int rank, const Use& use) {
    [&]<std::size_t... axes>(std::index_sequence<axes...>) {
        ((static_cast<int>(axes) < rank ? use(axes) : void()), ...);
    }
    (std::make_index_sequence<Shape::max_rank>());
}
template <class Use>
constexpr void each_axis_from_the_last(int rank, const Use& use) {
    [&]<std::size_t... axes>(std::index_sequence<axes...>) {
        ((static_cast<int>(Shape::max_rank - 1 - axes) < rank ? use(Shape::max_rank - 1 - axes) : void()), ...);
    }
    (std::make_index_sequence<Shape::max_rank>());
}

/// The entry of an axis that only the run knows.
constexpr std::int64_t entry(const Index& at, int axis) {
    std::int64_t found = 0;
    each_axis(axis + 1, [&](std::size_t a) { found = at[a]; });
    return found;
}

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
        each_axis_from_the_last(rank, [&](std::size_t axis) {
            const std::int64_t outer = position / axes[axis];
            at[axis] = position - outer * axes[axis];
            position = outer;
        });
        return at;
    }
    /// Row-major position of an index.
    constexpr std::int64_t position(const Index& at) const {
        std::int64_t sum = 0;
        each_axis(rank, [&](std::size_t axis) { sum = sum * axes[axis] + at[axis]; });
        return sum;
    }
};

}  // namespace plumecast::cuda
