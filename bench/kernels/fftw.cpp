#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "kernels.hpp"
#include "truncated_transform.hpp"

namespace plumecast::bench {
namespace {

constexpr int channels = 36;
constexpr std::int64_t kept = 10;

using Plan = std::unique_ptr<fftwf_plan_s, decltype(&fftwf_destroy_plan)>;

/// Full real transform of [Z, R, T, C] over three axes and back into another field, channels last.
struct FullTransform {
    Tensor spectrum;  // [Z, R, T/2+1, C] complex
    Plan forward, back;

    FullTransform(Context& context, const Grid& grid, Tensor& field, Tensor& result)
        : spectrum(context.backend->memory(), {grid.z, grid.r, grid.t / 2 + 1, channels, 2}, DType::float32),
          forward(nullptr, fftwf_destroy_plan),
          back(nullptr, fftwf_destroy_plan) {
        fftwf_init_threads();
        fftwf_plan_with_nthreads(context.threads);
        const int extents[] = {static_cast<int>(grid.z), static_cast<int>(grid.r), static_cast<int>(grid.t)};
        auto* complex = static_cast<fftwf_complex*>(spectrum.view().data);
        forward.reset(fftwf_plan_many_dft_r2c(3, extents, channels, field.view().as<float>(), nullptr, channels, 1,
                                              complex, nullptr, channels, 1, FFTW_MEASURE));
        back.reset(fftwf_plan_many_dft_c2r(3, extents, channels, complex, nullptr, channels, 1,
                                           result.view().as<float>(), nullptr, channels, 1, FFTW_MEASURE));
    }
};

/// Relative difference of all kept modes from those of the truncated transform.
double difference(const Grid& grid, const Tensor& full, const Tensor& truncated) {
    double error = 0.0, norm = 0.0;
    for (std::int64_t k = 0; k < 4 * kept * kept; ++k) {
        const std::int64_t z = k / (2 * kept), r = k % (2 * kept);
        const std::int64_t kz = z < kept ? z : grid.z - 2 * kept + z, kr = r < kept ? r : grid.r - 2 * kept + r;
        for (std::int64_t i = 0; i < kept * channels; ++i) {
            const float* a = full.view().as<float>() + ((kz * grid.r + kr) * (grid.t / 2 + 1) * channels + i) * 2;
            const float* b = truncated.view().as<float>() + k * 2 * kept * channels + i;
            const double re = a[0] - b[0], im = a[1] - b[kept * channels];
            error += re * re + im * im;
            norm += static_cast<double>(a[0]) * a[0] + static_cast<double>(a[1]) * a[1];
        }
    }
    return std::sqrt(error / norm);
}

void full_transform(benchmark::State& state, Context& context, const Grid& grid) {
    Backend& backend = *context.backend;
    const Shape shape{1, grid.z, grid.r, grid.t, channels};
    Tensor field = random_array(backend, shape, 1), result = random_array(backend, shape, 2);
    const FullTransform full(context, grid, field, result);  // planning overwrites the arrays
    const Tensor original = random_array(backend, shape, 1);
    std::ranges::copy(original.values<float>(), field.values<float>().begin());
    TruncatedTransform truncated(backend, {grid.z, grid.r, grid.t}, {kept, kept, kept}, channels);
    Tensor expected = truncated.spectrum();
    truncated.forward(field, expected);
    fftwf_execute(full.forward.get());
    const bool agrees = difference(grid, full.spectrum, expected) < 1e-5;
    const auto check = [&] {
        return agrees && std::ranges::all_of(sampled(shape.count(), 500), [&](std::int64_t i) {
                   const auto place = static_cast<std::size_t>(i);
                   const float back = result.values<float>()[place] / static_cast<float>(grid.cells());
                   return std::abs(back - original.values<float>()[place]) < 1e-4f;
               });
    };
    prove_then_time(state, context, {0.0, 2.0 * 4.0 * static_cast<double>(shape.count())}, check, [&] {
        fftwf_execute(full.forward.get());
        fftwf_execute(full.back.get());
    });
}

}  // namespace

void register_fftw(Context& context) {
    std::vector<Grid> all = grids;
    all.insert(all.end(), lengths.begin(), lengths.end());
    for (const Grid& grid : all) {
        register_kernel("spectral/full_fftw/" + grid.name,
                        [&context, grid](benchmark::State& state) { full_transform(state, context, grid); });
    }
}

}  // namespace plumecast::bench
