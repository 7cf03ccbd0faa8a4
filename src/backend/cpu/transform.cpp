#include <algorithm>
#include <type_traits>

#include "backend/cpu/backend.hpp"
#include "backend/cpu/parallel.hpp"
#include "backend/cpu/piecewise_linear.hpp"

namespace plumecast::cpu {
namespace {

/// Columns of one piece of work: a slab of K rows then fits the second-level cache for the sizes met here.
constexpr std::int64_t column_block = 1152;

/// SimdKernels::rows_product for element types of x and y.
template <class X, class Y>
auto rows_product_of(const SimdKernels& simd) {
    if constexpr (std::is_same_v<X, float> && std::is_same_v<Y, float>) {
        return simd.rows_product;
    } else if constexpr (std::is_same_v<Y, float>) {
        return simd.bf16->rows_product_from;
    } else if constexpr (std::is_same_v<X, float>) {
        return simd.bf16->rows_product_to;
    } else {
        return simd.bf16->rows_product_both;
    }
}

/// transform_axis() but for activations that are not piecewise linear.
template <class X, class Y>
void run_rows(const SimdKernels& simd, int threads, ConstView matrix, ConstView x, OutputRef y, Activation f) {
    const std::int64_t outer = x.shape[0], depth = x.shape[1], inner = x.shape[2], rows = y.view.shape[1];
    const std::int64_t blocks = (inner + column_block - 1) / column_block;
    const float* a = matrix.as<float>();
    const X* in = x.as<X>();
    Y* out = y.view.as<Y>();
    const auto product = rows_product_of<X, Y>(simd);
    const auto beta = static_cast<float>(y.beta), slope = negative_slope(f);
    parallel_ranges(threads, outer * blocks, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t piece = begin; piece < end; ++piece) {
            const std::int64_t o = piece / blocks, first = piece % blocks * column_block;
            const std::int64_t columns = std::min(column_block, inner - first);
            product(a, rows, depth, in + o * depth * inner + first, out + o * rows * inner + first, columns, inner,
                    beta, slope);
        }
    });
}

/// Extents of the arguments of combine_signs.
struct SignAxis {
    std::int64_t outer, n, mid, inner, dropped_from;

    float* separate(float* x, std::int64_t o, int part, std::int64_t k, std::int64_t m) const {
        return x + (((o * 2 + part) * (n + 1) + k) * mid + m) * 2 * inner;
    }
    float* signed_row(float* y, std::int64_t o, std::int64_t k, std::int64_t m) const {
        return y + ((o * 2 * n + k) * mid + m) * 2 * inner;
    }
    bool keeps_positive(std::int64_t k) const { return k < n && k < dropped_from; }
};

/// y = c - i s for sign +1, y = c + i s for sign -1, on `inner` planar complex numbers.
void assemble(const float* c, const float* s, float sign, float* y, std::int64_t inner) {
    for (std::int64_t i = 0; i < inner; ++i) {
        y[i] = c[i] + sign * s[inner + i];
        y[inner + i] = c[inner + i] - sign * s[i];
    }
}

/// The transpose of assemble, added to c and s.
void scatter(const float* y, float sign, float* c, float* s, std::int64_t inner) {
    for (std::int64_t i = 0; i < inner; ++i) {
        c[i] += y[i];
        s[inner + i] += sign * y[i];
        c[inner + i] += y[inner + i];
        s[i] -= sign * y[inner + i];
    }
}

void combine_row(const SignAxis& axis, float* x, float* y, std::int64_t o, std::int64_t k, std::int64_t m) {
    const float* c = axis.separate(x, o, 0, k, m);
    const float* s = axis.separate(x, o, 1, k, m);
    if (axis.keeps_positive(k)) {
        assemble(c, s, 1.0f, axis.signed_row(y, o, k, m), axis.inner);
    } else if (k < axis.n) {
        std::fill_n(axis.signed_row(y, o, k, m), 2 * axis.inner, 0.0f);
    }
    if (k > 0) {
        assemble(c, s, -1.0f, axis.signed_row(y, o, 2 * axis.n - k, m), axis.inner);
    }
}

void separate_row(const SignAxis& axis, float* x, float* y, std::int64_t o, std::int64_t k, std::int64_t m) {
    float* c = axis.separate(x, o, 0, k, m);
    float* s = axis.separate(x, o, 1, k, m);
    std::fill_n(c, 2 * axis.inner, 0.0f);
    std::fill_n(s, 2 * axis.inner, 0.0f);
    if (axis.keeps_positive(k)) {
        scatter(axis.signed_row(y, o, k, m), 1.0f, c, s, axis.inner);
    }
    if (k > 0) {
        scatter(axis.signed_row(y, o, 2 * axis.n - k, m), -1.0f, c, s, axis.inner);
    }
}

/// Extents of the arguments of complex_product, and where row (b, k, t) of its arrays starts.
struct ModeProduct {
    std::int64_t batch, pencils, times, inputs, outputs;

    ModeProduct(const Shape& x, const Shape& w) : batch(x[0]), pencils(x[1]), times(x[3]), inputs(w[3]), outputs(w[4]) {
        expects(x[1] == w[0] && x[2] == 2 && x[3] == w[1] && w[2] == 2, "matching extents in a complex product");
    }
    std::int64_t row(std::int64_t b, std::int64_t k, int part, std::int64_t t) const {
        return ((b * pencils + k) * 2 + part) * times + t;
    }
    std::int64_t matrix(std::int64_t k, std::int64_t t, int part) const {
        return ((k * times + t) * 2 + part) * inputs * outputs;
    }
    template <class Work>
    void each_mode(int threads, const Work& work) const {
        parallel_ranges(threads, pencils * times, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t mode = begin; mode < end; ++mode) {
                work(mode / times, mode % times);
            }
        });
    }
};

}  // namespace

void CpuBackend::transform_axis(ConstView matrix, ConstView x, OutputRef y, Activation f) {
    const std::int64_t outer = x.shape[0], depth = x.shape[1], inner = x.shape[2], rows = y.view.shape[1];
    expects(matrix.shape == Shape({rows, depth}) && y.view.shape == Shape({outer, rows, inner}),
            "matching extents in an axis transform");
    if (x.type == DType::float32) {
        y.view.type == DType::float32 ? run_rows<float, float>(*simd_, threads_, matrix, x, y, f)
                                      : run_rows<float, bfloat16>(*simd_, threads_, matrix, x, y, f);
    } else {
        y.view.type == DType::float32 ? run_rows<bfloat16, float>(*simd_, threads_, matrix, x, y, f)
                                      : run_rows<bfloat16, bfloat16>(*simd_, threads_, matrix, x, y, f);
    }
    if (!is_piecewise_linear(f)) {
        activate(f, y.view, y.view);
    }
}

void CpuBackend::combine_signs(View x, View y, std::int64_t dropped_from, bool adjoint) {
    const SignAxis axis{x.shape[0], x.shape[2] - 1, x.shape[3], x.shape[5], dropped_from};
    expects(y.shape == Shape({axis.outer, 2 * axis.n, axis.mid, 2, axis.inner}), "matching extents of signed rows");
    float* separate = x.as<float>();
    float* combined = y.as<float>();
    parallel_ranges(threads_, axis.outer * (axis.n + 1), 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) {
            for (std::int64_t m = 0; m < axis.mid; ++m) {
                const std::int64_t o = row / (axis.n + 1), k = row % (axis.n + 1);
                adjoint ? separate_row(axis, separate, combined, o, k, m)
                        : combine_row(axis, separate, combined, o, k, m);
            }
        }
    });
}

void CpuBackend::complex_product(ConstView x, ConstView w, View y) {
    const ModeProduct p(x.shape, w.shape);
    const float *in = x.as<float>(), *weights = w.as<float>();
    float* out = y.as<float>();
    p.each_mode(threads_, [&](std::int64_t k, std::int64_t t) {
        for (std::int64_t b = 0; b < p.batch; ++b) {
            simd_->complex_forward(in + p.row(b, k, 0, t) * p.inputs, in + p.row(b, k, 1, t) * p.inputs,
                                   weights + p.matrix(k, t, 0), weights + p.matrix(k, t, 1),
                                   out + p.row(b, k, 0, t) * p.outputs, out + p.row(b, k, 1, t) * p.outputs, p.inputs,
                                   p.outputs);
        }
    });
}

void CpuBackend::complex_product_data_gradient(ConstView gradient_y, ConstView w, View gradient_x) {
    const ModeProduct p(gradient_x.shape, w.shape);
    const float *g = gradient_y.as<float>(), *weights = w.as<float>();
    float* out = gradient_x.as<float>();
    p.each_mode(threads_, [&](std::int64_t k, std::int64_t t) {
        for (std::int64_t b = 0; b < p.batch; ++b) {
            simd_->complex_backward(g + p.row(b, k, 0, t) * p.outputs, g + p.row(b, k, 1, t) * p.outputs,
                                    weights + p.matrix(k, t, 0), weights + p.matrix(k, t, 1),
                                    out + p.row(b, k, 0, t) * p.inputs, out + p.row(b, k, 1, t) * p.inputs, p.inputs,
                                    p.outputs);
        }
    });
}

void CpuBackend::complex_product_weight_gradient(ConstView x, ConstView gradient_y, OutputRef gradient_w) {
    const ModeProduct p(x.shape, gradient_w.view.shape);
    const float *in = x.as<float>(), *g = gradient_y.as<float>();
    float* weights = gradient_w.view.as<float>();
    const std::int64_t matrix = p.inputs * p.outputs;
    const auto beta = static_cast<float>(gradient_w.beta);
    p.each_mode(threads_, [&](std::int64_t k, std::int64_t t) {
        float* re = weights + p.matrix(k, t, 0);
        if (p.batch == 0 && beta != 1.0f) {
            std::transform(re, re + 2 * matrix, re, [=](float before) { return beta != 0.0f ? beta * before : 0.0f; });
        }
        for (std::int64_t b = 0; b < p.batch; ++b) {
            simd_->complex_outer(in + p.row(b, k, 0, t) * p.inputs, in + p.row(b, k, 1, t) * p.inputs,
                                 g + p.row(b, k, 0, t) * p.outputs, g + p.row(b, k, 1, t) * p.outputs, re, re + matrix,
                                 p.inputs, p.outputs, b == 0 ? beta : 1.0f);
        }
    });
}

}  // namespace plumecast::cpu
