#include <algorithm>

#include "distributed/padded_grid.hpp"

namespace plumecast {

Box box_read(const Partition& padded, const Shape& extents, int rank) {
    Box box(extents.slice(0, padded.axes()));
    for (int axis = 0; axis < box.rank(); ++axis) {
        const CellRange held = padded.held(rank, axis);
        const std::int64_t low = std::min(held.low, extents[axis] - 1);
        box = box.with(axis, low, std::max(low + 1, std::min(held.high, extents[axis])));
    }
    return box;
}

Box box_predicted(const Partition& padded, const Shape& extents, int rank) {
    Box box(extents.slice(0, padded.axes()));
    for (int axis = 0; axis < box.rank(); ++axis) {
        const CellRange held = padded.held(rank, axis);
        box = box.with(axis, std::min(held.low, extents[axis]), std::min(held.high, extents[axis]));
    }
    return box;
}

Padding held_padding(const Partition& padded, const Padding& whole, int rank) {
    Padding padding = whole;
    for (int axis = 0; axis < padded.axes(); ++axis) {
        const CellRange held = padded.held(rank, axis);
        Padding::Axis& here = padding.axes[static_cast<std::size_t>(axis)];
        const std::int64_t inside = std::clamp<std::int64_t>(here.inside - held.low, 0, held.cells());
        // A rank of padding alone repeats the one cell it reads.
        here.inside = here.edge == Padding::Edge::replicate ? std::max<std::int64_t>(1, inside) : inside;
    }
    return padding;
}

}  // namespace plumecast
