#include <plumecast/layers/shared_spectrum.hpp>

#include <array>
#include <utility>

namespace plumecast {
namespace {

/// Modes of both signs of a space axis.
std::int64_t both_signs(const std::vector<std::int64_t>& modes, int axis) {
    return 2 * modes[static_cast<std::size_t>(axis)];
}

Cuts relative_to_first(const Cuts& cuts, std::size_t first, std::size_t parts, std::int64_t unit) {
    Cuts result;
    for (std::size_t part = 0; part <= parts; ++part) {
        result.push_back((cuts[first + part] - cuts[first]) / unit);
    }
    return result;
}

/// Every `parts`-th cut: those between groups of ranks along x.
Cuts outer_cuts(const Cuts& owners, std::size_t parts, std::int64_t unit) {
    Cuts result;
    for (std::size_t at = 0; at < owners.size(); at += parts) {
        result.push_back(owners[at] / unit);
    }
    return result;
}

}  // namespace

SharedSpectrum::SharedSpectrum(std::shared_ptr<const SpectralTransform> transform)
    : transform_(std::move(transform)), owned_(transform_->spectrum_shape(1, 1)[1]), held_(transform_->held()) {}

SharedSpectrum::SharedSpectrum(Backend& backend, const Shape& extents, const std::vector<std::int64_t>& modes,
                               const Placement* placement, const Shape& kept, const ProcessGrid& grid,
                               const Cuts& owners)
    : held_(placement != nullptr ? placement->held().extents().append(extents[-1]) : kept) {
    const int axes = extents.rank() - 1, last = axes - 1;
    const auto x_parts = static_cast<std::size_t>(grid.shape().x);
    const auto cells = [&](int axis) {
        return placement != nullptr ? placement->cuts()[static_cast<std::size_t>(axis)] : Cuts{0, kept[axis]};
    };
    Box held = placement != nullptr ? placement->held() : Box(kept);
    std::int64_t rows = 1;
    for (int axis = 0; axis < axes; ++axis) {
        const bool is_x = axis == last, is_y = axis == last - 1 && axes > 2;
        Communicator& ranks = is_x ? grid.along_x() : grid.along_y();
        if ((is_x || is_y) && (ranks.size() > 1 || grid.route() == Route::transpose)) {
            AxisExchange::Geometry geometry{
                rows, both_signs(modes, axis), cells(axis), {}, grid.route() == Route::transpose};
            if (grid.route() == Route::automatic) {
                geometry.by_lines = AxisExchange::lines_are_cheaper(extents[axis], geometry.modes, ranks.size());
            }
            const auto first = static_cast<std::size_t>(grid.along_y().rank()) * x_parts;
            geometry.owned = is_x ? relative_to_first(owners, first, x_parts, 1)
                                  : outer_cuts(owners, x_parts, both_signs(modes, last));
            const std::int64_t here = held.extents()[axis];
            if (geometry.by_lines) {
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
        stages_[0].after = x.exchange.by_lines() ? x.held : x.exchange.modes();
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

std::int64_t SharedSpectrum::stick(std::int64_t channels) const {
    return transform_->spectrum_shape(1, 1)[3] * channels;
}

/// Lines [B, rows, cells, inner], or sums [B, positions, inner], of a stage on their way.
Relocation SharedSpectrum::departed(Backend& backend, const Stage& stage, std::int64_t batch, std::int64_t channels,
                                    Tensor array) const {
    const std::int64_t inner = stage.after * 2 * stick(channels);
    const std::int64_t rows = stage.exchange.rows();
    array.reshape(stage.exchange.by_lines() ? Shape{batch, rows, stage.held, inner}
                                            : Shape{batch, rows * stage.exchange.modes(), inner});
    return stage.exchange.to_owners(backend, std::move(array));
}

Relocation SharedSpectrum::start_analysis(Backend& backend, ConstView field, Scaling scaling) const {
    Tensor array = transform_->analyse(field, scaling, left_);
    return stages_.empty() ? Relocation(std::move(array))
                           : departed(backend, stages_[0], field.shape[0], field.shape[-1], std::move(array));
}

Tensor SharedSpectrum::finish_analysis(Backend& backend, Relocation travelling, std::int64_t batch,
                                       std::int64_t channels) const {
    Tensor x = travelling.arrived();
    for (std::size_t i = 0; i < stages_.size(); ++i) {
        const AxisExchange& exchange = stages_[i].exchange;
        if (i > 0) {
            x = departed(backend, stages_[i], batch, channels, std::move(x)).arrived();
        }
        if (exchange.by_lines()) {
            const std::int64_t after = stages_[i].after, inner = stick(channels);
            x.reshape({batch * exchange.covered(), exchange.cells(), after, 2, inner});
            x = transform_->analyse_lines(stages_[i].axis, x);
            x.reshape({batch, exchange.covered() * exchange.modes(), after * 2 * inner});
            x = exchange.cropped(backend, std::move(x));
        }
    }
    x.reshape({batch, owned_, 2, stick(1), channels});
    return x;
}

Relocation SharedSpectrum::start_synthesis(Backend& backend, Tensor own) const {
    const std::int64_t batch = own.shape()[0], inner = stick(own.shape()[-1]);
    Relocation travelling(std::move(own));
    for (std::size_t i = stages_.size(); i-- > 0;) {
        const AxisExchange& exchange = stages_[i].exchange;
        const std::int64_t after = stages_[i].after;
        Tensor x = travelling.arrived();
        x.reshape({batch, exchange.owned(), after * 2 * inner});
        if (exchange.by_lines()) {
            x = exchange.widened(backend, std::move(x));
            x.reshape({batch * exchange.covered(), exchange.modes(), after, 2, inner});
            x = transform_->synthesise_lines(stages_[i].axis, std::move(x));
            x.reshape({batch, exchange.covered(), exchange.cells(), after * 2 * inner});
        }
        travelling = exchange.to_holders(backend, std::move(x));
    }
    return travelling;
}

void SharedSpectrum::finish_synthesis(Relocation travelling, Target field, Activation f, Scaling scaling) const {
    transform_->synthesise(travelling.arrived(), field, f, scaling, left_);
}

}  // namespace plumecast
