#include <algorithm>

#include <plumecast/core/box.hpp>
#include <plumecast/core/error.hpp>

namespace plumecast {

Box::Box(const Shape& low, const Shape& high) : low_(low), high_(high) {
    if (low.rank() != high.rank()) {
        throw InvalidInput("a box from " + low.text() + " to " + high.text() +
                           " (its corners differ in their number of axes); give both the same");
    }
}

Box::Box(const Shape& extents) : low_(extents), high_(extents) {
    for (int axis = 0; axis < extents.rank(); ++axis) {
        low_ = low_.with(axis, 0);
    }
}

Shape Box::extents() const {
    Shape result = high_;
    for (int axis = 0; axis < rank(); ++axis) {
        result = result.with(axis, std::max<std::int64_t>(0, high_[axis] - low_[axis]));
    }
    return result;
}

bool Box::contains(const Box& other) const { return other.empty() || intersection(*this, other) == other; }

Box Box::with(int axis, std::int64_t low, std::int64_t high) const {
    return {low_.with(axis, low), high_.with(axis, high)};
}

std::string Box::text() const {
    std::string text = "[";
    for (int axis = 0; axis < rank(); ++axis) {
        text += (axis > 0 ? ", " : "") + std::to_string(low_[axis]) + ".." + std::to_string(high_[axis]);
    }
    return text + "]";
}

Box intersection(const Box& a, const Box& b) {
    expects(a.rank() == b.rank(), "boxes of one index space");
    Box result = a;
    for (int axis = 0; axis < a.rank(); ++axis) {
        const std::int64_t low = std::max(a.low()[axis], b.low()[axis]);
        result = result.with(axis, low, std::max(low, std::min(a.high()[axis], b.high()[axis])));
    }
    return result;
}

}  // namespace plumecast
