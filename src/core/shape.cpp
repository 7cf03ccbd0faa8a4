#include <algorithm>

#include <plumecast/core/error.hpp>
#include <plumecast/core/shape.hpp>

namespace plumecast {

Shape::Shape(std::initializer_list<std::int64_t> extents)
    : Shape(std::span<const std::int64_t>(extents.begin(), extents.size())) {}

Shape::Shape(std::span<const std::int64_t> extents) {
    if (extents.size() > max_rank) {
        throw InvalidInput("array of " + std::to_string(extents.size()) +
                           " axes (at most 8 are supported); merge axes");
    }
    for (std::int64_t extent : extents) {
        if (extent < 0) {
            throw InvalidInput("negative extent " + std::to_string(extent) +
                               " (an array has 0 or more cells per axis); correct the shape");
        }
        extents_[static_cast<std::size_t>(rank_++)] = extent;
    }
}

std::int64_t Shape::operator[](int axis) const {
    const int index = axis < 0 ? axis + rank_ : axis;
    expects(index >= 0 && index < rank_, "axis within the rank of a shape");
    return extents_[static_cast<std::size_t>(index)];
}

std::int64_t Shape::count() const { return count(0, rank_); }

std::int64_t Shape::count(int begin, int end) const {
    std::int64_t product = 1;
    for (int axis = begin; axis < end; ++axis) {
        product *= (*this)[axis];
    }
    return product;
}

Shape Shape::with(int axis, std::int64_t extent) const {
    Shape changed = *this;
    const int index = axis < 0 ? axis + rank_ : axis;
    expects(index >= 0 && index < rank_, "axis within the rank of a shape");
    changed.extents_[static_cast<std::size_t>(index)] = extent;
    return changed;
}

Shape Shape::slice(int begin, int end) const {
    expects(begin >= 0 && begin <= end && end <= rank_, "slice within the rank of a shape");
    return Shape(extents().subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
}

Shape Shape::append(std::int64_t extent) const {
    expects(rank_ < max_rank, "room for one more axis");
    Shape longer = *this;
    longer.extents_[static_cast<std::size_t>(longer.rank_++)] = extent;
    return longer;
}

std::string Shape::text() const {
    std::string text = "[";
    for (int axis = 0; axis < rank_; ++axis) {
        text += (axis ? ", " : "") + std::to_string((*this)[axis]);
    }
    return text + "]";
}

bool operator==(const Shape& a, const Shape& b) {
    return a.rank_ == b.rank_ && std::equal(a.extents_.begin(), a.extents_.begin() + a.rank_, b.extents_.begin());
}

}  // namespace plumecast
