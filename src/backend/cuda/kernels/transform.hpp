#pragma once

#include <cstdint>

#include "backend/cuda/kernels/backend.hpp"
#include "backend/cuda/kernels/elements.hpp"
#include "backend/cuda/kernels/indexing/positions.hpp"
#include "backend/cuda/kernels/pointwise.hpp"
#include "backend/cuda/kernels/spectral/modes.hpp"

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

    constexpr std::int64_t positions() const { return 0; }  // the index alone is divided, places are 64 bits wide

    template <class Position>
    constexpr void operator()(Position i) const {
        const Divided in(i, inner), outer(in.quotient, rows);
        const std::int64_t n = in.rest, m = outer.rest, o = outer.quotient;
        float sum = 0.0f;
        for (std::int64_t k = 0; k < depth; ++k) {
            sum += matrix[m * depth + k] * number(x[(o * depth + k) * inner + n]);
        }
        y[i] = static_cast<To>(f(beta != 0.0f ? sum + beta * number(y[i]) : sum));
    }
};

/// One element of a matrix [rows, depth] in bfloat16, stored as [depth, rows].
struct NarrowTransposed {
    const float* matrix;
    bfloat16* transposed;
    std::int64_t rows, depth;

    constexpr std::int64_t positions() const { return 0; }  // the index alone is divided, places are 64 bits wide

    template <class Position>
    constexpr void operator()(Position i) const {
        const Divided at(i, rows);
        transposed[i] = static_cast<bfloat16>(matrix[std::int64_t{at.rest} * depth + at.quotient]);
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

    constexpr std::int64_t positions() const { return 0; }

    template <class Position>
    constexpr void operator()(Position position) const {
        const Divided in(position, axis.inner), parts(in.quotient, 2), mid(parts.quotient, axis.mid);
        const Divided rows(mid.quotient, 2 * axis.n);
        const std::int64_t i = in.rest, part = parts.rest, m = mid.rest, row = rows.rest, o = rows.quotient;
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

    constexpr std::int64_t positions() const { return 0; }

    template <class Position>
    constexpr void operator()(Position position) const {
        const Divided in(position, axis.inner), parts(in.quotient, 2), mid(parts.quotient, axis.mid);
        const Divided rows(mid.quotient, axis.n + 1), waves(rows.quotient, 2);
        const std::int64_t i = in.rest, part = parts.rest, m = mid.rest, k = rows.rest;
        const std::int64_t trig = waves.rest, o = waves.quotient;
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

}  // namespace kernel

/// Whether a bfloat16 matrix [rows, depth] is stored the other way round: its rows are then of 16 bytes, which the
/// matrix units' bulk copies ask for, and in its own order they are not.
constexpr bool is_better_transposed(std::int64_t rows, std::int64_t depth) {
    constexpr std::int64_t elements = 16 / sizeof(bfloat16);
    return depth % elements != 0 && rows % elements == 0;
}

template <class Executor>
void KernelBackend<Executor>::transform_axis(ConstView matrix, ConstView x, OutputRef y, Activation f) {
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
    with_cases(p.batch, [&]<std::int64_t cases>() {
        executor_.run((p.batch + cases - 1) / cases * p.modes() * p.outputs.value(),
                      kernel::ComplexProduct<cases>{p, x.as<float>(), w.as<float>(), y.as<float>()});
    });
}

template <class Executor>
void KernelBackend<Executor>::complex_product_data_gradient(ConstView gradient_y, ConstView w, View gradient_x) {
    const kernel::ModeProduct p(gradient_x.shape, w.shape);
    with_cases(p.batch, [&]<std::int64_t cases>() {
        executor_.run(
            (p.batch + cases - 1) / cases * p.modes() * p.inputs.value(),
            kernel::ComplexDataGradient<cases>{p, gradient_y.as<float>(), w.as<float>(), gradient_x.as<float>()});
    });
}

template <class Executor>
void KernelBackend<Executor>::complex_product_weight_gradient(ConstView x, ConstView gradient_y, OutputRef gradient_w) {
    const kernel::ModeProduct p(x.shape, gradient_w.view.shape);
    executor_.run(p.modes() * p.inputs.value() * p.outputs.value(),
                  kernel::ComplexWeightGradient{p, x.as<float>(), gradient_y.as<float>(), gradient_w.view.as<float>(),
                                                static_cast<float>(gradient_w.beta)});
}

}  // namespace plumecast::cuda
