#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <plumecast/core/shape.hpp>

#include "backend/cuda/kernels/indexing/positions.hpp"

namespace plumecast::cuda {

/// Calls use.template operator()<axis>() for every axis, from the first or from the last. The calls are written out one
/// by one: an array that is indexed by a number of the run would lie in the memory of the device.
template <int rank, class Use>
constexpr void each_axis_of(const Use& use) {
    [&]<std::size_t... axes>(std::index_sequence<axes...>) { (use.template operator()<axes>(), ...); }
    (std::make_index_sequence<static_cast<std::size_t>(rank)>());
}
template <int rank, class Use>
constexpr void each_axis_of_from_the_last(const Use& use) {
    constexpr auto last = static_cast<std::size_t>(rank - 1);
    [&]<std::size_t... axes>(std::index_sequence<axes...>) { (use.template operator()<last - axes>(), ...); }
    (std::make_index_sequence<static_cast<std::size_t>(rank)>());
}

/// Calls use.template operator()<rank>() with the number of axes that kernels are made for, at least that of a shape:
/// batch, three of space or two, time and channels, or as many as there can be.
template <class Use>
void with_axes(const Shape& shape, const Use& use) {
    shape.rank() <= 5 ? use.template operator()<5>() : use.template operator()<Shape::max_rank>();
}

/// An entry for each of `rank` axes of a shape of fewer: those that lack one come first and get `missing`.
template <int rank, class Entry>
constexpr std::array<Entry, static_cast<std::size_t>(rank)> from_the_last(const Shape& shape, Entry missing) {
    std::array<Entry, static_cast<std::size_t>(rank)> entries{};
    const int lacking = rank - shape.rank();
    for (int axis = 0; axis < rank; ++axis) {
        entries[static_cast<std::size_t>(axis)] = axis < lacking ? missing : Entry(shape[axis - lacking]);
    }
    return entries;
}

/// One index per axis.
template <int rank, class Position>
using Cell = std::array<Position, static_cast<std::size_t>(rank)>;

/// A Shape as kernels of a fixed number of axes take it, its channels in packs of n.
template <int rank>
class Grid {
   public:
    explicit Grid(const Shape& shape, int n = 1)
        : axes_(from_the_last<rank>(shape.with(-1, shape[-1] / n), Divisor(1))), count_(shape.count() / n) {}

    constexpr std::int64_t count() const { return count_; }
    template <std::size_t axis>
    constexpr std::int64_t extent() const {
        return axes_[axis].value();
    }
    /// Index of the element at a row-major position.
    template <class Position>
    constexpr Cell<rank, Position> cell(Position position) const {
        Cell<rank, Position> at{};
        each_axis_of_from_the_last<rank>([&]<std::size_t axis>() {
            const Position outer = axes_[axis].quotient(position);
            at[axis] = position - outer * static_cast<Position>(extent<axis>());
            position = outer;
        });
        return at;
    }
    /// Row-major position of an index.
    template <class Position>
    constexpr Position position(const Cell<rank, Position>& at) const {
        Position sum = 0;
        each_axis_of<rank>([&]<std::size_t axis>() { sum = sum * static_cast<Position>(extent<axis>()) + at[axis]; });
        return sum;
    }

   private:
    std::array<Divisor, static_cast<std::size_t>(rank)> axes_;
    std::int64_t count_;
};

}  // namespace plumecast::cuda
