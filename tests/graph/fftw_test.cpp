#include <fftw3.h>

#include <gtest/gtest.h>

#include <complex>
#include <memory>

#include "graph/fourier.hpp"
#include "support/comparison.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

using Complex = std::complex<double>;

/// Full half-spectrum of a real field of extents [Z, R, T].
std::vector<Complex> fftw_spectrum(const Shape& extents, std::vector<double> field) {
    const std::int64_t count = extents[0] * extents[1] * (extents[2] / 2 + 1);
    std::vector<Complex> spectrum(static_cast<std::size_t>(count));
    const std::unique_ptr<fftw_plan_s, decltype(&fftw_destroy_plan)> plan(
        fftw_plan_dft_r2c_3d(static_cast<int>(extents[0]), static_cast<int>(extents[1]), static_cast<int>(extents[2]),
                             field.data(), reinterpret_cast<fftw_complex*>(spectrum.data()), FFTW_ESTIMATE),
        fftw_destroy_plan);
    fftw_execute(plan.get());
    return spectrum;
}

TEST(Fftw, AgreesOnEveryKeptMode) {
    const Shape extents{10, 12, 9};
    const std::vector<std::int64_t> modes{3, 4, 5};
    const auto oracle = make_oracle_backend();
    const Tensor field = random_tensor({1, 10, 12, 9, 1}, DType::float64, "field");
    Graph graph;
    graph.output("spectrum", truncated_fourier(graph.input("field", {field.shape()}), modes));
    const Tensor spectrum =
        std::move(evaluate(*oracle, graph, [&](const std::string&) { return field.view(); }).front());
    const std::span<const double> values = field.values<double>();
    const std::vector<Complex> full = fftw_spectrum(extents, {values.begin(), values.end()});
    Tensor expected = host_zeros(spectrum.shape(), DType::float64);
    double* out = expected.view().as<double>();
    for (std::int64_t k = 0; k < 6 * 8; ++k) {
        const std::int64_t kz = k / 8 < 3 ? k / 8 : 10 - 6 + k / 8, kr = k % 8 < 4 ? k % 8 : 12 - 8 + k % 8;
        for (std::int64_t t = 0; t < 5; ++t) {
            const Complex value = full[static_cast<std::size_t>((kz * 12 + kr) * 5 + t)];
            out[k * 10 + t] = value.real();
            out[k * 10 + 5 + t] = value.imag();
        }
    }
    expect_close(spectrum, expected, 1e-13);
}

}  // namespace
}  // namespace plumecast::testing
