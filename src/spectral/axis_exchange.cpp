#include "spectral/axis_exchange.hpp"

#include <utility>

namespace plumecast {
namespace {

/// Rows of `modes` positions each that reach into [low, high).
Box rows_around(std::int64_t low, std::int64_t high, std::int64_t modes) {
    return low == high ? Box(Shape{0}, Shape{0}) : Box(Shape{low / modes}, Shape{(high + modes - 1) / modes});
}

}  // namespace

AxisExchange::AxisExchange(Communicator& ranks, Geometry geometry) : ranks_(&ranks), geometry_(std::move(geometry)) {
    const auto parts = static_cast<std::size_t>(ranks.size()) + 1;
    expects(geometry_.cells.size() == parts && geometry_.owned.size() == parts, "a part for each rank");
    expects(geometry_.owned.back() == geometry_.rows * geometry_.modes, "owners of all positions");
}

std::int64_t AxisExchange::owned() const {
    const auto rank = static_cast<std::size_t>(ranks_->rank());
    return geometry_.owned[rank + 1] - geometry_.owned[rank];
}

std::int64_t AxisExchange::covered() const { return lines_box(ranks_->rank(), {1, geometry_.rows, 1, 1}).extents()[1]; }

/// The lines of a rank's rows, of [B, rows, cells, inner].
Box AxisExchange::lines_box(int rank, const Shape& whole) const {
    const auto r = static_cast<std::size_t>(rank);
    const Box rows = rows_around(geometry_.owned[r], geometry_.owned[r + 1], geometry_.modes);
    return Box(whole).with(1, rows.low()[0], rows.high()[0]);
}

std::shared_ptr<const Exchange> AxisExchange::exchange(const Shape& whole) {
    auto& known = exchanges_[whole.text()];
    if (known) {
        return known;
    }
    if (!by_transpose()) {
        known = std::make_shared<const Exchange>(*ranks_, partition_layout(whole, 1, geometry_.owned),
                                                 replicated_layout(whole, ranks_->size()));
        return known;
    }
    Layout lines;
    for (int rank = 0; rank < ranks_->size(); ++rank) {
        lines.push_back({lines_box(rank, whole)});
    }
    known = std::make_shared<const Exchange>(*ranks_, partition_layout(whole, 2, geometry_.cells), lines);
    return known;
}

AxisExchange::Move AxisExchange::to_owners(const Shape& array) {
    if (ranks_->size() == 1) {
        return {nullptr, false, array};
    }
    if (by_transpose()) {
        const Shape whole = array.with(2, cells());
        return {exchange(whole), false, lines_box(ranks_->rank(), whole).extents()};
    }
    return {exchange(array), true, array.with(1, owned())};
}

AxisExchange::Move AxisExchange::to_holders(const Shape& array) {
    if (ranks_->size() == 1) {
        return {nullptr, false, array};
    }
    if (by_transpose()) {
        const auto rank = static_cast<std::size_t>(ranks_->rank());
        const Shape whole = array.with(1, geometry_.rows);
        return {exchange(whole), true, whole.with(2, geometry_.cells[rank + 1] - geometry_.cells[rank])};
    }
    const Shape whole = array.with(1, geometry_.rows * geometry_.modes);
    return {exchange(whole), false, whole};
}

std::int64_t AxisExchange::before() const {
    return geometry_.owned[static_cast<std::size_t>(ranks_->rank())] % geometry_.modes;
}

}  // namespace plumecast
