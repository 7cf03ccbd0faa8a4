#pragma once

#include <cstdint>
#include <string>

#include <plumecast/core/shape.hpp>

namespace plumecast {

/// A half-open box [low, high) of an index space of at most eight axes; may be empty.
class Box {
   public:
    Box() = default;
    /// Throws InvalidInput when the two differ in their number of axes.
    Box(const Shape& low, const Shape& high);
    /// All of an array.
    explicit Box(const Shape& extents);

    int rank() const { return low_.rank(); }
    const Shape& low() const { return low_; }
    const Shape& high() const { return high_; }
    /// Extents high - low; 0 along axes where the box is empty.
    Shape extents() const;
    std::int64_t count() const { return extents().count(); }
    bool empty() const { return count() == 0; }
    /// True when every cell of `other` lies in this box.
    bool contains(const Box& other) const;
    /// The same box with another range along one axis.
    Box with(int axis, std::int64_t low, std::int64_t high) const;
    /// "[0..3, 2..7]"
    std::string text() const;

    friend bool operator==(const Box&, const Box&) = default;

   private:
    Shape low_;
    Shape high_;
};

/// Cells that lie in both; empty when there are none. Both must have the same number of axes.
Box intersection(const Box& a, const Box& b);

}  // namespace plumecast
