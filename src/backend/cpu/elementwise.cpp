#include <algorithm>
#include <cmath>
#include <numbers>

#include "backend/cpu/backend.hpp"
#include "backend/cpu/field_chunks.hpp"
#include "backend/cpu/parallel.hpp"
#include "backend/cpu/piecewise_linear.hpp"

namespace plumecast::cpu {
namespace {

constexpr std::int64_t grain = 32768;

template <class From, class To>
void convert(int threads, const From* x, To* y, std::int64_t count, double alpha) {
    const auto factor = static_cast<To>(alpha);
    parallel_ranges(threads, count, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            y[i] = factor * static_cast<To>(x[i]);
        }
    });
}

/// Calls line(x, y, count) on pieces of float32 or bfloat16 fields; `keeps` where it reads y.
template <class Line>
void map_lines(const SimdKernels& simd, int threads, ConstView x, View y, bool keeps, const Line& line) {
    expects(x.shape.count() == y.shape.count(), "equal element counts");
    parallel_ranges(threads, x.shape.count(), grain, [&](std::int64_t begin, std::int64_t end) {
        FieldReader in(simd, x);
        FieldWriter out(simd, y);
        for_chunks(begin, end, field_chunk, [&](std::int64_t first, std::int64_t count) {
            const float* u = in(first, count);
            out(first, count, keeps, [&](float* v) { line(u, v, count); });
        });
    });
}

/// y = f(x, y), the same.
template <class Function>
void map(const SimdKernels& simd, int threads, ConstView x, View y, bool keeps, const Function& function) {
    map_lines(simd, threads, x, y, keeps, [&](const float* u, float* v, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) {
            v[i] = function(u[i], v[i]);
        }
    });
}

/// The same numbers as float32, where one operand is float64 and the other bfloat16.
Tensor in_float32(int threads, ConstView x) {
    Tensor wide(host_memory(), x.shape, DType::float32);
    convert(threads, x.as<double>(), wide.view().as<float>(), x.shape.count(), 1.0);
    return wide;
}

/// y = alpha x where one of the two is float64.
void convert_double(const SimdKernels& simd, int threads, double alpha, ConstView x, View y) {
    expects(x.shape.count() == y.shape.count(), "equal element counts");
    const std::int64_t count = x.shape.count();
    if (x.type == DType::float64 && y.type == DType::float64) {
        convert(threads, x.as<double>(), y.as<double>(), count, alpha);
    } else if (y.type == DType::float32) {
        convert(threads, x.as<double>(), y.as<float>(), count, alpha);
    } else if (x.type == DType::float32) {
        convert(threads, x.as<float>(), y.as<double>(), count, alpha);
    } else if (x.type == DType::bfloat16) {
        Tensor wide(host_memory(), x.shape, DType::float32);
        map(simd, threads, x, wide, false, [](float u, float) { return u; });
        convert(threads, wide.view().as<float>(), y.as<double>(), count, alpha);
    } else {
        const auto factor = static_cast<float>(alpha);
        map(simd, threads, in_float32(threads, x), y, false, [=](float u, float) { return factor * u; });
    }
}

float gelu(float x) { return 0.5f * x * (1.0f + std::erf(x / std::numbers::sqrt2_v<float>)); }

float gelu_derivative(float x) {
    const float density = std::exp(-0.5f * x * x) / std::sqrt(2.0f * std::numbers::pi_v<float>);
    return 0.5f * (1.0f + std::erf(x / std::numbers::sqrt2_v<float>)) + x * density;
}

}  // namespace

void CpuBackend::upload(ConstView host, View device) { add(1.0, host, {device}); }

void CpuBackend::download(ConstView device, View host) { add(1.0, device, {host}); }

void CpuBackend::fill(View y, double value) {
    if (y.type == DType::float64) {
        std::fill_n(y.as<double>(), y.shape.count(), value);
        return;
    }
    const auto constant = static_cast<float>(value);
    map(*simd_, threads_, y, y, false, [=](float, float) { return constant; });
}

void CpuBackend::add(double alpha, ConstView x, OutputRef y) {
    const auto a = static_cast<float>(alpha), b = static_cast<float>(y.beta);
    if (y.beta != 0.0) {
        map(*simd_, threads_, x, y.view, true, [=](float u, float v) { return a * u + b * v; });
    } else if (x.type == DType::float64 || y.view.type == DType::float64) {
        convert_double(*simd_, threads_, alpha, x, y.view);
    } else {
        map(*simd_, threads_, x, y.view, false, [=](float u, float) { return a * u; });
    }
}

void CpuBackend::add_product(ConstView a, ConstView x, OutputRef y) {
    expects(a.shape.count() == y.view.shape.count() && x.shape.count() == y.view.shape.count(), "equal element counts");
    const float *first = a.as<float>(), *second = x.as<float>();
    float* out = y.view.as<float>();
    const auto beta = static_cast<float>(y.beta);
    parallel_ranges(threads_, y.view.shape.count(), grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            out[i] = first[i] * second[i] + (beta == 0.0f ? 0.0f : beta * out[i]);
        }
    });
}

void CpuBackend::activate(Activation f, ConstView x, View y) {
    const auto slope = static_cast<float>(f.slope);
    const auto run = [&](const auto& function) { map(*simd_, threads_, x, y, false, function); };
    switch (f.kind) {
        case Activation::Kind::identity:
            return run([](float u, float) { return u; });
        case Activation::Kind::relu:
            return run([](float u, float) { return u >= 0.0f ? u : 0.0f * u; });
        case Activation::Kind::leaky_relu:
            return run([=](float u, float) { return u >= 0.0f ? u : slope * u; });
        case Activation::Kind::tanh:
            return run([](float u, float) { return std::tanh(u); });
        case Activation::Kind::gelu:
            return run([](float u, float) { return gelu(u); });
    }
}

void CpuBackend::activation_gradient(Activation f, ConstView kept, View g) {
    const auto run = [&](const auto& function) { map(*simd_, threads_, kept, g, true, function); };
    switch (f.kind) {
        case Activation::Kind::identity:
            return;
        case Activation::Kind::relu:
        case Activation::Kind::leaky_relu:
            return map_lines(*simd_, threads_, kept, g, true, [&](const float* y, float* v, std::int64_t count) {
                simd_->fields->slope_gradient(y, v, count, negative_slope(f));
            });
        case Activation::Kind::tanh:
            return run([](float y, float v) { return v * (1.0f - y * y); });
        case Activation::Kind::gelu:
            return run([](float x, float v) { return v * gelu_derivative(x); });
    }
}

void CpuBackend::adam(const AdamStep& step, std::span<const AdamParameter> targets) {
    const double norm = step.clip_norm > 0.0 ? std::sqrt(*step.squared_norm.as<double>()) : 0.0;
    const double clip = norm > step.clip_norm ? step.clip_norm / norm : 1.0;
    const double correction1 = 1.0 - std::pow(step.beta1, static_cast<double>(step.step));
    const double correction2 = 1.0 - std::pow(step.beta2, static_cast<double>(step.step));
    // 1 - beta is rounded once: 1 - float(beta2) would be off by 1e-5 of itself.
    const AdamNumbers numbers{
        .beta1 = static_cast<float>(step.beta1),
        .rest1 = static_cast<float>(1.0 - step.beta1),
        .beta2 = static_cast<float>(step.beta2),
        .rest2 = static_cast<float>(1.0 - step.beta2),
        .scale = static_cast<float>(step.gradient_scale * clip),
        .decay = static_cast<float>(step.decoupled_decay ? 0.0 : step.weight_decay),
        .rate = static_cast<float>(step.learning_rate / correction1),
        .root = static_cast<float>(1.0 / std::sqrt(correction2)),
        .epsilon = static_cast<float>(step.epsilon),
        .shrink = static_cast<float>(step.decoupled_decay ? step.learning_rate * step.weight_decay : 0.0)};
    for (const AdamParameter& target : targets) {
        const float* g = target.gradient.as<float>();
        float *w = target.weight.as<float>(), *m = target.first.as<float>(), *v = target.second.as<float>();
        parallel_ranges(threads_, target.weight.shape.count(), grain, [&](std::int64_t begin, std::int64_t end) {
            simd_->fields->adam(numbers, g + begin, w + begin, m + begin, v + begin, end - begin);
        });
    }
}

}  // namespace plumecast::cpu
