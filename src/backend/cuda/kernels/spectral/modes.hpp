#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <plumecast/core/shape.hpp>

namespace plumecast::cuda {
namespace kernel {

/// Extents of x [B, K, 2, T, I], w [K, T, 2, I, O] and y [B, K, 2, T, O], and where their rows start.
struct ModeProduct {
    std::int64_t batch, pencils, times, inputs, outputs;

    ModeProduct(const Shape& x, const Shape& w) : batch(x[0]), pencils(x[1]), times(x[3]), inputs(w[3]), outputs(w[4]) {
        expects(x[1] == w[0] && x[2] == 2 && x[3] == w[1] && w[2] == 2, "matching extents in a complex product");
    }
    constexpr std::int64_t row(std::int64_t b, std::int64_t k, std::int64_t part, std::int64_t t) const {
        return ((b * pencils + k) * 2 + part) * times + t;
    }
    constexpr std::int64_t matrix(std::int64_t k, std::int64_t t, std::int64_t part) const {
        return ((k * times + t) * 2 + part) * inputs * outputs;
    }
};

/// Both parts of y[b, k, t, o] for `cases` values of b; index over [B / cases, rounded up, K, T, O].
template <std::int64_t cases>
struct ComplexProduct {
    ModeProduct p;
    const float *x, *w;
    float* y;

    constexpr void operator()(std::int64_t index) const {
        const std::int64_t o = index % p.outputs, t = index / p.outputs % p.times;
        const std::int64_t k = index / p.outputs / p.times % p.pencils;
        const std::int64_t first = index / p.outputs / p.times / p.pencils * cases;
        const float *w_re = w + p.matrix(k, t, 0) + o, *w_im = w + p.matrix(k, t, 1) + o;
        const float* x_re = x + p.row(first, k, 0, t) * p.inputs;
        const std::int64_t to_im = p.times * p.inputs, to_next = p.pencils * 2 * to_im;
        const std::int64_t last = p.batch - 1 - first;  // those beyond repeat it, and are not stored
        std::array<float, cases> re{}, im{};
        for (std::int64_t i = 0; i < p.inputs; ++i) {
            const float u = w_re[i * p.outputs], v = w_im[i * p.outputs];
            for (std::int64_t b = 0; b < cases; ++b) {
                const float* value = x_re + (b < last ? b : last) * to_next + i;
                const auto at = static_cast<std::size_t>(b);
                re[at] += value[0] * u - value[to_im] * v;
                im[at] += value[0] * v + value[to_im] * u;
            }
        }
        for (std::int64_t b = 0; b < cases && b <= last; ++b) {
            y[p.row(first + b, k, 0, t) * p.outputs + o] = re[static_cast<std::size_t>(b)];
            y[p.row(first + b, k, 1, t) * p.outputs + o] = im[static_cast<std::size_t>(b)];
        }
    }
};

/// Both parts of the gradient of x[b, k, t, i], with the conjugate of w, for `cases` values of b; index over [B /
/// cases, rounded up, K, T, I].
template <std::int64_t cases>
struct ComplexDataGradient {
    ModeProduct p;
    const float *g, *w;
    float* x;

    constexpr void operator()(std::int64_t index) const {
        const std::int64_t i = index % p.inputs, t = index / p.inputs % p.times;
        const std::int64_t k = index / p.inputs / p.times % p.pencils;
        const std::int64_t first = index / p.inputs / p.times / p.pencils * cases;
        const float *w_re = w + p.matrix(k, t, 0) + i * p.outputs, *w_im = w + p.matrix(k, t, 1) + i * p.outputs;
        const float* g_re = g + p.row(first, k, 0, t) * p.outputs;
        const std::int64_t to_im = p.times * p.outputs, to_next = p.pencils * 2 * to_im;
        const std::int64_t last = p.batch - 1 - first;
        std::array<float, cases> re{}, im{};
        for (std::int64_t o = 0; o < p.outputs; ++o) {
            const float u = w_re[o], v = w_im[o];
            for (std::int64_t b = 0; b < cases; ++b) {
                const float* value = g_re + (b < last ? b : last) * to_next + o;
                const auto at = static_cast<std::size_t>(b);
                re[at] += value[0] * u + value[to_im] * v;
                im[at] += value[to_im] * u - value[0] * v;
            }
        }
        for (std::int64_t b = 0; b < cases && b <= last; ++b) {
            x[p.row(first + b, k, 0, t) * p.inputs + i] = re[static_cast<std::size_t>(b)];
            x[p.row(first + b, k, 1, t) * p.inputs + i] = im[static_cast<std::size_t>(b)];
        }
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

/// Calls visit<cases>() with the number of cases that one thread takes together in a product with the weights of a
/// mode, which it then reads once for all of them: the least power of two that holds the batch, up to eight.
template <class Visit>
void with_cases(std::int64_t batch, const Visit& visit) {
    if (batch <= 1) {
        visit.template operator()<1>();
    } else if (batch == 2) {
        visit.template operator()<2>();
    } else if (batch <= 4) {
        visit.template operator()<4>();
    } else {
        visit.template operator()<8>();
    }
}

}  // namespace plumecast::cuda
