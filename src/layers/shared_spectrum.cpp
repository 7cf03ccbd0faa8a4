#include <plumecast/layers/shared_spectrum.hpp>

#include <array>
#include <utility>

namespace plumecast {
namespace {

/// Modes of both signs of a space axis.
std::int64_t both_signs(const std::vector<std::int64_t>& modes, int axis) {
    return 2 * modes[static_cast<std::size_t>(axis)];
}

AxisPartition relative_to_first(const AxisPartition& cuts, std::size_t first, std::size_t parts, std::int64_t unit) {
    AxisPartition result;
    for (std::size_t part = 0; part <= parts; ++part) {
        result.push_back((cuts[first + part] - cuts[first]) / unit);
    }
    return result;
}

/// Every `parts`-th cut: those between groups of ranks along x.
AxisPartition outer_cuts(const AxisPartition& owners, std::size_t parts, std::int64_t unit) {
    AxisPartition result;
    for (std::size_t at = 0; at < owners.size(); at += parts) {
        result.push_back(owners[at] / unit);
    }
    return result;
}

}  // namespace

SharedSpectrum::SharedSpectrum(std::shared_ptr<const SpectralTransform> transform)
    : transform_(std::move(transform)), owned_(transform_->spectrum_shape(1, 1)[1]), held_(transform_->held()) {}

SharedSpectrum::SharedSpectrum(Backend& backend, const Shape& extents, const std::vector<std::int64_t>& modes,
                               const Partition* partition, const Shape& kept, const ProcessGrid& grid,
                               const AxisPartition& owners)
    : held_(partition != nullptr ? partition->held().extents().append(extents[-1]) : kept) {
    const int axes = extents.rank() - 1, last = axes - 1;
    const auto x_parts = static_cast<std::size_t>(grid.shape().x);
    const auto cells = [&](int axis) {
        return partition != nullptr ? partition->cuts()[static_cast<std::size_t>(axis)] : AxisPartition{0, kept[axis]};
    };
    Box held = partition != nullptr ? partition->held() : Box(kept);
    std::int64_t rows = 1;
    for (int axis = 0; axis < axes; ++axis) {
        const bool is_x = axis == last, is_y = axis == last - 1 && axes > 2;
        Communicator& ranks = is_x ? grid.along_x() : grid.along_y();
        if ((is_x || is_y) && (ranks.size() > 1 || grid.route() == Route::transpose)) {
            AxisExchange::Geometry geometry{
                rows, both_signs(modes, axis), cells(axis), {}, grid.route() == Route::transpose};
            if (grid.route() == Route::automatic) {
                geometry.by_transpose = AxisExchange::transpose_is_cheaper(extents[axis], geometry.modes, ranks.size());
            }
            const auto first = static_cast<std::size_t>(grid.along_y().rank()) * x_parts;
            geometry.owned = is_x ? relative_to_first(owners, first, x_parts, 1)
                                  : outer_cuts(owners, x_parts, both_signs(modes, last));
            const std::int64_t here = held.extents()[axis];
            if (geometry.by_transpose) {
                left_.push_back(axis);
                held = held.with(axis, 0, geometry.cells.back());
            }
            stages_.push_back({axis, here, 1, AxisExchange(ranks, std::move(geometry))});
            rows = stages_.back().exchange.owned();
        } else {
            rows *= both_signs(modes, axis);
        }
    }
    if (stages_.size() == 2) {
        const Stage& x = stages_[1];
        stages_[0].after = x.exchange.by_transpose() ? x.held : x.exchange.modes();
    } else if (!stages_.empty() && stages_[0].axis != last) {
        stages_[0].after = both_signs(modes, last);
    }
    transform_ = std::make_shared<const SpectralTransform>(backend, extents, modes, held);
    owned_ = rows;
}

Shape SharedSpectrum::field_shape(std::int64_t batch, std::int64_t channels) const {
    Shape shape{batch};
    for (const std::int64_t extent : held_.extents()) {
        shape = shape.append(extent);
    }
    return shape.append(channels);
}

std::int64_t SharedSpectrum::pencil(std::int64_t channels) const {
    return transform_->spectrum_shape(1, 1)[3] * channels;
}

/// Lines [B, rows, cells, inner], or sums [B, positions, inner], of a stage on their way.
InFlightTensor SharedSpectrum::start_exchange(Backend& backend, const Stage& stage, std::int64_t batch,
                                              std::int64_t channels, Tensor array) const {
    const std::int64_t inner = stage.after * 2 * pencil(channels);
    const std::int64_t rows = stage.exchange.rows();
    array.reshape(stage.exchange.by_transpose() ? Shape{batch, rows, stage.held, inner}
                                                : Shape{batch, rows * stage.exchange.modes(), inner});
    return stage.exchange.to_owners(backend, std::move(array));
}

InFlightTensor SharedSpectrum::start_forward(Backend& backend, ConstView field, Scaling scaling) const {
    Tensor array = transform_->forward(field, scaling, left_);
    return stages_.empty() ? InFlightTensor(std::move(array))
                           : start_exchange(backend, stages_[0], field.shape[0], field.shape[-1], std::move(array));
}

Tensor SharedSpectrum::finish_forward(Backend& backend, InFlightTensor in_flight, std::int64_t batch,
                                      std::int64_t channels) const {
    Tensor x = in_flight.wait();
    for (std::size_t i = 0; i < stages_.size(); ++i) {
        const AxisExchange& exchange = stages_[i].exchange;
        if (i > 0) {
            x = start_exchange(backend, stages_[i], batch, channels, std::move(x)).wait();
        }
        if (exchange.by_transpose()) {
            const std::int64_t after = stages_[i].after, inner = pencil(channels);
            x.reshape({batch * exchange.covered(), exchange.cells(), after, 2, inner});
            x = transform_->forward_lines(stages_[i].axis, x);
            x.reshape({batch, exchange.covered() * exchange.modes(), after * 2 * inner});
            x = exchange.cropped(backend, std::move(x));
        }
    }
    x.reshape({batch, owned_, 2, pencil(1), channels});
    return x;
}

InFlightTensor SharedSpectrum::start_inverse(Backend& backend, Tensor own) const {
    const std::int64_t batch = own.shape()[0], inner = pencil(own.shape()[-1]);
    InFlightTensor in_flight(std::move(own));
    for (std::size_t i = stages_.size(); i-- > 0;) {
        const AxisExchange& exchange = stages_[i].exchange;
        const std::int64_t after = stages_[i].after;
        Tensor x = in_flight.wait();
        x.reshape({batch, exchange.owned(), after * 2 * inner});
        if (exchange.by_transpose()) {
            x = exchange.widened(backend, std::move(x));
            x.reshape({batch * exchange.covered(), exchange.modes(), after, 2, inner});
            x = transform_->inverse_lines(stages_[i].axis, std::move(x));
            x.reshape({batch, exchange.covered(), exchange.cells(), after * 2 * inner});
        }
        in_flight = exchange.to_holders(backend, std::move(x));
    }
    return in_flight;
}

void SharedSpectrum::finish_inverse(InFlightTensor in_flight, OutputRef field, Activation f, Scaling scaling) const {
    transform_->inverse(in_flight.wait(), field, f, scaling, left_);
}

}  // namespace plumecast
