// Compiled once per instruction set by CMake, which names the factory and sets the compiler's target. Nothing here may
// come from a header with inline code that is not in an anonymous namespace: the linker could keep the wide version for
// everybody.
#include "backend/cpu/simd.hpp"
#include "backend/cpu/simd_rows.hpp"

namespace plumecast::cpu {
namespace {

template <int width>
void complex_columns(const float* x_re, const float* x_im, const float* w_re, const float* w_im, float* y_re,
                     float* y_im, std::int64_t inputs, std::int64_t stride) {
    Vector<width> re = {}, im = {};
    for (std::int64_t i = 0; i < inputs; ++i) {
        const Vector<width> a = load<width>(w_re + i * stride);
        const Vector<width> b = load<width>(w_im + i * stride);
        re += x_re[i] * a - x_im[i] * b;
        im += x_re[i] * b + x_im[i] * a;
    }
    store<width>(y_re, re);
    store<width>(y_im, im);
}

void complex_forward(const float* x_re, const float* x_im, const float* w_re, const float* w_im, float* y_re,
                     float* y_im, std::int64_t inputs, std::int64_t outputs) {
    std::int64_t o = 0;
    for (; o + 16 <= outputs; o += 16) {
        complex_columns<16>(x_re, x_im, w_re + o, w_im + o, y_re + o, y_im + o, inputs, outputs);
    }
    for (; o + 4 <= outputs; o += 4) {
        complex_columns<4>(x_re, x_im, w_re + o, w_im + o, y_re + o, y_im + o, inputs, outputs);
    }
    for (; o < outputs; ++o) {
        float re = 0.0f, im = 0.0f;
        for (std::int64_t i = 0; i < inputs; ++i) {
            re += x_re[i] * w_re[i * outputs + o] - x_im[i] * w_im[i * outputs + o];
            im += x_re[i] * w_im[i * outputs + o] + x_im[i] * w_re[i * outputs + o];
        }
        y_re[o] = re;
        y_im[o] = im;
    }
}

/// Four sums of every fourth lane.
Vector<4> quarters(Vector<16> v) {
    const Vector<8> half = __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7) +
                           __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
    return __builtin_shufflevector(half, half, 0, 1, 2, 3) + __builtin_shufflevector(half, half, 4, 5, 6, 7);
}

/// The sums of the lanes of four vectors.
Vector<4> lane_sums(const Vector<4>* v) {
    const Vector<4> low_01 = __builtin_shufflevector(v[0], v[1], 0, 4, 1, 5);
    const Vector<4> high_01 = __builtin_shufflevector(v[0], v[1], 2, 6, 3, 7);
    const Vector<4> low_23 = __builtin_shufflevector(v[2], v[3], 0, 4, 1, 5);
    const Vector<4> high_23 = __builtin_shufflevector(v[2], v[3], 2, 6, 3, 7);
    const Vector<4> sum_01 = low_01 + high_01, sum_23 = low_23 + high_23;
    return __builtin_shufflevector(sum_01, sum_23, 0, 1, 4, 5) + __builtin_shufflevector(sum_01, sum_23, 2, 3, 6, 7);
}

/// Four parts of the product of two rows.
Vector<4> row_product(const float* x, const float* w, std::int64_t depth) {
    Vector<16> sum = {};
    std::int64_t k = 0;
    for (; k + 16 <= depth; k += 16) {
        sum += load<16>(x + k) * load<16>(w + k);
    }
    Vector<4> parts = quarters(sum);
    for (; k + 4 <= depth; k += 4) {
        parts += load<4>(x + k) * load<4>(w + k);
    }
    for (; k < depth; ++k) {
        parts[0] += x[k] * w[k];
    }
    return parts;
}

void vector_product(const float* x, std::int64_t rows, std::int64_t depth, const float* w, float* y) {
    for (std::int64_t m = 0; m < rows; m += 4) {
        const std::int64_t count = rows - m < 4 ? rows - m : 4;
        Vector<4> parts[4] = {};
        for (std::int64_t k = 0; k < count; ++k) {
            parts[k] = row_product(x + (m + k) * depth, w, depth);
        }
        const Vector<4> sums = lane_sums(parts);
        for (std::int64_t k = 0; k < count; ++k) {
            y[m + k] = sums[k];
        }
    }
}

struct PlanarQuad {
    Vector<4> re, im;
};

/// Products of a row of the conjugate matrix with a planar vector, summed to four parts; sums of 16 columns at a time,
/// of four, and of those left in the first part.
PlanarQuad conjugate_row(const float* g_re, const float* g_im, const float* a, const float* b, std::int64_t outputs) {
    Vector<16> re = {}, im = {};
    std::int64_t o = 0;
    for (; o + 16 <= outputs; o += 16) {
        const Vector<16> u = load<16>(g_re + o), v = load<16>(g_im + o);
        const Vector<16> p = load<16>(a + o), q = load<16>(b + o);
        re += u * p + v * q;
        im += v * p - u * q;
    }
    PlanarQuad sums{quarters(re), quarters(im)};
    for (; o + 4 <= outputs; o += 4) {
        const Vector<4> u = load<4>(g_re + o), v = load<4>(g_im + o);
        const Vector<4> p = load<4>(a + o), q = load<4>(b + o);
        sums.re += u * p + v * q;
        sums.im += v * p - u * q;
    }
    for (; o < outputs; ++o) {
        sums.re[0] += g_re[o] * a[o] + g_im[o] * b[o];
        sums.im[0] += g_im[o] * a[o] - g_re[o] * b[o];
    }
    return sums;
}

void complex_backward(const float* g_re, const float* g_im, const float* w_re, const float* w_im, float* x_re,
                      float* x_im, std::int64_t inputs, std::int64_t outputs) {
    for (std::int64_t i = 0; i < inputs; i += 4) {
        const std::int64_t rows = inputs - i < 4 ? inputs - i : 4;
        Vector<4> re[4] = {}, im[4] = {};
        for (std::int64_t k = 0; k < rows; ++k) {
            const PlanarQuad sums =
                conjugate_row(g_re, g_im, w_re + (i + k) * outputs, w_im + (i + k) * outputs, outputs);
            re[k] = sums.re;
            im[k] = sums.im;
        }
        const Vector<4> all_re = lane_sums(re), all_im = lane_sums(im);
        for (std::int64_t k = 0; k < rows; ++k) {
            x_re[i + k] = all_re[k];
            x_im[i + k] = all_im[k];
        }
    }
}

template <int width>
void outer_columns(float p, float q, const float* g_re, const float* g_im, float* a, float* b, float beta) {
    const Vector<width> u = load<width>(g_re), v = load<width>(g_im);
    Vector<width> re = p * u + q * v, im = p * v - q * u;
    if (beta != 0.0f) {
        re += beta * load<width>(a);
        im += beta * load<width>(b);
    }
    store<width>(a, re);
    store<width>(b, im);
}

void complex_outer(const float* x_re, const float* x_im, const float* g_re, const float* g_im, float* w_re, float* w_im,
                   std::int64_t inputs, std::int64_t outputs, float beta) {
    for (std::int64_t i = 0; i < inputs; ++i, w_re += outputs, w_im += outputs) {
        const float p = x_re[i], q = x_im[i];
        std::int64_t o = 0;
        for (; o + 16 <= outputs; o += 16) {
            outer_columns<16>(p, q, g_re + o, g_im + o, w_re + o, w_im + o, beta);
        }
        for (; o + 4 <= outputs; o += 4) {
            outer_columns<4>(p, q, g_re + o, g_im + o, w_re + o, w_im + o, beta);
        }
        for (; o < outputs; ++o) {
            const float re = p * g_re[o] + q * g_im[o], im = p * g_im[o] - q * g_re[o];
            w_re[o] = beta != 0.0f ? beta * w_re[o] + re : re;
            w_im[o] = beta != 0.0f ? beta * w_im[o] + im : im;
        }
    }
}

}  // namespace

const SimdKernels& PLUMECAST_SIMD_FACTORY() {
    static const SimdKernels kernels{PLUMECAST_SIMD_NAME,
                                     &PLUMECAST_CONV_FACTORY(),
                                     &PLUMECAST_BFLOAT16_FACTORY(),
                                     &PLUMECAST_FIELD_FACTORY(),
                                     rows_product<float, float>,
                                     vector_product,
                                     complex_forward,
                                     complex_backward,
                                     complex_outer};
    return kernels;
}

}  // namespace plumecast::cpu
