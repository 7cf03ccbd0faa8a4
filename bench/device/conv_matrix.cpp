// Convolutions of the published network, forward and both gradients, with stride 1, 2 and transposed: whether the
// backend takes them, how far samples are from sums in float64, and how fast they are. One line of JSON.
// PLUMECAST_CUDA_CONV chooses between cuDNN and our own kernels.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <plumecast/backend/cuda.hpp>
#include <plumecast/core/json.hpp>

#include "program.hpp"

namespace plumecast::bench {
namespace {

enum class Product { forward, data_gradient, weight_gradient };

struct Kind {
    const char* name;
    std::int64_t taps, stride;
    bool transposed;
    std::int64_t inputs, outputs;
};
// 291 of the 438 GFLOP of a pass are in the first of these, 88 in the last.
constexpr std::array kinds{Kind{"stride_1", 3, 1, false, 72, 36}, Kind{"stride_2", 3, 2, false, 36, 36},
                           Kind{"transposed", 4, 2, true, 72, 36}};

/// A coarse field [B, q, C] and a fine one [B, p, F], coupled by a weight [C, k, F]: q takes p = q stride + k - 1.
struct Coupling {
    Shape coarse, fine, weight;
    std::int64_t stride;

    Coupling(const Kind& kind, const Shape& grid, const ConvGeometry& geometry) : stride(kind.stride) {
        const Shape input = grid.with(4, kind.inputs), output = geometry.output_shape(input, kind.outputs);
        coarse = kind.transposed ? input : output;
        fine = kind.transposed ? output : input;
        weight = geometry.weight_shape(kind.inputs, kind.outputs);
    }
    double operations() const { return 2.0 * static_cast<double>(coarse.count(0, 4) * weight.count()); }

    /// Calls use(coarse cell, tap, fine cell) for every pair of cells that a tap couples, as rows.
    template <class Use>
    void each_pair(const Use& use) const {
        const auto inside = [](std::int64_t at, std::int64_t extent) { return at >= 0 && at < extent; };
        for (std::int64_t row = 0; row < coarse.count(0, 4); ++row) {
            const std::int64_t q3 = row % coarse[3], q2 = row / coarse[3] % coarse[2],
                               q1 = row / coarse[3] / coarse[2] % coarse[1];
            const std::int64_t b = row / coarse[3] / coarse[2] / coarse[1];
            for (std::int64_t tap = 0; tap < weight.count(1, 4); ++tap) {
                const std::int64_t p1 = q1 * stride + tap / weight[3] / weight[2] - 1,
                                   p2 = q2 * stride + tap / weight[3] % weight[2] - 1,
                                   p3 = q3 * stride + tap % weight[3] - 1;
                if (inside(p1, fine[1]) && inside(p2, fine[2]) && inside(p3, fine[3])) {
                    use(row, tap, ((b * fine[1] + p1) * fine[2] + p2) * fine[3] + p3);
                }
            }
        }
    }
};

/// Numbers of a normal distribution as the backend stores them, and what it holds in their place.
struct Array {
    Tensor device, host;

    Array(Backend& backend, const Shape& shape, DType type, std::uint32_t seed)
        : device(backend.memory(), shape, type), host(host_zeros(shape)) {
        std::mt19937 random(seed);
        std::normal_distribution<float> normal;
        for (float& value : host.values<float>()) {
            value = normal(random);
        }
        backend.upload(host, device);
        backend.download(std::as_const(device).view(), host);  // rounded as the fields are
    }
    double at(std::int64_t i) const { return static_cast<double>(host.view().as<float>()[i]); }
};

struct Problem {
    ConvGeometry geometry;
    Coupling of;
    Array coarse, fine, weight;
    bool transposed;

    Problem(Backend& backend, const Kind& kind, const Shape& grid, const ConvGeometry& g)
        : geometry(g),
          of(kind, grid, g),
          coarse(backend, of.coarse, backend.field_type(), 1),
          fine(backend, of.fine, backend.field_type(), 2),
          weight(backend, of.weight, DType::float32, 3),
          transposed(kind.transposed) {}

    /// Which array the product writes.
    const Shape& result_shape(Product product) const {
        if (product == Product::weight_gradient) {
            return of.weight;
        }
        return (product == Product::forward) == transposed ? of.fine : of.coarse;
    }
    void run(Backend& backend, Product product, View result) const {
        const std::array<ConstView, 1> input{transposed ? coarse.device.view() : fine.device.view()};
        const ConstView upstream = transposed ? fine.device.view() : coarse.device.view();
        if (product == Product::forward) {
            backend.conv(geometry, input, weight.device.view(), {}, {result}, Activation::identity());
        } else if (product == Product::data_gradient) {
            const std::array<OutputRef, 1> target{OutputRef{result}};
            backend.conv_data_gradient(geometry, upstream, weight.device.view(), target);
        } else {
            backend.conv_weight_gradient(geometry, input, upstream, {result});
        }
    }
    /// Largest difference of some channels of the result from sums in float64, of their root mean square.
    double error(Product product, const Tensor& result) const {
        const Shape& shape = result_shape(product);
        const std::int64_t channels_c = of.coarse[4], channels_f = of.fine[4], taps = of.weight.count(1, 4);
        std::vector<double> exact(static_cast<std::size_t>(shape.count()), 0.0);
        const auto sum = [&](std::int64_t i) -> double& { return exact[static_cast<std::size_t>(i)]; };
        const bool makes_coarse = product != Product::weight_gradient && &shape == &of.coarse;
        // One channel of the result and every one of the other field: enough to meet all cells and taps.
        of.each_pair([&](std::int64_t q, std::int64_t tap, std::int64_t p) {
            if (product == Product::weight_gradient) {
                for (std::int64_t f = 0; f < channels_f; ++f) {
                    sum(tap * channels_f + f) += coarse.at(q * channels_c) * fine.at(p * channels_f + f);
                }
            } else if (makes_coarse) {
                for (std::int64_t f = 0; f < channels_f; ++f) {
                    sum(q * channels_c) += weight.at(tap * channels_f + f) * fine.at(p * channels_f + f);
                }
            } else {
                for (std::int64_t c = 0; c < channels_c; ++c) {
                    sum(p * channels_f) += weight.at((c * taps + tap) * channels_f) * coarse.at(q * channels_c + c);
                }
            }
        });
        double worst = 0.0, squares = 0.0;
        std::int64_t met = 0;
        for (std::int64_t i = 0; i < shape.count(); ++i) {
            const double value = sum(i);
            if (value != 0.0) {
                worst = std::max(worst, std::abs(value - static_cast<double>(result.view().as<float>()[i])));
                squares += value * value;
                ++met;
            }
        }
        return worst / std::sqrt(squares / static_cast<double>(std::max<std::int64_t>(met, 1)));
    }
};

ConvGeometry geometry_of(const Kind& kind) {
    ConvGeometry geometry{.kernel = {kind.taps, kind.taps, kind.taps},
                          .stride = {kind.stride, kind.stride, kind.stride}};
    geometry.transposed = kind.transposed;
    return geometry;
}

/// What is known of one product; `refused` counts those that the backend does not do.
Json measured(Backend& backend, const Kind& kind, const Shape& full_grid, Product product, int repeats, int& refused) {
    constexpr std::array names{"forward", "data_gradient", "weight_gradient"};
    Json::Object row{{"kind", kind.name}, {"product", names.at(static_cast<std::size_t>(product))}};
    try {
        const ConvGeometry geometry = geometry_of(kind);
        const auto result_of = [&](const Problem& problem) {
            const DType type = product == Product::weight_gradient ? DType::float32 : backend.field_type();
            return Tensor(backend.memory(), problem.result_shape(product), type);
        };
        const auto checked = [&](const Shape& grid) {
            const Problem problem(backend, kind, grid, geometry);
            Tensor result = result_of(problem), host = host_zeros(result.shape());
            problem.run(backend, product, result);
            backend.download(std::as_const(result).view(), host);
            return problem.error(product, host);
        };
        row.emplace_back("error", checked({1, 8, 12, 8, 1}));
        const Shape grid =
            kind.transposed ? Shape{1, full_grid[1] / 2, full_grid[2] / 2, full_grid[3] / 2, 1} : full_grid;
        const Problem problem(backend, kind, grid, geometry);
        Tensor result = result_of(problem);
        double best = 1e30;
        for (int run = 0; run <= repeats; ++run) {
            backend.wait();
            const auto start = std::chrono::steady_clock::now();
            problem.run(backend, product, result);
            backend.wait();
            const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
            best = run == 0 ? best : std::min(best, spent.count());
        }
        row.emplace_back("accepted", true);
        row.emplace_back("ms", 1e3 * best);
        row.emplace_back("tflops", problem.of.operations() / best * 1e-12);
    } catch (const Error& why) {
        ++refused;
        row.emplace_back("accepted", false);
        row.emplace_back("why", std::string(why.what()));
    }
    return row;
}

int run(int argc, char** argv) {
    CLI::App app("Convolutions of the published network: accepted, error, time.");
    bool cuda = false, bf16 = false, tf32 = false;
    std::int64_t divisor = 1;
    int repeats = 5;
    app.add_flag("--cuda", cuda, "On the first CUDA device instead of the CPU");
    app.add_flag("--bf16", bf16, "Fields of bfloat16");
    app.add_flag("--tf32", tf32, "Factors of ten bits");
    app.add_option("--divisor", divisor, "Of the published extents 104 x 208 x 32, for a rehearsal")
        ->capture_default_str();
    app.add_option("--repeat", repeats)->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    const Precision precision = bf16 ? Precision::bf16 : tf32 ? Precision::tf32 : Precision::fp32;
    const auto backend =
        cuda ? make_cuda_backend({.precision = precision}) : make_cpu_backend({.precision = precision});
    const Shape grid{1, 104 / divisor / 2 * 2, 208 / divisor / 2 * 2, 32 / divisor / 2 * 2, 1};
    Json::Array rows;
    int refused = 0;
    for (const Kind& kind : kinds) {
        for (const Product product : {Product::forward, Product::data_gradient, Product::weight_gradient}) {
            rows.push_back(measured(*backend, kind, grid, product, repeats, refused));
        }
    }
    std::puts(Json(Json::Object{{"device", backend->description()}, {"convolutions", rows}}).dump(-1).c_str());
    return refused == 0 ? 0 : 1;
}

}  // namespace
}  // namespace plumecast::bench

int main(int argc, char** argv) { return plumecast::bench::guarded(plumecast::bench::run, argc, argv); }
