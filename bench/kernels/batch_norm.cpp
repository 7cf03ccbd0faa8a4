#include <algorithm>
#include <cmath>
#include <string>

#include "kernels.hpp"

namespace plumecast::bench {
namespace {

/// Batch norm of x [rows, channels] with leaky ReLU behind it.
struct Arrays {
    Tensor x, gradient, weight, bias, y, moments, sums;
    Activation activation = Activation::leaky_relu(0.1);

    Arrays(Backend& backend, std::int64_t rows, std::int64_t channels)
        : x(random_array(backend, {rows, channels}, 1)),
          gradient(random_array(backend, {rows, channels}, 2)),
          weight(random_array(backend, {channels}, 3)),
          bias(random_array(backend, {channels}, 4)),
          y(random_array(backend, {rows, channels}, 5)),
          moments(backend.memory(), {2, channels}, DType::float64),
          sums(backend.memory(), {2, channels}, DType::float64) {}
    BatchNormStatistics statistics() const { return {moments, static_cast<double>(x.shape()[0]), 1e-5}; }
    Work passes(double arrays) const { return {0.0, arrays * 4.0 * static_cast<double>(x.shape().count())}; }
};

/// One channel by its definition.
struct Channel {
    const Arrays& a;
    std::int64_t c;
    double mean = 0.0, squares = 0.0, slope_sum = 0.0, slope_product = 0.0;

    Channel(const Arrays& arrays, std::int64_t channel) : a(arrays), c(channel) {
        const std::int64_t rows = a.x.shape()[0];
        for (std::int64_t row = 0; row < rows; ++row) {
            mean += at(a.x, row) / static_cast<double>(rows);
        }
        for (std::int64_t row = 0; row < rows; ++row) {
            squares += (at(a.x, row) - mean) * (at(a.x, row) - mean);
        }
        for (std::int64_t row = 0; row < rows; ++row) {
            slope_sum += slope(row);
            slope_product += slope(row) * normal(row);
        }
    }
    double at(const Tensor& array, std::int64_t row) const {
        return array.values<float>()[static_cast<std::size_t>(row * a.x.shape()[1] + c)];
    }
    double of(const Tensor& vector) const { return vector.values<float>()[static_cast<std::size_t>(c)]; }
    double inverse_deviation() const { return 1.0 / std::sqrt(squares / static_cast<double>(a.x.shape()[0]) + 1e-5); }
    double normal(std::int64_t row) const { return (at(a.x, row) - mean) * inverse_deviation(); }
    double straight(std::int64_t row) const { return of(a.weight) * normal(row) + of(a.bias); }
    double result(std::int64_t row) const { return straight(row) * (straight(row) >= 0.0 ? 1.0 : 0.1); }
    double slope(std::int64_t row) const { return at(a.gradient, row) * (straight(row) >= 0.0 ? 1.0 : 0.1); }
    double gradient_x(std::int64_t row) const {
        const auto rows = static_cast<double>(a.x.shape()[0]);
        return of(a.weight) * inverse_deviation() *
               (slope(row) - slope_sum / rows - normal(row) * slope_product / rows);
    }
};

bool near(double found, double expected) { return std::abs(found - expected) <= 1e-4 * (1.0 + std::abs(expected)); }

void forward(benchmark::State& state, Context& context, Arrays a) {
    const auto check = [&] {
        const Channel channel(a, 1);
        return std::ranges::all_of(sampled(a.x.shape()[0], 500),
                                   [&](std::int64_t row) { return near(channel.at(a.y, row), channel.result(row)); });
    };
    prove_then_time(state, context, a.passes(3.0), check, [&] {
        context.backend->moments(a.x, a.moments);
        context.backend->normalise(a.x, a.statistics(), a.weight, a.bias, a.activation, a.y);
    });
}

void backward(benchmark::State& state, Context& context, Arrays a) {
    context.backend->moments(a.x, a.moments);
    const auto check = [&] {
        const Channel channel(a, 1);
        return std::ranges::all_of(sampled(a.x.shape()[0], 500), [&](std::int64_t row) {
            // At a kink of the activation, rounding decides which side counts.
            return std::abs(channel.straight(row)) < 1e-4 || near(channel.at(a.y, row), channel.gradient_x(row));
        });
    };
    prove_then_time(state, context, a.passes(5.0), check, [&] {
        context.backend->normalise_sums(a.x, a.gradient, a.statistics(), a.weight, a.bias, a.activation, a.sums);
        context.backend->normalise_gradient(a.x, a.gradient, a.statistics(), a.weight, a.bias, a.activation, a.sums,
                                            {a.y});
    });
}

}  // namespace

void register_batch_norm(Context& context) {
    for (const Grid& grid : grids) {
        const std::int64_t half = grid.cells() / 8;  // the widest field of the U-Net that is normalised
        register_kernel("batch_norm/forward/width36/" + grid.name, [&context, half](benchmark::State& state) {
            forward(state, context, Arrays(*context.backend, half, 36));
        });
        register_kernel("batch_norm/backward/width36/" + grid.name, [&context, half](benchmark::State& state) {
            backward(state, context, Arrays(*context.backend, half, 36));
        });
    }
}

}  // namespace plumecast::bench
