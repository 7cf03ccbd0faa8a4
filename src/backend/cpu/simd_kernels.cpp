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
    static const SimdKernels kernels{PLUMECAST_SIMD_NAME,
                                     &PLUMECAST_CONV_FACTORY(),
                                     &PLUMECAST_BFLOAT16_FACTORY(),
                                     &PLUMECAST_FIELD_FACTORY(),
                                     rows_product<float, float>,
                                     complex_forward,
                                     complex_backward,
                                     complex_outer};
    return kernels;
}

}  // namespace plumecast::cpu
