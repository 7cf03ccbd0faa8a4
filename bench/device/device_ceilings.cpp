// Measures how fast a backend copies and multiplies, as ceilings for everything else, and prints one line of JSON.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <plumecast/backend/cuda.hpp>
#include <plumecast/core/json.hpp>

#include "program.hpp"

namespace plumecast::bench {
namespace {

/// Shortest time of a few runs of many; the device is waited for once per run.
double seconds_of(Backend& backend, ConstView result, int count, const std::function<void()>& op) {
    Tensor one = host_zeros({1});
    const auto wait = [&] { backend.download(result.reshaped({result.shape.count()}).rows(0, 1), one); };
    op();
    wait();
    double best = 1e30;
    for (int run = 0; run < 5; ++run) {
        const auto start = std::chrono::steady_clock::now();
        for (int k = 0; k < count; ++k) {
            op();
        }
        wait();
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
        best = std::min(best, spent.count() / count);
    }
    return best;
}

/// [GB/s], bytes read and written.
double copy_rate(Backend& backend, std::int64_t numbers) {
    Tensor x(backend.memory(), {numbers}, DType::float32), y(backend.memory(), {numbers}, DType::float32);
    backend.fill(x, 1.0);
    const double seconds = seconds_of(backend, y, 5, [&] { backend.add(1.0, x, {y}); });
    return 2.0 * static_cast<double>(x.bytes()) / seconds * 1e-9;
}

/// [TFLOP/s] of square products of fields.
double product_rate(Backend& backend, std::int64_t side) {
    const Shape shape{side, side};
    Tensor a(backend.memory(), shape, backend.field_type()), b(backend.memory(), shape, backend.field_type());
    Tensor c(backend.memory(), shape, DType::float32);
    Tensor random = host_zeros(shape);  // zeros would let the chip run faster than it can
    std::uint32_t state = 1;
    for (float& value : random.values<float>()) {
        state = state * 1664525u + 1013904223u;
        value = static_cast<float>(state >> 8) / 8388608.0f - 1.0f;
    }
    backend.upload(random, a);
    backend.upload(random, b);
    const double seconds =
        seconds_of(backend, c, 5, [&] { backend.gemm(false, false, a, b, {c}, {}, Activation::identity()); });
    return 2.0 * static_cast<double>(side * side * side) / seconds * 1e-12;
}

int run(int argc, char** argv) {
    CLI::App app("Copies and matrix products of a backend, as fast as its ops do them.");
    bool cuda = false;
    std::int64_t side = 8192, mebibytes = 1024;
    app.add_flag("--cuda", cuda, "On the first CUDA device instead of the CPU");
    app.add_option("--side", side, "Rows and columns of the matrices")->capture_default_str();
    app.add_option("--mebibytes", mebibytes, "Of the array that is copied")->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    Json::Object result;
    for (const auto& [name, precision] :
         {std::pair{"fp32", Precision::fp32}, std::pair{"tf32", Precision::tf32}, std::pair{"bf16", Precision::bf16}}) {
        if (!cuda && precision != Precision::fp32) {
            continue;
        }
        const auto backend = cuda ? make_cuda_backend({.precision = precision}) : make_cpu_backend();
        result.emplace_back(std::string(name) + "_tflops", product_rate(*backend, side));
        if (precision == Precision::fp32) {
            result.emplace_back("device", backend->description());
            result.emplace_back("copy_gb_per_s", copy_rate(*backend, mebibytes * (1 << 18)));
        }
    }
    std::puts(Json(result).dump(-1).c_str());
    return 0;
}

}  // namespace
}  // namespace plumecast::bench

int main(int argc, char** argv) { return plumecast::bench::guarded(plumecast::bench::run, argc, argv); }
