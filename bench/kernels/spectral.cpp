#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>

#include "kernels.hpp"
#include "truncated_transform.hpp"

namespace plumecast::bench {
namespace {

constexpr std::int64_t channels = 36, kept = 10;

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
    TruncatedTransform transform(backend, {grid.z, grid.r, grid.t}, {kept, kept, kept}, channels);
    const Tensor field = random_array(backend, {1, grid.z, grid.r, grid.t, channels}, 1);
    Tensor result = random_array(backend, field.shape(), 2), spectrum = transform.spectrum();
    const auto check = [&] { return proves_spectrum(grid, field, spectrum) && proves_field(grid, spectrum, result); };
    // Reads one field and writes another; what lies between is small.
    const double bytes = 2.0 * 4.0 * static_cast<double>(field.shape().count());
    prove_then_time(state, context, {operations(grid), bytes}, check, [&] {
        transform.forward(field, spectrum);
        transform.inverse(spectrum, result);
    });
}

double product(const Tensor& a, const Tensor& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(a.shape().count()); ++i) {
        sum += static_cast<double>(a.values<float>()[i]) * static_cast<double>(b.values<float>()[i]);
    }
    return sum;
}

/// A transform on the published grid: in one direction, with what follows the inverse in a block, or the adjoint of
/// one.
struct Direction {
    std::string name;
    TruncatedTransform::Kind kind;
};

const std::vector<Direction> directions{
    {"forward", TruncatedTransform::Kind::forward},
    {"inverse", TruncatedTransform::Kind::inverse},
    {"inverse_added_and_activated", TruncatedTransform::Kind::added_and_activated_inverse},
    {"adjoint_of_inverse", TruncatedTransform::Kind::adjoint_of_inverse},
    {"adjoint_of_forward", TruncatedTransform::Kind::adjoint_of_forward}};

/// <A x, y> = <x, A^T y> for A x = `result` and some y.
bool proves_adjoint(Backend& backend, TruncatedTransform& transform, TruncatedTransform::Kind kind, const Tensor& x,
                    const Tensor& result) {
    const Tensor y = random_array(backend, result.shape(), 3);
    Tensor back(backend.memory(), x.shape(), DType::float32);
    transform.run(TruncatedTransform::adjoint(kind), y, back);
    const double right = product(x, back);
    return right != 0.0 && std::abs(product(result, y) / right - 1.0) < 1e-3;
}

void one_direction(benchmark::State& state, Context& context, const Grid& grid, const Direction& direction) {
    using Kind = TruncatedTransform::Kind;
    Backend& backend = *context.backend;
    TruncatedTransform transform(backend, {grid.z, grid.r, grid.t}, {kept, kept, kept}, channels);
    const Shape shape{1, grid.z, grid.r, grid.t, channels};
    const bool from_field = direction.kind == Kind::forward || direction.kind == Kind::adjoint_of_inverse;
    const bool is_fused = direction.kind == Kind::added_and_activated_inverse;
    const Tensor from = random_array(backend, from_field ? shape : transform.spectrum().shape(), 1);
    Tensor to = random_array(backend, from_field ? transform.spectrum().shape() : shape, 2);
    const auto check = [&] {
        return is_fused ? std::ranges::all_of(to.values<float>(), [](float value) { return value >= 0.0f; })
                        : proves_adjoint(backend, transform, direction.kind, from, to);
    };
    const double bytes = 4.0 * static_cast<double>(shape.count()) * (is_fused ? 2.0 : 1.0);
    prove_then_time(state, context, {0.5 * operations(grid), bytes}, check,
                    [&] { transform.run(direction.kind, from, to); });
}

/// Both directions with so many modes kept along both space axes, and along time at most half of them.
void kept_modes(benchmark::State& state, Context& context, const Grid& grid, std::int64_t count) {
    Backend& backend = *context.backend;
    const std::int64_t times = std::min(count, grid.t / 2);
    TruncatedTransform transform(backend, {grid.z, grid.r, grid.t}, {count, count, times}, channels);
    const Tensor field = random_array(backend, {1, grid.z, grid.r, grid.t, channels}, 1);
    Tensor result = random_array(backend, field.shape(), 2), spectrum = transform.spectrum();
    const auto run = [&] {
        transform.forward(field, spectrum);
        transform.inverse(spectrum, result);
    };
    const auto check = [&] {
        return proves_adjoint(backend, transform, TruncatedTransform::Kind::inverse, spectrum, result);
    };
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
