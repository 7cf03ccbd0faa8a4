#include <plumecast/layers/exchange/axis_exchange.hpp>

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

InFlightTensor AxisExchange::to_owners(Backend& backend, Tensor array) const {
    if (ranks_->size() == 1) {
        return InFlightTensor(std::move(array));
    }
    const Shape shape = array.shape();
    if (by_transpose()) {
        const Shape whole = shape.with(2, cells());
        return InFlightTensor::forward(backend, exchange(whole), std::move(array),
                                       lines_box(ranks_->rank(), whole).extents());
    }
    return InFlightTensor::adjoint(backend, exchange(shape), std::move(array), shape.with(1, owned()));
}

InFlightTensor AxisExchange::to_holders(Backend& backend, Tensor array) const {
    if (ranks_->size() == 1) {
        return InFlightTensor(std::move(array));
    }
    const Shape shape = array.shape();
    if (by_transpose()) {
        const auto rank = static_cast<std::size_t>(ranks_->rank());
        const Shape whole = shape.with(1, geometry_.rows);
        return InFlightTensor::adjoint(backend, exchange(whole), std::move(array),
                                       whole.with(2, geometry_.cells[rank + 1] - geometry_.cells[rank]));
    }
    const Shape whole = shape.with(1, geometry_.rows * geometry_.modes);
    return InFlightTensor::forward(backend, exchange(whole), std::move(array), whole);
}

Tensor AxisExchange::cropped(Backend& backend, Tensor modes) const {
    const Shape shape = modes.shape().with(1, owned());
    if (shape == modes.shape()) {
        return modes;
    }
    const std::int64_t before = geometry_.owned[static_cast<std::size_t>(ranks_->rank())] % geometry_.modes;
    Tensor own(backend.memory(), shape, backend.compute_type());
    backend.copy_box(modes, {0, before, 0}, {own}, {0, 0, 0}, shape);
    return own;
}

Tensor AxisExchange::widened(Backend& backend, Tensor own) const {
    const Shape shape = own.shape().with(1, covered() * geometry_.modes);
    if (shape == own.shape()) {
        return own;
    }
    const std::int64_t before = geometry_.owned[static_cast<std::size_t>(ranks_->rank())] % geometry_.modes;
    Tensor modes(backend.memory(), shape, backend.compute_type());
    backend.fill(modes, 0.0);
    backend.copy_box(own, {0, 0, 0}, {modes}, {0, before, 0}, own.shape());
    return modes;
}

}  // namespace plumecast
