#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <string>

#include <plumecast/spectral/modes.hpp>

#include "kernels.hpp"

namespace plumecast::bench {
namespace {

// One axis of the published layer at a time: so many numbers lie behind each cell, 32 times of 36 channels.
constexpr std::int64_t inner = 32 * 36;
constexpr std::int64_t all_cells = 16384;  // 75 MB, which no cache holds

using Plan = std::unique_ptr<fftwf_plan_s, decltype(&fftwf_destroy_plan)>;

/// A real field [outer, length, inner] whose middle axis is transformed.
struct Axis {
    std::int64_t length, modes;
    std::int64_t outer() const { return all_cells / length; }
    SpaceModes kept() const { return {length, modes}; }
};

Tensor matrix_of(Backend& backend, const Axis& axis) {
    const std::int64_t rows = 2 * (axis.modes + 1);
    Tensor matrix(backend.memory(), {rows, axis.length}, DType::float32);
    backend.upload(host_tensor<double>(matrix.shape(), axis.kept().rows()), matrix);
    return matrix;
}

/// Sums of cosines and sines for the kept modes: [outer, 2 (modes + 1), inner].
Tensor truncated(Backend& backend, const Axis& axis, const Tensor& matrix, const Tensor& field) {
    Tensor sums(backend.memory(), {axis.outer(), matrix.shape()[0], inner}, DType::float32);
    backend.transform_axis(matrix, field, {sums}, Activation::identity());
    return sums;
}

/// All modes of a line of cells, [length / 2 + 1, inner] complex, `inner` lines at once.
Plan plan_of(const Axis& axis, float* field, fftwf_complex* modes) {
    const int length = static_cast<int>(axis.length), count = static_cast<int>(inner);
    return {
        fftwf_plan_many_dft_r2c(1, &length, count, field, nullptr, count, 1, modes, nullptr, count, 1, FFTW_MEASURE),
        fftwf_destroy_plan};
}

void time_truncated(benchmark::State& state, Context& context, const Axis& axis) {
    Backend& backend = *context.backend;
    const Tensor field = random_array(backend, {axis.outer(), axis.length, inner}, 1);
    const Tensor matrix = matrix_of(backend, axis);
    const auto check = [&] {
        const Tensor sums = truncated(backend, axis, matrix, field);
        const std::vector<double> rows = axis.kept().rows();
        return std::ranges::all_of(sampled(sums.shape().count(), 200), [&](std::int64_t at) {
            const std::int64_t o = at / (matrix.shape()[0] * inner), row = at / inner % matrix.shape()[0];
            Expected sum;
            for (std::int64_t n = 0; n < axis.length; ++n) {
                const auto place = static_cast<std::size_t>((o * axis.length + n) * inner + at % inner);
                sum.add(rows[static_cast<std::size_t>(row * axis.length + n)] *
                        static_cast<double>(field.values<float>()[place]));
            }
            return sum.admits(sums.values<float>()[static_cast<std::size_t>(at)]);
        });
    };
    const double operations = 2.0 * static_cast<double>(field.shape().count() * matrix.shape()[0]);
    prove_then_time(state, context, {operations, 4.0 * static_cast<double>(field.shape().count())}, check,
                    [&] { benchmark::DoNotOptimize(truncated(backend, axis, matrix, field).view().data); });
}

/// FFTW computes all modes, whichever of them are kept. A piece of the field at a time, so that its modes stay in the
/// cache: what a transform that drops most of them would do.
void time_fftw(benchmark::State& state, Context& context, std::int64_t length) {
    Backend& backend = *context.backend;
    const Axis axis{length, length / 2 - 1};
    Tensor field = random_array(backend, {axis.outer(), length, inner}, 1);
    const std::int64_t modes = length / 2 + 1;
    Tensor spectra(backend.memory(), {context.threads, modes, inner, 2}, DType::float32);
    float* values = field.view().as<float>();
    auto* first = reinterpret_cast<fftwf_complex*>(spectra.view().as<float>());
    const Plan plan = plan_of(axis, values, first);  // overwrites the field
    const Tensor original = random_array(backend, field.shape(), 1);
    std::ranges::copy(original.values<float>(), field.values<float>().begin());
    const auto transformed = [&](std::int64_t o, std::int64_t thread) {
        fftwf_execute_dft_r2c(plan.get(), values + o * length * inner, first + thread * modes * inner);
    };
    const auto check = [&] {
        const Tensor expected = truncated(backend, axis, matrix_of(backend, axis), field);
        transformed(0, 0);
        return std::ranges::all_of(sampled((axis.modes + 1) * inner, 500), [&](std::int64_t at) {
            const auto real = static_cast<std::size_t>(at),
                       imaginary = real + static_cast<std::size_t>((axis.modes + 1) * inner);
            const double limit = 1e-4 * std::sqrt(static_cast<double>(length));
            return std::abs(first[at][0] - expected.values<float>()[real]) < limit &&
                   std::abs(first[at][1] + expected.values<float>()[imaginary]) < limit;
        });
    };
    prove_then_time(state, context, {0.0, 4.0 * static_cast<double>(field.shape().count())}, check, [&] {
#pragma omp parallel for num_threads(context.threads) schedule(static)
        for (std::int64_t thread = 0; thread < context.threads; ++thread) {
            for (std::int64_t o = thread; o < axis.outer(); o += context.threads) {
                transformed(o, thread);
            }
        }
    });
}

}  // namespace

void register_axis_curve(Context& context) {
    for (const std::int64_t length : {64, 208, 512, 1024, 2048}) {
        const std::string name = "spectral/axis/length/" + std::to_string(length);
        for (const std::int64_t modes : {8, 16, 32, 64, 128, 256, 512}) {
            if (modes <= length / 2) {
                register_kernel(name + "/modes/" + std::to_string(modes), [&context, length, modes](auto& state) {
                    time_truncated(state, context, {length, modes});
                });
            }
        }
        register_kernel(name + "/fftw", [&context, length](auto& state) { time_fftw(state, context, length); });
    }
}

}  // namespace plumecast::bench
