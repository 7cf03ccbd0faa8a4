#pragma once

#include <cstdint>

#include "backend/cuda/kernels/backend.hpp"
#include "backend/cuda/kernels/elements.hpp"
#include "backend/cuda/kernels/pointwise.hpp"

namespace plumecast::cuda {
namespace kernel {

/// One element of y[o, m, n] = f(sum_k matrix[m, k] x[o, k, n] + beta y[o, m, n]), for products no library takes.
template <class From, class To>
struct AxisProduct {
    const float* matrix;
    const From* x;
    To* y;
    std::int64_t rows, depth, inner;
    float beta;
    Pointwise f;

    constexpr void operator()(std::int64_t i) const {
        const std::int64_t n = i % inner, m = i / inner % rows, o = i / inner / rows;
        float sum = 0.0f;
        for (std::int64_t k = 0; k < depth; ++k) {
            sum += matrix[m * depth + k] * number(x[(o * depth + k) * inner + n]);
        }
        y[i] = static_cast<To>(f(beta != 0.0f ? sum + beta * number(y[i]) : sum));
    }
};

/// Extents of the arguments of combine_signs: separate sums [outer, 2 (cos, sin), n + 1, mid, 2 (re, im), inner] and
/// signed rows [outer, 2 n, mid, 2, inner].
struct SignAxis {
    std::int64_t outer, n, mid, inner, dropped_from;

    constexpr std::int64_t separate(std::int64_t o, std::int64_t trig, std::int64_t k, std::int64_t m,
                                    std::int64_t part, std::int64_t i) const {
        return ((((o * 2 + trig) * (n + 1) + k) * mid + m) * 2 + part) * inner + i;
    }
    constexpr std::int64_t combined(std::int64_t o, std::int64_t row, std::int64_t m, std::int64_t part,
                                    std::int64_t i) const {
        return (((o * 2 * n + row) * mid + m) * 2 + part) * inner + i;
    }
    constexpr bool keeps_positive(std::int64_t k) const { return k < n && k < dropped_from; }
};

/// One element of the signed rows: y[k] = cos - i sin for k < n, cos + i sin beyond, of real and imaginary sums.
struct CombineSigns {
    SignAxis axis;
    const float* x;
    float* y;

    constexpr void operator()(std::int64_t position) const {
        const std::int64_t i = position % axis.inner, part = position / axis.inner % 2;
        const std::int64_t m = position / axis.inner / 2 % axis.mid;
        const std::int64_t row = position / axis.inner / 2 / axis.mid % (2 * axis.n);
        const std::int64_t o = position / axis.inner / 2 / axis.mid / (2 * axis.n);
        const bool positive = row < axis.n;
        if (positive && !axis.keeps_positive(row)) {
            y[position] = 0.0f;
            return;
        }
        const std::int64_t k = positive ? row : 2 * axis.n - row;
        const float sine = x[axis.separate(o, 1, k, m, 1 - part, i)];
        // Multiplying the sine sums by -i brings their imaginary part, as it is, to the real one.
        y[position] = x[axis.separate(o, 0, k, m, part, i)] + (positive == (part == 0) ? sine : -sine);
    }
};

/// One element of the transpose of CombineSigns.
struct SeparateSigns {
    SignAxis axis;
    float* x;
    const float* y;

    constexpr void operator()(std::int64_t position) const {
        const std::int64_t i = position % axis.inner, part = position / axis.inner % 2;
        const std::int64_t m = position / axis.inner / 2 % axis.mid;
        const std::int64_t k = position / axis.inner / 2 / axis.mid % (axis.n + 1);
        const std::int64_t trig = position / axis.inner / 2 / axis.mid / (axis.n + 1) % 2;
        const std::int64_t o = position / axis.inner / 2 / axis.mid / (axis.n + 1) / 2;
        const std::int64_t from = trig == 0 ? part : 1 - part;
        const float sign = trig == 0 ? 1.0f : (from == 0 ? 1.0f : -1.0f);
        float value = 0.0f;
        if (axis.keeps_positive(k)) {
            value += sign * y[axis.combined(o, k, m, from, i)];
        }
        if (k > 0) {
            value += (trig == 0 ? 1.0f : -sign) * y[axis.combined(o, 2 * axis.n - k, m, from, i)];
        }
        x[position] = value;
    }
};

/// Extents of x [B, K, 2, T, I], w [K, T, 2, I, O] and y [B, K, 2, T, O], and where their rows start.
struct ModeProduct {
    std::int64_t batch, sticks, times, inputs, outputs;

    ModeProduct(const Shape& x, const Shape& w) : batch(x[0]), sticks(x[1]), times(x[3]), inputs(w[3]), outputs(w[4]) {
        expects(x[1] == w[0] && x[2] == 2 && x[3] == w[1] && w[2] == 2, "matching extents in a complex product");
    }
    constexpr std::int64_t row(std::int64_t b, std::int64_t k, std::int64_t part, std::int64_t t) const {
        return ((b * sticks + k) * 2 + part) * times + t;
    }
    constexpr std::int64_t matrix(std::int64_t k, std::int64_t t, std::int64_t part) const {
        return ((k * times + t) * 2 + part) * inputs * outputs;
    }
};

/// Both parts of y[b, k, t, o]; index over [B, K, T, O].
struct ComplexProduct {
    ModeProduct p;
    const float *x, *w;
    float* y;

    constexpr void operator()(std::int64_t index) const {
        const std::int64_t o = index % p.outputs, t = index / p.outputs % p.times;
        const std::int64_t k = index / p.outputs / p.times % p.sticks, b = index / p.outputs / p.times / p.sticks;
        const float *x_re = x + p.row(b, k, 0, t) * p.inputs, *x_im = x + p.row(b, k, 1, t) * p.inputs;
        const float *w_re = w + p.matrix(k, t, 0) + o, *w_im = w + p.matrix(k, t, 1) + o;
        float re = 0.0f, im = 0.0f;
        for (std::int64_t i = 0; i < p.inputs; ++i) {
            const float u = w_re[i * p.outputs], v = w_im[i * p.outputs];
            re += x_re[i] * u - x_im[i] * v;
            im += x_re[i] * v + x_im[i] * u;
        }
        y[p.row(b, k, 0, t) * p.outputs + o] = re;
        y[p.row(b, k, 1, t) * p.outputs + o] = im;
    }
};

/// Both parts of the gradient of x[b, k, t, i], with the conjugate of w; index over [B, K, T, I].
struct ComplexDataGradient {
    ModeProduct p;
    const float *g, *w;
    float* x;

    constexpr void operator()(std::int64_t index) const {
        const std::int64_t i = index % p.inputs, t = index / p.inputs % p.times;
        const std::int64_t k = index / p.inputs / p.times % p.sticks, b = index / p.inputs / p.times / p.sticks;
        const float *g_re = g + p.row(b, k, 0, t) * p.outputs, *g_im = g + p.row(b, k, 1, t) * p.outputs;
        const float *w_re = w + p.matrix(k, t, 0) + i * p.outputs, *w_im = w + p.matrix(k, t, 1) + i * p.outputs;
        float re = 0.0f, im = 0.0f;
        for (std::int64_t o = 0; o < p.outputs; ++o) {
            re += g_re[o] * w_re[o] + g_im[o] * w_im[o];
            im += g_im[o] * w_re[o] - g_re[o] * w_im[o];
        }
        x[p.row(b, k, 0, t) * p.inputs + i] = re;
        x[p.row(b, k, 1, t) * p.inputs + i] = im;
    }
};

/// Both parts of the gradient of w[k, t, i, o], with the conjugate of x; index over [K, T, I, O].
struct ComplexWeightGradient {
    ModeProduct p;
    const float *x, *g;
    float* w;
    float beta;

    constexpr void operator()(std::int64_t index) const {
        const std::int64_t o = index % p.outputs, i = index / p.outputs % p.inputs;
        const std::int64_t t = index / p.outputs / p.inputs % p.times;
        const std::int64_t k = index / p.outputs / p.inputs / p.times;
        float re = 0.0f, im = 0.0f;
        for (std::int64_t b = 0; b < p.batch; ++b) {
            const float x_re = x[p.row(b, k, 0, t) * p.inputs + i], x_im = x[p.row(b, k, 1, t) * p.inputs + i];
            const float g_re = g[p.row(b, k, 0, t) * p.outputs + o], g_im = g[p.row(b, k, 1, t) * p.outputs + o];
            re += x_re * g_re + x_im * g_im;
            im += x_re * g_im - x_im * g_re;
        }
        float *w_re = w + p.matrix(k, t, 0) + i * p.outputs + o, *w_im = w + p.matrix(k, t, 1) + i * p.outputs + o;
        *w_re = beta != 0.0f ? beta * *w_re + re : re;
        *w_im = beta != 0.0f ? beta * *w_im + im : im;
    }
};

}  // namespace kernel

template <class Executor>
void KernelBackend<Executor>::transform_axis(ConstView matrix, ConstView x, Target y, Activation f) {
    const std::int64_t outer = x.shape[0], depth = x.shape[1], inner = x.shape[2], rows = y.view.shape[1];
    expects(matrix.shape == Shape({rows, depth}) && y.view.shape == Shape({outer, rows, inner}),
            "matching extents in an axis transform");
    with_elements(
        [&](const auto* from, auto* to) {
            using Kernel = kernel::AxisProduct<Element<decltype(from)>, Element<decltype(to)>>;
            executor_.run(outer * rows * inner, Kernel{matrix.as<float>(), from, to, rows, depth, inner,
                                                       static_cast<float>(y.beta), Pointwise(f)});
        },
        x, y.view);
}

template <class Executor>
void KernelBackend<Executor>::combine_signs(View x, View y, std::int64_t dropped_from, bool adjoint) {
    const kernel::SignAxis axis{x.shape[0], x.shape[2] - 1, x.shape[3], x.shape[5], dropped_from};
    expects(y.shape == Shape({axis.outer, 2 * axis.n, axis.mid, 2, axis.inner}), "matching extents of signed rows");
    if (adjoint) {
        executor_.run(x.shape.count(), kernel::SeparateSigns{axis, x.as<float>(), y.as<float>()});
    } else {
        executor_.run(y.shape.count(), kernel::CombineSigns{axis, x.as<float>(), y.as<float>()});
    }
}

template <class Executor>
void KernelBackend<Executor>::complex_product(ConstView x, ConstView w, View y) {
    const kernel::ModeProduct p(x.shape, w.shape);
    executor_.run(p.batch * p.sticks * p.times * p.outputs,
                  kernel::ComplexProduct{p, x.as<float>(), w.as<float>(), y.as<float>()});
}

template <class Executor>
void KernelBackend<Executor>::complex_product_data_gradient(ConstView gradient_y, ConstView w, View gradient_x) {
    const kernel::ModeProduct p(gradient_x.shape, w.shape);
    executor_.run(p.batch * p.sticks * p.times * p.inputs,
                  kernel::ComplexDataGradient{p, gradient_y.as<float>(), w.as<float>(), gradient_x.as<float>()});
}

template <class Executor>
void KernelBackend<Executor>::complex_product_weight_gradient(ConstView x, ConstView gradient_y, Target gradient_w) {
    const kernel::ModeProduct p(x.shape, gradient_w.view.shape);
    executor_.run(p.sticks * p.times * p.inputs * p.outputs,
                  kernel::ComplexWeightGradient{p, x.as<float>(), gradient_y.as<float>(), gradient_w.view.as<float>(),
                                                static_cast<float>(gradient_w.beta)});
}

}  // namespace plumecast::cuda
