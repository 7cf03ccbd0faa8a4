#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>

#include <plumecast/spectral/spectral_transform.hpp>

#include "kernels.hpp"

namespace plumecast::bench {
namespace {

constexpr std::int64_t channels = 36, kept = 10;
using Scaling = SpectralTransform::Scaling;

/// Frequency of entry k of a space axis, ordered 0 .. m-1, -m .. -1.
std::int64_t frequency(std::int64_t k) { return k < kept ? k : k - 2 * kept; }

std::complex<double> turn(double turns) { return std::polar(1.0, 2.0 * std::numbers::pi * turns); }

/// e^{i phase} of mode (kz, kr, kt) at cell (z, r, t).
std::complex<double> wave(const Grid& g, std::int64_t mode, std::int64_t cell) {
    const std::int64_t kt = mode % kept, kr = frequency(mode / kept % (2 * kept)), kz = frequency(mode / kept / 20);
    const std::int64_t t = cell % g.t, r = cell / g.t % g.r, z = cell / g.t / g.r;
    return turn(static_cast<double>(kz * z) / static_cast<double>(g.z) +
                static_cast<double>(kr * r) / static_cast<double>(g.r) +
                static_cast<double>(kt * t) / static_cast<double>(g.t));
}

constexpr std::int64_t modes = 2 * kept * 2 * kept * kept;

/// Entry (re) of a spectrum [1, K, 2, mt, C]; im is kept * channels behind it.
std::int64_t entry(std::int64_t mode, std::int64_t channel) {
    return (mode / kept * 2 * kept + mode % kept) * channels + channel;
}

bool proves_spectrum(const Grid& grid, const Tensor& field, const Tensor& spectrum) {
    return std::ranges::all_of(sampled(modes, 6), [&](std::int64_t mode) {
        const std::int64_t c = mode % channels;
        Expected re, im;
        for (std::int64_t cell = 0; cell < grid.cells(); ++cell) {
            const auto w = std::conj(wave(grid, mode, cell)) *
                           static_cast<double>(field.values<float>()[static_cast<std::size_t>(cell * channels + c)]);
            re.add(w.real());
            im.add(w.imag());
        }
        const float* found = spectrum.view().as<float>() + entry(mode, c);
        return re.admits(found[0]) && im.admits(found[kept * channels]);
    });
}

bool proves_field(const Grid& grid, const Tensor& spectrum, const Tensor& field) {
    return std::ranges::all_of(sampled(grid.cells(), 50), [&](std::int64_t cell) {
        const std::int64_t c = cell % channels;
        Expected sum;
        for (std::int64_t mode = 0; mode < modes; ++mode) {
            const float* value = spectrum.view().as<float>() + entry(mode, c);
            const std::complex<double> amplitude(value[0], value[kept * channels]);
            const double times = mode % kept == 0 ? 1.0 : 2.0;  // the other half of the spectrum mirrors this one
            sum.add(times * (amplitude * wave(grid, mode, cell)).real() / static_cast<double>(grid.cells()));
        }
        return sum.admits(field.values<float>()[static_cast<std::size_t>(cell * channels + c)]);
    });
}

/// Operations of both directions, one axis after the other with sums of cosines and sines: r, t, then z.
double operations(const Grid& g) {
    const double space = 2.0 * (kept + 1), time = 2.0 * kept;
    const auto z = static_cast<double>(g.z), r = static_cast<double>(g.r), t = static_cast<double>(g.t);
    return 2.0 * 2.0 * static_cast<double>(channels) *
           (space * z * r * t + time * z * space * t + space * z * space * time);
}

void transform(benchmark::State& state, Context& context, const Grid& grid) {
    Backend& backend = *context.backend;
    const SpectralTransform transform(backend, {grid.z, grid.r, grid.t}, {kept, kept, kept});
    const Tensor field = random_array(backend, {1, grid.z, grid.r, grid.t, channels}, 1);
    Tensor result = random_array(backend, field.shape(), 2);
    const auto forward = [&] { return transform.forward(field, Scaling::plain); };
    const auto check = [&] {
        const Tensor spectrum = forward();
        return proves_spectrum(grid, field, spectrum) && proves_field(grid, spectrum, result);
    };
    // Reads one field and writes another; what lies between is small.
    const double bytes = 2.0 * 4.0 * static_cast<double>(field.shape().count());
    prove_then_time(state, context, {operations(grid), bytes}, check,
                    [&] { transform.inverse(forward(), {result}, Activation::identity(), Scaling::inverse); });
}

/// <analysis of x, analysis of x> = <x, synthesis of that>: the two directions are adjoint to each other.
bool proves_adjoint(Backend& backend, const SpectralTransform& transform, const Tensor& field, Scaling scaling) {
    Tensor back(backend.memory(), field.shape(), DType::float32);
    Tensor spectrum = transform.forward(field, scaling);
    const double norm = backend.squared_norm(spectrum);
    transform.inverse(std::move(spectrum), {back}, Activation::identity(), scaling);
    double product = 0.0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(field.shape().count()); ++i) {
        product += static_cast<double>(field.values<float>()[i]) * static_cast<double>(back.values<float>()[i]);
    }
    return norm > 0.0 && std::abs(product / norm - 1.0) < 1e-5;
}

/// The transform in one direction on the published grid: plain, fused with addition and activation, or an adjoint.
struct Direction {
    std::string name;
    bool is_forward;
    Scaling scaling;
    bool fused;
};

const std::vector<Direction> directions{{"forward", true, Scaling::plain, false},
                                        {"inverse", false, Scaling::inverse, false},
                                        {"inverse_added_and_activated", false, Scaling::inverse, true},
                                        {"adjoint_of_inverse", true, Scaling::inverse, false},
                                        {"adjoint_of_forward", false, Scaling::plain, false}};

void one_direction(benchmark::State& state, Context& context, const Grid& grid, const Direction& direction) {
    Backend& backend = *context.backend;
    const SpectralTransform transform(backend, {grid.z, grid.r, grid.t}, {kept, kept, kept});
    const Shape shape{1, grid.z, grid.r, grid.t, channels};
    const Tensor field = random_array(backend, shape, 1);
    Tensor result = random_array(backend, shape, 2);
    const Tensor spectrum = transform.forward(field, direction.scaling);
    const auto run = [&] {
        if (direction.is_forward) {
            benchmark::DoNotOptimize(transform.forward(field, direction.scaling).view().data);
            return;
        }
        Tensor copy(backend.memory(), spectrum.shape(), DType::float32);
        backend.add(1.0, spectrum, {copy});
        transform.inverse(std::move(copy), {result, direction.fused ? 1.0 : 0.0},
                          direction.fused ? Activation::relu() : Activation::identity(), direction.scaling);
    };
    const auto check = [&] { return proves_adjoint(backend, transform, field, direction.scaling); };
    const double bytes = 4.0 * static_cast<double>(shape.count()) * (direction.fused ? 2.0 : 1.0);
    prove_then_time(state, context, {0.5 * operations(grid), bytes}, check, run);
}

/// Both directions with so many modes kept along both space axes, and along time at most half of them.
void kept_modes(benchmark::State& state, Context& context, const Grid& grid, std::int64_t count) {
    Backend& backend = *context.backend;
    const std::int64_t times = std::min(count, grid.t / 2);
    const SpectralTransform transform(backend, {grid.z, grid.r, grid.t}, {count, count, times});
    const Tensor field = random_array(backend, {1, grid.z, grid.r, grid.t, channels}, 1);
    Tensor result = random_array(backend, field.shape(), 2);
    const auto run = [&] {
        transform.inverse(transform.forward(field, Scaling::plain), {result}, Activation::identity(), Scaling::inverse);
    };
    const auto check = [&] { return proves_adjoint(backend, transform, field, Scaling::plain); };
    prove_then_time(state, context, {0.0, 2.0 * 4.0 * static_cast<double>(field.shape().count())}, check, run);
}

/// y = relu(x + a): what one pass over memory costs, the yardstick of the transform.
void plain_pass(benchmark::State& state, Context& context, const Grid& grid) {
    Backend& backend = *context.backend;
    const Shape shape{grid.cells(), channels};
    const Tensor x = random_array(backend, shape, 1), a = random_array(backend, shape, 2);
    Tensor y = random_array(backend, shape, 3);
    const float *from = x.view().as<float>(), *added = a.view().as<float>();
    float* to = y.view().as<float>();
    const auto check = [&] {
        return std::ranges::all_of(sampled(shape.count(), 500),
                                   [&](std::int64_t i) { return to[i] == std::max(from[i] + added[i], 0.0f); });
    };
    prove_then_time(state, context, {0.0, 3.0 * 4.0 * static_cast<double>(shape.count())}, check, [&] {
#pragma omp parallel for simd num_threads(context.threads) schedule(static)
        for (std::int64_t i = 0; i < shape.count(); ++i) {
            const float sum = from[i] + added[i];
            to[i] = sum > 0.0f ? sum : 0.0f;
        }
        benchmark::ClobberMemory();
    });
}

}  // namespace

void register_spectral(Context& context) {
    for (const Grid& grid : grids) {
        register_kernel("spectral/transform_and_back/" + grid.name,
                        [&context, grid](benchmark::State& state) { transform(state, context, grid); });
        register_kernel("spectral/plain_pass/" + grid.name,
                        [&context, grid](benchmark::State& state) { plain_pass(state, context, grid); });
    }
    for (const Direction& direction : directions) {
        register_kernel("spectral/" + direction.name + "/published", [&context, &direction](benchmark::State& state) {
            one_direction(state, context, grids.front(), direction);
        });
    }
    for (const std::int64_t count : {5, 10, 16, 24, 32, 48}) {
        register_kernel(
            "spectral/transform_and_back/of_modes/" + std::to_string(count),
            [&context, count](benchmark::State& state) { kept_modes(state, context, grids.front(), count); });
    }
    for (const Grid& grid : lengths) {
        register_kernel("spectral/transform_and_back/" + grid.name,
                        [&context, grid](benchmark::State& state) { transform(state, context, grid); });
    }
}

}  // namespace plumecast::bench
