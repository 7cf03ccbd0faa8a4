#include <plumecast/layers/shared_spectrum.hpp>

#include <array>
#include <utility>

namespace plumecast {

SharedSpectrum::SharedSpectrum(std::shared_ptr<const SpectralTransform> transform)
    : transform_(std::move(transform)), held_(transform_->held()) {
    route_.owned = transform_->spectrum_shape(1, 1)[1];
}

SharedSpectrum::SharedSpectrum(Backend& backend, const Shape& extents, const std::vector<std::int64_t>& modes,
                               const Partition* partition, const Shape& kept, const ProcessGrid& grid,
                               const AxisPartition& owners)
    : route_(spectrum_route(extents, modes, partition, kept, grid, owners)),
      held_(partition != nullptr ? partition->held().extents().append(extents[-1]) : kept) {
    transform_ = std::make_shared<const SpectralTransform>(backend, extents, modes, route_.held);
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
InFlightTensor SharedSpectrum::start_exchange(Backend& backend, const SpectrumRoute::Stage& stage, std::int64_t batch,
                                              std::int64_t channels, Tensor array) const {
    const std::int64_t inner = stage.after * 2 * pencil(channels);
    const std::int64_t rows = stage.exchange.rows();
    array.reshape(stage.exchange.by_transpose() ? Shape{batch, rows, stage.held, inner}
                                                : Shape{batch, rows * stage.exchange.modes(), inner});
    return stage.exchange.to_owners(backend, std::move(array));
}

InFlightTensor SharedSpectrum::start_forward(Backend& backend, ConstView field, Scaling scaling) const {
    Tensor array = transform_->forward(field, scaling, route_.left);
    return route_.stages.empty()
               ? InFlightTensor(std::move(array))
               : start_exchange(backend, route_.stages[0], field.shape[0], field.shape[-1], std::move(array));
}

Tensor SharedSpectrum::finish_forward(Backend& backend, InFlightTensor in_flight, std::int64_t batch,
                                      std::int64_t channels) const {
    Tensor x = in_flight.wait();
    for (std::size_t i = 0; i < route_.stages.size(); ++i) {
        const AxisExchange& exchange = route_.stages[i].exchange;
        if (i > 0) {
            x = start_exchange(backend, route_.stages[i], batch, channels, std::move(x)).wait();
        }
        if (exchange.by_transpose()) {
            const std::int64_t after = route_.stages[i].after, inner = pencil(channels);
            x.reshape({batch * exchange.covered(), exchange.cells(), after, 2, inner});
            x = transform_->forward_lines(route_.stages[i].axis, x);
            x.reshape({batch, exchange.covered() * exchange.modes(), after * 2 * inner});
            x = exchange.cropped(backend, std::move(x));
        }
    }
    x.reshape({batch, route_.owned, 2, pencil(1), channels});
    return x;
}

InFlightTensor SharedSpectrum::start_inverse(Backend& backend, Tensor own) const {
    const std::int64_t batch = own.shape()[0], inner = pencil(own.shape()[-1]);
    InFlightTensor in_flight(std::move(own));
    for (std::size_t i = route_.stages.size(); i-- > 0;) {
        const AxisExchange& exchange = route_.stages[i].exchange;
        const std::int64_t after = route_.stages[i].after;
        Tensor x = in_flight.wait();
        x.reshape({batch, exchange.owned(), after * 2 * inner});
        if (exchange.by_transpose()) {
            x = exchange.widened(backend, std::move(x));
            x.reshape({batch * exchange.covered(), exchange.modes(), after, 2, inner});
            x = transform_->inverse_lines(route_.stages[i].axis, std::move(x));
            x.reshape({batch, exchange.covered(), exchange.cells(), after * 2 * inner});
        }
        in_flight = exchange.to_holders(backend, std::move(x));
    }
    return in_flight;
}

void SharedSpectrum::finish_inverse(InFlightTensor in_flight, OutputRef field, Activation f, Scaling scaling) const {
    transform_->inverse(in_flight.wait(), field, f, scaling, route_.left);
}

}  // namespace plumecast
