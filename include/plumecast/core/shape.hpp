#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace plumecast {

/// Extents of a dense row-major array, slowest axis first; a value of at most eight axes.
class Shape {
   public:
    static constexpr int max_rank = 8;

    Shape() = default;
    /// Throws InvalidInput for more than eight axes or a negative extent.
    Shape(std::initializer_list<std::int64_t> extents);
    explicit Shape(std::span<const std::int64_t> extents);

    int rank() const { return rank_; }
    /// Extent of an axis; negative indices count from the last axis.
    std::int64_t operator[](int axis) const;
    /// Number of elements; 1 for rank 0.
    std::int64_t count() const;
    /// Product of the extents of axes [begin, end).
    std::int64_t count(int begin, int end) const;
    /// The same shape with one extent replaced.
    Shape with(int axis, std::int64_t extent) const;
    /// Axes [begin, end) as a shape.
    Shape slice(int begin, int end) const;
    /// This shape followed by another axis.
    Shape append(std::int64_t extent) const;

    std::span<const std::int64_t> extents() const& { return {extents_.data(), static_cast<std::size_t>(rank_)}; }
    /// Not of a temporary: a loop over it would outlive it.
    std::span<const std::int64_t> extents() const&& = delete;
    /// "[2, 3, 4]"
    std::string text() const;

    friend bool operator==(const Shape& a, const Shape& b);

   private:
    std::array<std::int64_t, max_rank> extents_{};
    int rank_ = 0;
};

/// [..., C] as the matrix [rows, C] that it is in memory.
inline Shape as_matrix(const Shape& shape) { return {shape.count(0, shape.rank() - 1), shape[-1]}; }

}  // namespace plumecast
