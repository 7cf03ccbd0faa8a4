#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <plumecast/core/shape.hpp>

#include "backend/cuda/kernels/indexing/positions.hpp"

namespace plumecast::cuda {
namespace kernel {

/// Extents of x [B, K, 2, T, I], w [K, T, 2, I, O] and y [B, K, 2, T, O], and where their rows start.
struct ModeProduct {
    std::int64_t batch;
    Divisor pencils, times, inputs, outputs;

    ModeProduct(const Shape& x, const Shape& w) : batch(x[0]), pencils(x[1]), times(x[3]), inputs(w[3]), outputs(w[4]) {
        expects(x[1] == w[0] && x[2] == 2 && x[3] == w[1] && w[2] == 2, "matching extents in a complex product");
    }
    constexpr std::int64_t modes() const { return pencils.value() * times.value(); }
    /// The most elements that one of the three has.
    constexpr std::int64_t positions() const {
        return 2 * modes() *
               std::max(batch * std::max(inputs.value(), outputs.value()), inputs.value() * outputs.value());
    }
    template <class Position>
    constexpr Position row(Position b, Position k, Position part, Position t) const {
        return ((b * as<Position>(pencils) + k) * 2 + part) * as<Position>(times) + t;
    }
    template <class Position>
    constexpr Position matrix(Position k, Position t, Position part) const {
        return ((k * as<Position>(times) + t) * 2 + part) * as<Position>(inputs) * as<Position>(outputs);
    }
    template <class Position>
    static constexpr Position as(const Divisor& extent) {
        return static_cast<Position>(extent.value());
    }
};

/// An index over [any, K, T, channels], taken apart.
template <class Position>
struct ModeIndex {
    Position outer, k, t, channel;

    constexpr ModeIndex(const ModeProduct& p, const Divisor& channels, Position index) {
        const Position mode = channels.quotient(index), pencil = p.times.quotient(mode);
        outer = p.pencils.quotient(pencil);
        k = pencil - outer * p.as<Position>(p.pencils);
        t = mode - pencil * p.as<Position>(p.times);
        channel = index - mode * p.as<Position>(channels);
    }
};

/// Both parts of y[b, k, t, o] for `cases` values of b; index over [B / cases, rounded up, K, T, O].
template <std::int64_t cases>
struct ComplexProduct {
    ModeProduct p;
    const float *x, *w;
    float* y;

    constexpr std::int64_t positions() const { return p.positions(); }

    template <class Position>
    constexpr void operator()(Position index) const {
        const auto [piece, k, t, o] = ModeIndex<Position>(p, p.outputs, index);
        const Position first = piece * cases, last = static_cast<Position>(p.batch) - 1 - first;
        const auto inputs = p.as<Position>(p.inputs), outputs = p.as<Position>(p.outputs);
        const float *w_re = w + p.matrix<Position>(k, t, 0) + o, *w_im = w + p.matrix<Position>(k, t, 1) + o;
        const float* x_re = x + p.row<Position>(first, k, 0, t) * inputs;
        const Position to_im = p.as<Position>(p.times) * inputs, to_next = p.as<Position>(p.pencils) * 2 * to_im;
        std::array<float, cases> re{}, im{};
        for (Position i = 0; i < inputs; ++i) {
            const float u = w_re[i * outputs], v = w_im[i * outputs];
            for (Position b = 0; b < cases; ++b) {  // those beyond the last repeat it, and are not stored
                const float* value = x_re + (b < last ? b : last) * to_next + i;
                const auto at = static_cast<std::size_t>(b);
                re[at] += value[0] * u - value[to_im] * v;
                im[at] += value[0] * v + value[to_im] * u;
            }
        }
        for (Position b = 0; b < cases && b <= last; ++b) {
            y[p.row<Position>(first + b, k, 0, t) * outputs + o] = re[static_cast<std::size_t>(b)];
            y[p.row<Position>(first + b, k, 1, t) * outputs + o] = im[static_cast<std::size_t>(b)];
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

    constexpr std::int64_t positions() const { return p.positions(); }

    template <class Position>
    constexpr void operator()(Position index) const {
        const auto [piece, k, t, i] = ModeIndex<Position>(p, p.inputs, index);
        const Position first = piece * cases, last = static_cast<Position>(p.batch) - 1 - first;
        const auto inputs = p.as<Position>(p.inputs), outputs = p.as<Position>(p.outputs);
        const float* w_re = w + p.matrix<Position>(k, t, 0) + i * outputs;
        const float* w_im = w + p.matrix<Position>(k, t, 1) + i * outputs;
        const float* g_re = g + p.row<Position>(first, k, 0, t) * outputs;
        const Position to_im = p.as<Position>(p.times) * outputs, to_next = p.as<Position>(p.pencils) * 2 * to_im;
        std::array<float, cases> re{}, im{};
        for (Position o = 0; o < outputs; ++o) {
            const float u = w_re[o], v = w_im[o];
            for (Position b = 0; b < cases; ++b) {
                const float* value = g_re + (b < last ? b : last) * to_next + o;
                const auto at = static_cast<std::size_t>(b);
                re[at] += value[0] * u + value[to_im] * v;
                im[at] += value[to_im] * u - value[0] * v;
            }
        }
        for (Position b = 0; b < cases && b <= last; ++b) {
            x[p.row<Position>(first + b, k, 0, t) * inputs + i] = re[static_cast<std::size_t>(b)];
            x[p.row<Position>(first + b, k, 1, t) * inputs + i] = im[static_cast<std::size_t>(b)];
        }
    }
};

/// Both parts of the gradient of w[k, t, i, o], with the conjugate of x; index over [K, T, I, O].
struct ComplexWeightGradient {
    ModeProduct p;
    const float *x, *g;
    float* w;
    float beta;

    constexpr std::int64_t positions() const { return p.positions(); }

    template <class Position>
    constexpr void operator()(Position index) const {
        const Position row = p.outputs.quotient(index), mode = p.inputs.quotient(row), k = p.times.quotient(mode);
        const Position o = index - row * p.as<Position>(p.outputs), i = row - mode * p.as<Position>(p.inputs);
        const Position t = mode - k * p.as<Position>(p.times);
        const auto inputs = p.as<Position>(p.inputs), outputs = p.as<Position>(p.outputs);
        float re = 0.0f, im = 0.0f;
        for (Position b = 0; b < static_cast<Position>(p.batch); ++b) {
            const Position real = p.row<Position>(b, k, 0, t), imaginary = p.row<Position>(b, k, 1, t);
            const float x_re = x[real * inputs + i], x_im = x[imaginary * inputs + i];
            const float g_re = g[real * outputs + o], g_im = g[imaginary * outputs + o];
            re += x_re * g_re + x_im * g_im;
            im += x_re * g_im - x_im * g_re;
        }
        float* w_re = w + p.matrix<Position>(k, t, 0) + i * outputs + o;
        float* w_im = w + p.matrix<Position>(k, t, 1) + i * outputs + o;
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
