// Compiled once per instruction set, like simd_kernels.cpp and under the same rule: no header with inline code. Plain
// loops, which the compiler turns into vectors; no two arrays of a call overlap.
#include "backend/cpu/field_kernels.hpp"

namespace plumecast::cpu {
namespace {

void slope_gradient(const float* __restrict y, float* __restrict g, std::int64_t count, float slope) {
    if (slope == 0.0f) {  // not a product: an infinite gradient times zero would not be zero
        for (std::int64_t i = 0; i < count; ++i) {
            g[i] = y[i] > 0.0f ? g[i] : 0.0f;
        }
        return;
    }
    for (std::int64_t i = 0; i < count; ++i) {
        g[i] = y[i] > 0.0f ? g[i] : slope * g[i];
    }
}

void adam(const AdamNumbers& step, const float* __restrict g, float* __restrict w, float* __restrict m,
          float* __restrict v, std::int64_t count) {
    const AdamNumbers s = step;
    for (std::int64_t i = 0; i < count; ++i) {
        const float slope = s.scale * g[i] + s.decay * w[i];
        const float first = s.beta1 * m[i] + s.rest1 * slope;
        const float second = s.beta2 * v[i] + s.rest2 * slope * slope;
        m[i] = first;
        v[i] = second;
        w[i] -= s.rate * first / (__builtin_sqrtf(second) * s.root + s.epsilon) + s.shrink * w[i];
    }
}

/// Calls body(first, count) for the periods of `count` numbers.
template <class Body>
inline __attribute__((always_inline)) void each_period(std::int64_t count, std::int64_t period, const Body& body) {
    for (std::int64_t first = 0; first < count; first += period) {
        body(first, count - first < period ? count - first : period);
    }
}

void add_up(const float* __restrict x, std::int64_t count, double* __restrict sums, std::int64_t period) {
    each_period(count, period, [&](std::int64_t first, std::int64_t n) {
        const float* values = x + first;
        for (std::int64_t i = 0; i < n; ++i) {
            sums[i] += static_cast<double>(values[i]);
        }
    });
}

void add_fours(const float* __restrict x, std::int64_t count, double* __restrict sums, std::int64_t period) {
    for (; count >= 4 * period; count -= 4 * period, x += 4 * period) {
        const float *x1 = x + period, *x2 = x1 + period, *x3 = x2 + period;
        for (std::int64_t i = 0; i < period; ++i) {
            sums[i] += static_cast<double>((x[i] + x1[i]) + (x2[i] + x3[i]));
        }
    }
    add_up(x, count, sums, period);
}

void add_squares(const float* __restrict x, std::int64_t count, const double* __restrict mean, double* __restrict sums,
                 std::int64_t period) {
    each_period(count, period, [&](std::int64_t first, std::int64_t n) {
        const float* values = x + first;
        for (std::int64_t i = 0; i < n; ++i) {
            const double deviation = static_cast<double>(values[i]) - mean[i];
            sums[i] += deviation * deviation;
        }
    });
}

void add_norm(const float* __restrict x, std::int64_t count, double* __restrict sums) {
    std::int64_t first = 0;
    for (; first + norm_lanes <= count; first += norm_lanes) {
        for (std::int64_t i = 0; i < norm_lanes; ++i) {
            sums[i] += static_cast<double>(x[first + i]) * static_cast<double>(x[first + i]);
        }
    }
    for (; first < count; ++first) {
        sums[first % norm_lanes] += static_cast<double>(x[first]) * static_cast<double>(x[first]);
    }
}

void normalise(const NormRows& rows, const float* x, float* y, std::int64_t count) {  // x may be y
    const NormRows r = rows;
    each_period(count, r.period, [&](std::int64_t first, std::int64_t n) {
        const float* values = x + first;
        float* results = y + first;
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i) {
            const float z = r.scale[i] * values[i] + r.shift[i];
            results[i] = z >= 0.0f ? z : r.slope * z;
        }
    });
}

void normalise_sums(const NormRows& rows, const float* __restrict x, const float* __restrict g, std::int64_t count,
                    double* __restrict sums, double* __restrict products) {
    const NormRows r = rows;
    each_period(count, r.period, [&](std::int64_t first, std::int64_t n) {
        const float *values = x + first, *gradient = g + first;
        for (std::int64_t i = 0; i < n; ++i) {
            const float factor = r.scale[i] * values[i] + r.shift[i] > 0.0f ? 1.0f : r.slope;
            const float upstream = gradient[i] * factor;
            sums[i] += static_cast<double>(upstream);
            products[i] += static_cast<double>(upstream * (values[i] - r.mean[i]) * r.inverse[i]);
        }
    });
}

template <bool adds>
inline __attribute__((always_inline)) void gradient_of(const NormRows& r, const float* x, const float* g, float* y,
                                                       std::int64_t n, float beta) {
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i) {
        const float factor = r.scale[i] * x[i] + r.shift[i] > 0.0f ? 1.0f : r.slope;
        const float unit = (x[i] - r.mean[i]) * r.inverse[i];
        const float added = r.scale[i] * (g[i] * factor - r.mean_g[i] - unit * r.mean_gx[i]);
        y[i] = adds ? beta * y[i] + added : added;
    }
}

void normalise_gradient(const NormRows& rows, const float* x, const float* g, float* y, std::int64_t count,
                        float beta) {
    const NormRows r = rows;
    each_period(count, r.period, [&](std::int64_t first, std::int64_t n) {
        beta != 0.0f ? gradient_of<true>(r, x + first, g + first, y + first, n, beta)
                     : gradient_of<false>(r, x + first, g + first, y + first, n, beta);
    });
}

}  // namespace

const FieldKernels& PLUMECAST_FIELD_FACTORY() {
    static constexpr FieldKernels kernels{slope_gradient, adam,      add_up,         add_fours,         add_squares,
                                          add_norm,       normalise, normalise_sums, normalise_gradient};
    return kernels;
}

}  // namespace plumecast::cpu
