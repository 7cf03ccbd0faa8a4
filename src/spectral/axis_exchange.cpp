#include <plumecast/spectral/axis_exchange.hpp>

#include <utility>

namespace plumecast {
namespace {

/// Rows of `modes` positions each that reach into [low, high).
Box rows_around(std::int64_t low, std::int64_t high, std::int64_t modes) {
    return low == high ? Box(Shape{0}, Shape{0}) : Box(Shape{low / modes}, Shape{(high + modes - 1) / modes});
}

InFlightTensor in_flight(Backend& backend, AxisExchange::Move move, Tensor array) {
    if (!move.exchange) {
        return InFlightTensor(std::move(array));
    }
    return move.adjoint ? InFlightTensor::adjoint(backend, std::move(move.exchange), std::move(array), move.result)
                        : InFlightTensor::forward(backend, std::move(move.exchange), std::move(array), move.result);
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

std::shared_ptr<const Exchange> AxisExchange::exchange(const Shape& whole) const {
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

AxisExchange::Move AxisExchange::to_owners(const Shape& array) const {
    if (ranks_->size() == 1) {
        return {nullptr, false, array};
    }
    if (by_transpose()) {
        const Shape whole = array.with(2, cells());
        return {exchange(whole), false, lines_box(ranks_->rank(), whole).extents()};
    }
    return {exchange(array), true, array.with(1, owned())};
}

AxisExchange::Move AxisExchange::to_holders(const Shape& array) const {
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

InFlightTensor AxisExchange::to_owners(Backend& backend, Tensor array) const {
    Move move = to_owners(array.shape());
    return in_flight(backend, std::move(move), std::move(array));
}

InFlightTensor AxisExchange::to_holders(Backend& backend, Tensor array) const {
    Move move = to_holders(array.shape());
    return in_flight(backend, std::move(move), std::move(array));
}

std::int64_t AxisExchange::before() const {
    return geometry_.owned[static_cast<std::size_t>(ranks_->rank())] % geometry_.modes;
}

Tensor AxisExchange::cropped(Backend& backend, Tensor modes) const {
    const Shape shape = modes.shape().with(1, owned());
    if (shape == modes.shape()) {
        return modes;
    }
    Tensor own(backend.memory(), shape, backend.compute_type());
    backend.copy_box(modes, {0, before(), 0}, {own}, {0, 0, 0}, shape);
    return own;
}

Tensor AxisExchange::widened(Backend& backend, Tensor own) const {
    const Shape shape = own.shape().with(1, covered() * geometry_.modes);
    if (shape == own.shape()) {
        return own;
    }
    Tensor modes(backend.memory(), shape, backend.compute_type());
    backend.fill(modes, 0.0);
    backend.copy_box(own, {0, 0, 0}, {modes}, {0, before(), 0}, own.shape());
    return modes;
}

}  // namespace plumecast
