// Times both ways of spectral transforms, by cuFFT and as products, over modes, length and precision, and prints a line
// of JSON for each.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <plumecast/backend/cuda.hpp>
#include <plumecast/core/json.hpp>

#include "backend/cuda/fft/choice.hpp"
#include "program.hpp"

namespace plumecast::bench {
namespace {

struct Sweep {
    bool cuda = false;
    std::vector<std::int64_t> lengths{64, 104, 208, 256, 512, 1024}, modes{8, 12, 16, 20, 24, 32, 48, 64, 96, 128};
    std::int64_t rows = 104, steps = 32, channels = 36;
    std::int64_t row_modes = 10, step_modes = 10;
    int runs = 20;
};

/// Mean time of several runs, the least of three; the device is waited for once for each.
double seconds_of(Backend& backend, int runs, const std::function<void()>& work) {
    work();
    double best = 1e30;
    for (int round = 0; round < 3; ++round) {
        backend.wait();
        const auto start = std::chrono::steady_clock::now();
        for (int k = 0; k < runs; ++k) {
            work();
        }
        backend.wait();
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
        best = std::min(best, spent.count() / runs);
    }
    return best;
}

/// A field [1, rows, length, steps, channels] forward and back.
Json::Object timed(Backend& backend, const std::string& precision, const Sweep& sweep, std::int64_t length,
                   std::int64_t modes) {
    const FourierGeometry geometry{{sweep.rows, length, sweep.steps}, {sweep.row_modes, modes, sweep.step_modes}};
    const Shape field{1, sweep.rows, length, sweep.steps, sweep.channels};
    const DType type = backend.field_type();
    Json::Object row{{"precision", precision}, {"length", length}, {"modes", modes}};
    row.emplace_back("products_ms", 1e3 * seconds_of(backend, sweep.runs, [&] {
                                        cuda::transform_by_products(backend, geometry, field, type);
                                    }));
    if (backend.transforms_by_fft(geometry, field, type)) {
        row.emplace_back("cufft_ms", 1e3 * seconds_of(backend, sweep.runs,
                                                      [&] { cuda::transform_by_fft(backend, geometry, field, type); }));
    }
    return row;
}

int run(int argc, char** argv) {
    CLI::App app("Spectral transforms forward and back, by cuFFT and as products with truncated matrices.");
    Sweep sweep;
    app.add_flag("--cuda", sweep.cuda, "On the first CUDA device instead of the CPU, which has products alone");
    app.add_option("--lengths", sweep.lengths, "Cells of the last axis of space")
        ->delimiter(',')
        ->capture_default_str();
    app.add_option("--modes", sweep.modes, "Modes of that axis")->delimiter(',')->capture_default_str();
    app.add_option("--rows", sweep.rows, "Cells of the axis before it")->capture_default_str();
    app.add_option("--steps", sweep.steps, "Time steps")->capture_default_str();
    app.add_option("--channels", sweep.channels, "Channels of the field")->capture_default_str();
    app.add_option("--runs", sweep.runs, "Transforms that are timed at once")->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    for (const auto& [name, precision] :
         {std::pair{"fp32", Precision::fp32}, std::pair{"tf32", Precision::tf32}, std::pair{"bf16", Precision::bf16}}) {
        if (!sweep.cuda && precision != Precision::fp32) {
            continue;
        }
        const auto backend = sweep.cuda ? make_cuda_backend({.precision = precision, .spectral = SpectralWay::cufft})
                                        : make_cpu_backend();
        for (const std::int64_t length : sweep.lengths) {
            for (const std::int64_t modes : sweep.modes) {
                if (modes <= length) {
                    Json::Object row = timed(*backend, name, sweep, length, modes);
                    row.emplace_back("device", backend->description());
                    std::puts(Json(row).dump(-1).c_str());
                }
            }
        }
    }
    return 0;
}

}  // namespace
}  // namespace plumecast::bench

int main(int argc, char** argv) { return plumecast::bench::guarded(plumecast::bench::run, argc, argv); }
