// Convolutions of the published network, forward and both gradients, with stride 1, 2 and transposed: whether the
// backend takes them, how far they are from float32 on the CPU at the very size that is timed, and how fast they are.
// One line of JSON. PLUMECAST_CUDA_CONV chooses between cuDNN and our own kernels.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
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
};

/// Numbers of a normal distribution, rounded to a type, on the host.
Tensor normal_numbers(Backend& backend, const Shape& shape, DType type, std::uint32_t seed) {
    Tensor host = host_zeros(shape);
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    for (float& value : host.values<float>()) {
        value = normal(random);
    }
    Tensor rounded(backend.memory(), shape, type);
    backend.upload(host, rounded);
    backend.download(std::as_const(rounded).view(), host);
    return host;
}

Tensor uploaded(Backend& backend, const Tensor& host, DType type) {
    Tensor there(backend.memory(), host.shape(), type);
    backend.upload(host, there);
    return there;
}

/// The operands of a coupling on the host, as the fields of a backend hold them.
struct Operands {
    Tensor coarse, fine, weight;

    Operands(Backend& backend, const Coupling& of)
        : coarse(normal_numbers(backend, of.coarse, backend.field_type(), 1)),
          fine(normal_numbers(backend, of.fine, backend.field_type(), 2)),
          weight(normal_numbers(backend, of.weight, DType::float32, 3)) {}
};

ConvGeometry geometry_of(const Kind& kind) {
    ConvGeometry geometry{.kernel = {kind.taps, kind.taps, kind.taps},
                          .stride = {kind.stride, kind.stride, kind.stride}};
    geometry.transposed = kind.transposed;
    return geometry;
}

struct Problem {
    ConvGeometry geometry;
    Coupling of;
    Tensor coarse, fine, weight;
    bool transposed;

    Problem(Backend& backend, const Kind& kind, const Coupling& coupling, const Operands& operands)
        : geometry(geometry_of(kind)),
          of(coupling),
          coarse(uploaded(backend, operands.coarse, backend.field_type())),
          fine(uploaded(backend, operands.fine, backend.field_type())),
          weight(uploaded(backend, operands.weight, DType::float32)),
          transposed(kind.transposed) {}

    /// Which array the product writes.
    const Shape& result_shape(Product product) const {
        if (product == Product::weight_gradient) {
            return of.weight;
        }
        return (product == Product::forward) == transposed ? of.fine : of.coarse;
    }
    void run(Backend& backend, Product product, View result) const {
        const std::array<ConstView, 1> input{transposed ? coarse.view() : fine.view()};
        const ConstView upstream = transposed ? fine.view() : coarse.view();
        if (product == Product::forward) {
            backend.conv(geometry, input, weight.view(), {}, {result}, Activation::identity());
        } else if (product == Product::data_gradient) {
            const std::array<OutputRef, 1> target{OutputRef{result}};
            backend.conv_data_gradient(geometry, upstream, weight.view(), target);
        } else {
            backend.conv_weight_gradient(geometry, input, upstream, {result});
        }
    }
};

/// The result of a product on the host.
Tensor result_of(Backend& backend, const Problem& problem, Product product) {
    const DType type = product == Product::weight_gradient ? DType::float32 : backend.field_type();
    Tensor result(backend.memory(), problem.result_shape(product), type), host = host_zeros(result.shape());
    problem.run(backend, product, result);
    backend.download(std::as_const(result).view(), host);
    return host;
}

/// Largest difference from a reference over its root mean square.
double error_of(const Tensor& result, const Tensor& reference) {
    double worst = 0.0, squares = 0.0;
    const float *value = result.view().as<float>(), *exact = reference.view().as<float>();
    const std::int64_t count = reference.shape().count();
    for (std::int64_t i = 0; i < count; ++i) {
        const double difference = std::abs(static_cast<double>(value[i]) - static_cast<double>(exact[i]));
        worst = difference <= worst ? worst : difference;  // NaN counts as the worst
        squares += static_cast<double>(exact[i]) * static_cast<double>(exact[i]);
    }
    return worst / std::sqrt(squares / static_cast<double>(count));
}

/// Shortest time of a product [s], after a run that warms up.
double seconds_of(Backend& backend, const Problem& problem, Product product, int repeats) {
    const DType type = product == Product::weight_gradient ? DType::float32 : backend.field_type();
    Tensor result(backend.memory(), problem.result_shape(product), type);
    double best = std::numeric_limits<double>::infinity();
    for (int run = 0; run <= repeats; ++run) {
        backend.wait();
        const auto start = std::chrono::steady_clock::now();
        problem.run(backend, product, result);
        backend.wait();
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
        best = run == 0 ? best : std::min(best, spent.count());
    }
    return best;
}

/// What is known of one product; `refused` counts those that the backend does not do.
Json measured(Backend& backend, Backend& cpu, const Kind& kind, const Shape& grid, Product product, int repeats,
              int& refused) {
    constexpr std::array names{"forward", "data_gradient", "weight_gradient"};
    Json::Object row{{"kind", kind.name}, {"product", names.at(static_cast<std::size_t>(product))}};
    try {
        const Coupling coupling(kind, grid, geometry_of(kind));
        const Operands operands(backend, coupling);
        const Problem problem(backend, kind, coupling, operands);
        const Tensor reference = result_of(cpu, Problem(cpu, kind, coupling, operands), product);
        row.emplace_back("error", error_of(result_of(backend, problem, product), reference));
        const double best = seconds_of(backend, problem, product, repeats);
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
    const auto cpu = make_cpu_backend();
    const Shape whole{1, 104 / divisor / 2 * 2, 208 / divisor / 2 * 2, 32 / divisor / 2 * 2, 1};
    Json::Array rows;
    int refused = 0;
    for (const Kind& kind : kinds) {
        for (const Product product : {Product::forward, Product::data_gradient, Product::weight_gradient}) {
            const Shape grid = kind.transposed ? Shape{1, whole[1] / 2, whole[2] / 2, whole[3] / 2, 1} : whole;
            rows.push_back(measured(*backend, *cpu, kind, grid, product, repeats, refused));
        }
    }
    std::puts(Json(Json::Object{{"device", backend->description()}, {"convolutions", rows}}).dump(-1).c_str());
    return refused == 0 ? 0 : 1;
}

}  // namespace
}  // namespace plumecast::bench

int main(int argc, char** argv) { return plumecast::bench::guarded(plumecast::bench::run, argc, argv); }
