// Compiled once per instruction set by CMake, which names the factory and sets the compiler's target. Nothing here may
// come from a header with inline code: the linker could keep the wide version for everybody.
#include "backend/cpu/simd.hpp"

namespace plumecast::cpu {
namespace {

template <int width>
struct Lanes {
    typedef float type __attribute__((vector_size(width * sizeof(float)), aligned(4), may_alias));
};

template <int width>
using Vector = typename Lanes<width>::type;

template <int width>
Vector<width> load(const float* p) {
    return *reinterpret_cast<const Vector<width>*>(p);
}

template <int width>
void store(float* p, Vector<width> v) {
    *reinterpret_cast<Vector<width>*>(p) = v;
}

template <int width>
void finish(float* y, Vector<width> sum, float beta, float slope) {
    if (beta != 0.0f) {
        sum += beta * load<width>(y);
    }
    if (slope != 1.0f) {
        sum = sum >= 0.0f ? sum : slope * sum;
    }
    store<width>(y, sum);
}

/// `rows` x 2 vectors of accumulators stay in registers over the whole depth.
template <int width, int rows>
void block(const float* a, std::int64_t depth, const float* x, float* y, std::int64_t stride, float beta, float slope) {
    Vector<width> sums[rows][2] = {};
    for (std::int64_t k = 0; k < depth; ++k) {
        const Vector<width> low = load<width>(x + k * stride);
        const Vector<width> high = load<width>(x + k * stride + width);
        // The columns that come next: rows lie too far apart for the processor to see what will be read.
        __builtin_prefetch(x + k * stride + 2 * width);
        __builtin_prefetch(x + k * stride + 3 * width);
#pragma GCC unroll 8
        for (int m = 0; m < rows; ++m) {
            sums[m][0] += a[m * depth + k] * low;
            sums[m][1] += a[m * depth + k] * high;
        }
    }
#pragma GCC unroll 8
    for (int m = 0; m < rows; ++m) {
        finish<width>(y + m * stride, sums[m][0], beta, slope);
        finish<width>(y + m * stride + width, sums[m][1], beta, slope);
    }
}

template <int width>
void all_rows(const float* a, std::int64_t rows, std::int64_t depth, const float* x, float* y, std::int64_t stride,
              float beta, float slope) {
    std::int64_t m = 0;
    for (; m + 8 <= rows; m += 8) {
        block<width, 8>(a + m * depth, depth, x, y + m * stride, stride, beta, slope);
    }
    for (; m + 4 <= rows; m += 4) {
        block<width, 4>(a + m * depth, depth, x, y + m * stride, stride, beta, slope);
    }
    for (; m < rows; ++m) {
        block<width, 1>(a + m * depth, depth, x, y + m * stride, stride, beta, slope);
    }
}

void one_column(const float* a, std::int64_t rows, std::int64_t depth, const float* x, float* y, std::int64_t stride,
                float beta, float slope) {
    for (std::int64_t m = 0; m < rows; ++m) {
        float sum = 0.0f;
        for (std::int64_t k = 0; k < depth; ++k) {
            sum += a[m * depth + k] * x[k * stride];
        }
        sum += beta != 0.0f ? beta * y[m * stride] : 0.0f;
        y[m * stride] = sum >= 0.0f ? sum : slope * sum;
    }
}

void rows_product(const float* a, std::int64_t rows, std::int64_t depth, const float* x, float* y, std::int64_t columns,
                  std::int64_t stride, float beta, float slope) {
    std::int64_t n = 0;
    for (; n + 32 <= columns; n += 32) {
        all_rows<16>(a, rows, depth, x + n, y + n, stride, beta, slope);
    }
    for (; n + 16 <= columns; n += 16) {
        all_rows<8>(a, rows, depth, x + n, y + n, stride, beta, slope);
    }
    for (; n + 4 <= columns; n += 4) {
        all_rows<2>(a, rows, depth, x + n, y + n, stride, beta, slope);
    }
    for (; n < columns; ++n) {
        one_column(a, rows, depth, x + n, y + n, stride, beta, slope);
    }
}

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

/// Sum of all lanes, by halves: one after the other, they would cost more than the products before them.
float lane_sum(Vector<16> v) {
    alignas(64) float lanes[16];
    store<16>(lanes, v);
    const Vector<8> eight = load<8>(lanes) + load<8>(lanes + 8);
    store<8>(lanes, eight);
    const Vector<4> four = load<4>(lanes) + load<4>(lanes + 4);
    return (four[0] + four[2]) + (four[1] + four[3]);
}

void complex_backward(const float* g_re, const float* g_im, const float* w_re, const float* w_im, float* x_re,
                      float* x_im, std::int64_t inputs, std::int64_t outputs) {
    for (std::int64_t i = 0; i < inputs; ++i) {
        const float* a = w_re + i * outputs;
        const float* b = w_im + i * outputs;
        Vector<16> re = {}, im = {};
        std::int64_t o = 0;
        for (; o + 16 <= outputs; o += 16) {
            const Vector<16> u = load<16>(g_re + o), v = load<16>(g_im + o);
            const Vector<16> p = load<16>(a + o), q = load<16>(b + o);
            re += u * p + v * q;
            im += v * p - u * q;
        }
        Vector<4> re_rest = {}, im_rest = {};
        for (; o + 4 <= outputs; o += 4) {
            const Vector<4> u = load<4>(g_re + o), v = load<4>(g_im + o);
            const Vector<4> p = load<4>(a + o), q = load<4>(b + o);
            re_rest += u * p + v * q;
            im_rest += v * p - u * q;
        }
        float re_sum = lane_sum(re) + (re_rest[0] + re_rest[2]) + (re_rest[1] + re_rest[3]);
        float im_sum = lane_sum(im) + (im_rest[0] + im_rest[2]) + (im_rest[1] + im_rest[3]);
        for (; o < outputs; ++o) {
            re_sum += g_re[o] * a[o] + g_im[o] * b[o];
            im_sum += g_im[o] * a[o] - g_re[o] * b[o];
        }
        x_re[i] = re_sum;
        x_im[i] = im_sum;
    }
}

void complex_outer(const float* x_re, const float* x_im, const float* g_re, const float* g_im, float* w_re, float* w_im,
                   std::int64_t inputs, std::int64_t outputs) {
    for (std::int64_t i = 0; i < inputs; ++i) {
        const float p = x_re[i], q = x_im[i];
        float* a = w_re + i * outputs;
        float* b = w_im + i * outputs;
        for (std::int64_t o = 0; o < outputs; ++o) {
            a[o] += p * g_re[o] + q * g_im[o];
            b[o] += p * g_im[o] - q * g_re[o];
        }
    }
}

}  // namespace

const SimdKernels& PLUMECAST_SIMD_FACTORY() {
    static const SimdKernels kernels{PLUMECAST_SIMD_NAME, &PLUMECAST_CONV_FACTORY(), rows_product,
                                     complex_forward,     complex_backward,          complex_outer};
    return kernels;
}

}  // namespace plumecast::cpu
