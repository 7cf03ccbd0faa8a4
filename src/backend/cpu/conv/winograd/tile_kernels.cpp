// Compiled once per instruction set, like simd_kernels.cpp and under the same rule: no header with inline code.
#include "backend/cpu/conv/winograd/tile_kernels.hpp"

namespace plumecast::cpu {
namespace {

constexpr int lanes = PLUMECAST_SIMD_LANES;
/// Accumulators of two vectors each fill the registers beside one pair of points and a weight.
constexpr int most_rows = lanes == 16 ? 12 : 6;
typedef float Vector __attribute__((vector_size(lanes * sizeof(float))));
typedef float Quad __attribute__((vector_size(4 * sizeof(float))));
typedef float UnalignedVector __attribute__((vector_size(lanes * sizeof(float)), aligned(4), may_alias));
typedef float UnalignedQuad __attribute__((vector_size(4 * sizeof(float)), aligned(4), may_alias));

Vector load(const float* p) { return *reinterpret_cast<const UnalignedVector*>(p); }
void store(float* p, Vector v) { *reinterpret_cast<UnalignedVector*>(p) = v; }
Quad load_quad(const float* p) { return *reinterpret_cast<const UnalignedQuad*>(p); }
void store_quad(float* p, Quad v) { *reinterpret_cast<UnalignedQuad*>(p) = v; }

/// Accumulators stay in registers over all taps and channels.
template <int rows, int vectors>
void product_block(const TileProduct& run) {
    Vector sums[rows][vectors] = {};
    const float* w = run.w;
    for (std::int64_t tap = 0; tap < run.taps; ++tap) {
        const float* x = run.x[tap];
        for (const float* end = w + run.depth * rows; w != end; w += rows, x += run.x_stride) {
            Vector points[vectors];
#pragma GCC unroll 2
            for (int v = 0; v < vectors; ++v) {
                points[v] = load(x + v * run.x_step);
            }
#pragma GCC unroll 16
            for (int o = 0; o < rows; ++o) {
#pragma GCC unroll 2
                for (int v = 0; v < vectors; ++v) {
                    sums[o][v] += w[o] * points[v];
                }
            }
        }
    }
#pragma GCC unroll 16
    for (int o = 0; o < rows; ++o) {
#pragma GCC unroll 2
        for (int v = 0; v < vectors; ++v) {
            store(run.y + o * run.y_stride + v * run.y_step, sums[o][v]);
        }
    }
}

template <int rows>
void product_rows(const TileProduct& run) {
    if constexpr (rows > 1) {
        if (run.rows < rows) {
            product_rows<rows - 1>(run);
            return;
        }
    }
    run.vectors == 2 ? product_block<rows, 2>(run) : product_block<rows, 1>(run);
}

void product(const TileProduct& run) { product_rows<most_rows>(run); }

/// Rows m, m + 4 ... of four channels, 4 rows apart, in one vector.
template <class Wide>
inline __attribute__((always_inline)) Wide gather_quads(const float* x, std::int64_t stride) {
    if constexpr (sizeof(Wide) == sizeof(Quad)) {
        return load_quad(x);
    } else if constexpr (sizeof(Wide) == 2 * sizeof(Quad)) {
        return __builtin_shufflevector(load_quad(x), load_quad(x + 4 * stride), 0, 1, 2, 3, 4, 5, 6, 7);
    } else {
        typedef float Half __attribute__((vector_size(2 * sizeof(Quad))));
        return __builtin_shufflevector(gather_quads<Half>(x, stride), gather_quads<Half>(x + 8 * stride, stride), 0, 1,
                                       2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    }
}

/// Four vectors of rows to four of columns, within every four lanes.
inline __attribute__((always_inline)) void transpose_quads(Quad* q) {
    const Quad low_01 = __builtin_shufflevector(q[0], q[1], 0, 4, 1, 5);
    const Quad high_01 = __builtin_shufflevector(q[0], q[1], 2, 6, 3, 7);
    const Quad low_23 = __builtin_shufflevector(q[2], q[3], 0, 4, 1, 5);
    const Quad high_23 = __builtin_shufflevector(q[2], q[3], 2, 6, 3, 7);
    q[0] = __builtin_shufflevector(low_01, low_23, 0, 1, 4, 5);
    q[1] = __builtin_shufflevector(low_01, low_23, 2, 3, 6, 7);
    q[2] = __builtin_shufflevector(high_01, high_23, 0, 1, 4, 5);
    q[3] = __builtin_shufflevector(high_01, high_23, 2, 3, 6, 7);
}

#if PLUMECAST_SIMD_LANES == 8
inline __attribute__((always_inline)) void transpose_quads(Vector* q) {
    const Vector low_01 = __builtin_shufflevector(q[0], q[1], 0, 8, 1, 9, 4, 12, 5, 13);
    const Vector high_01 = __builtin_shufflevector(q[0], q[1], 2, 10, 3, 11, 6, 14, 7, 15);
    const Vector low_23 = __builtin_shufflevector(q[2], q[3], 0, 8, 1, 9, 4, 12, 5, 13);
    const Vector high_23 = __builtin_shufflevector(q[2], q[3], 2, 10, 3, 11, 6, 14, 7, 15);
    q[0] = __builtin_shufflevector(low_01, low_23, 0, 1, 8, 9, 4, 5, 12, 13);
    q[1] = __builtin_shufflevector(low_01, low_23, 2, 3, 10, 11, 6, 7, 14, 15);
    q[2] = __builtin_shufflevector(high_01, high_23, 0, 1, 8, 9, 4, 5, 12, 13);
    q[3] = __builtin_shufflevector(high_01, high_23, 2, 3, 10, 11, 6, 7, 14, 15);
}
#elif PLUMECAST_SIMD_LANES == 16
inline __attribute__((always_inline)) void transpose_quads(Vector* q) {
    const Vector low_01 = __builtin_shufflevector(q[0], q[1], 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
    const Vector high_01 =
        __builtin_shufflevector(q[0], q[1], 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
    const Vector low_23 = __builtin_shufflevector(q[2], q[3], 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
    const Vector high_23 =
        __builtin_shufflevector(q[2], q[3], 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
    q[0] = __builtin_shufflevector(low_01, low_23, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
    q[1] = __builtin_shufflevector(low_01, low_23, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
    q[2] = __builtin_shufflevector(high_01, high_23, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
    q[3] = __builtin_shufflevector(high_01, high_23, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
}
#endif

/// Points m, m + 1 ... that fill a vector, all channels in fours.
template <class Wide>
inline __attribute__((always_inline)) void transpose_points(const TileTranspose& run, std::int64_t m) {
    typedef float Store __attribute__((vector_size(sizeof(Wide)), aligned(4), may_alias));
    const std::int64_t stride = run.x_stride, y_stride = run.y_stride;
    const float* x = run.x + m * stride;
    float* y = run.y + m;
    for (std::int64_t c = 0; c + 4 <= run.channels; c += 4, x += 4, y += 4 * y_stride) {
        Wide q[4];
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) {
            q[i] = gather_quads<Wide>(x + i * stride, stride);
        }
        transpose_quads(q);
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) {
            *reinterpret_cast<Store*>(y + i * y_stride) = q[i];
        }
    }
}

void transpose(const TileTranspose& run) {
    std::int64_t m = 0;
    for (; m + lanes <= run.points; m += lanes) {
        transpose_points<Vector>(run, m);
    }
    for (; m + 4 <= run.points; m += 4) {
        transpose_points<Quad>(run, m);
    }
    const bool again = m < run.points && run.points >= 4;
    if (again) {
        transpose_points<Quad>(run, run.points - 4);  // some of it once more
    }
    for (m = again ? run.points : m; m < run.points; ++m) {
        for (std::int64_t c = 0; c < run.channels / 4 * 4; ++c) {
            run.y[c * run.y_stride + m] = run.x[m * run.x_stride + c];
        }
    }
    for (std::int64_t c = run.channels / 4 * 4; c < run.channels; ++c) {
        for (m = 0; m < run.points; ++m) {
            run.y[c * run.y_stride + m] = run.x[m * run.x_stride + c];
        }
    }
}

template <class Wide>
inline __attribute__((always_inline)) void scatter_quads(float* y, std::int64_t stride, Wide v) {
    if constexpr (sizeof(Wide) == sizeof(Quad)) {
        store_quad(y, v);
    } else if constexpr (sizeof(Wide) == 2 * sizeof(Quad)) {
        store_quad(y, __builtin_shufflevector(v, v, 0, 1, 2, 3));
        store_quad(y + 4 * stride, __builtin_shufflevector(v, v, 4, 5, 6, 7));
    } else {
        scatter_quads(y, stride, __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7));
        scatter_quads(y + 8 * stride, stride, __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15));
    }
}

/// Points m, m + 1 ... that fill a vector, all channels in fours. What does not change the sum is left out.
template <class Wide, bool adds, bool bends>
inline __attribute__((always_inline)) void finish_points(const TileFinish& run, std::int64_t m) {
    typedef float Load __attribute__((vector_size(sizeof(Wide)), aligned(4), may_alias));
    const std::int64_t channels = run.channels / 4 * 4, x_stride = run.x_stride, y_stride = run.y_stride;
    const float *x = run.x + m, *bias = run.bias;
    const float beta = run.beta, slope = run.slope;
    float* y = run.y + m * y_stride;
    for (std::int64_t c = 0; c < channels; c += 4, x += 4 * x_stride, y += 4) {
        Wide q[4], shift = {};
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) {
            q[i] = *reinterpret_cast<const Load*>(x + i * x_stride);
        }
        if (bias != nullptr) {
            shift = gather_quads<Wide>(bias + c, 0);
        }
        transpose_quads(q);
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) {
            Wide sum = q[i] + shift;
            if constexpr (adds) {
                sum += beta * gather_quads<Wide>(y + i * y_stride, y_stride);
            }
            if constexpr (bends) {
                sum = sum >= 0.0f ? sum : slope * sum;
            }
            scatter_quads(y + i * y_stride, y_stride, sum);
        }
    }
}

void finish_one(const TileFinish& run, std::int64_t m, std::int64_t c) {
    float& y = run.y[m * run.y_stride + c];
    float sum = run.x[c * run.x_stride + m] + (run.bias != nullptr ? run.bias[c] : 0.0f);
    sum = run.beta != 0.0f ? sum + run.beta * y : sum;
    y = sum >= 0.0f ? sum : run.slope * sum;
}

template <bool adds, bool bends>
void finish_all(const TileFinish& run) {
    const std::int64_t channels = run.channels / 4 * 4;
    std::int64_t m = 0;
    for (; m + lanes <= run.points; m += lanes) {
        finish_points<Vector, adds, bends>(run, m);
    }
    for (; m + 4 <= run.points; m += 4) {
        finish_points<Quad, adds, bends>(run, m);
    }
    for (std::int64_t c = 0; c < run.channels; ++c) {
        for (std::int64_t rest = c < channels ? m : 0; rest < run.points; ++rest) {
            finish_one(run, rest, c);
        }
    }
}

void finish(const TileFinish& run) {
    if (run.beta != 0.0f) {
        run.slope != 1.0f ? finish_all<true, true>(run) : finish_all<true, false>(run);
    } else {
        run.slope != 1.0f ? finish_all<false, true>(run) : finish_all<false, false>(run);
    }
}

}  // namespace

const TileKernels& PLUMECAST_TILE_FACTORY() {
    static const TileKernels kernels{most_rows, PLUMECAST_FILTER_FACTORY(), product, transpose, finish};
    return kernels;
}

}  // namespace plumecast::cpu
