#pragma once

#ifdef __AVX512BF16__
#include <immintrin.h>
#endif

#include <cstdint>

#include <plumecast/core/bfloat16.hpp>

/// Loops shared by sources that are compiled once per instruction set. In an anonymous namespace, so that the linker
/// cannot give one set's code to another.
namespace plumecast::cpu {
namespace {

template <int width>
struct Lanes {
    typedef float type __attribute__((vector_size(width * sizeof(float)), aligned(4), may_alias));
};

template <int width>
using Vector = typename Lanes<width>::type;

/// Vectors of 16-bit and 32-bit integers, as the conversions below see them.
template <int width>
struct Bits {
    typedef std::uint16_t half __attribute__((vector_size(width * sizeof(std::uint16_t)), aligned(2), may_alias));
    typedef std::uint32_t whole __attribute__((vector_size(width * sizeof(std::uint32_t)), aligned(4), may_alias));
};

template <int width>
Vector<width> load(const float* p) {
    return *reinterpret_cast<const Vector<width>*>(p);
}

template <int width>
Vector<width> load(const bfloat16* p) {
    typedef typename Bits<width>::whole Whole;
    const Whole bits = __builtin_convertvector(*reinterpret_cast<const typename Bits<width>::half*>(p), Whole) << 16;
    return (Vector<width>)bits;
}

template <int width>
void store(float* p, Vector<width> v) {
    *reinterpret_cast<Vector<width>*>(p) = v;
}

/// Rounds as bfloat16 itself does: to nearest, ties to even, NaN stays NaN.
template <int width>
void store(bfloat16* p, Vector<width> v) {
#ifdef __AVX512BF16__
    if constexpr (width == 16) {
        *reinterpret_cast<typename Bits<16>::half*>(p) = (typename Bits<16>::half)_mm512_cvtneps_pbh((__m512)v);
        return;
    }
#endif
    typedef typename Bits<width>::whole Whole;
    const Whole bits = (Whole)v;
    const Whole nearest = bits + 0x7fffu + ((bits >> 16) & 1u);
    const Whole rounded = (bits & 0x7fffffffu) > 0x7f800000u ? bits | 0x00400000u : nearest;
    *reinterpret_cast<typename Bits<width>::half*>(p) =
        __builtin_convertvector(rounded >> 16, typename Bits<width>::half);
}

/// One number.
template <class T>
float load_one(const T* p) {
    if constexpr (sizeof(T) == sizeof(float)) {
        return *p;
    } else {
        return __builtin_bit_cast(float, static_cast<std::uint32_t>(p->bits) << 16);
    }
}

template <class T>
void store_one(T* p, float value) {
    if constexpr (sizeof(T) == sizeof(float)) {
        *p = value;
    } else {
        const auto bits = __builtin_bit_cast(std::uint32_t, value);
        const std::uint32_t nearest = bits + 0x7fffu + ((bits >> 16) & 1u);
        p->bits = static_cast<std::uint16_t>(((bits & 0x7fffffffu) > 0x7f800000u ? bits | 0x00400000u : nearest) >> 16);
    }
}

template <int width, class Y>
void finish(Y* y, Vector<width> sum, float beta, float slope) {
    if (beta != 0.0f) {
        sum += beta * load<width>(y);
    }
    if (slope != 1.0f) {
        sum = sum >= 0.0f ? sum : slope * sum;
    }
    store<width>(y, sum);
}

#if defined(__AVX512F__)
constexpr int widest = 16;
/// Rows whose accumulators, of two vectors each, fill the registers beside two vectors of x.
constexpr int most_rows = 12;
#elif defined(__AVX__)
constexpr int widest = 8, most_rows = 6;
#else
constexpr int widest = 4, most_rows = 6;
#endif

/// `rows` x `vectors` accumulators stay in registers over the whole depth.
template <int width, int vectors, int rows, class X, class Y>
void block(const float* a, std::int64_t depth, const X* x, Y* y, std::int64_t stride, float beta, float slope) {
    Vector<width> sums[rows][vectors] = {};
    for (std::int64_t k = 0; k < depth; ++k) {
        Vector<width> values[vectors];
#pragma GCC unroll 2
        for (int v = 0; v < vectors; ++v) {
            values[v] = load<width>(x + k * stride + v * width);
            if constexpr (vectors > 1) {
                // The columns that come next: rows lie too far apart for the processor to see what will be read.
                __builtin_prefetch(x + k * stride + (vectors + v) * width);
            }
        }
#pragma GCC unroll 12
        for (int m = 0; m < rows; ++m) {
#pragma GCC unroll 2
            for (int v = 0; v < vectors; ++v) {
                sums[m][v] += a[m * depth + k] * values[v];
            }
        }
    }
#pragma GCC unroll 12
    for (int m = 0; m < rows; ++m) {
#pragma GCC unroll 2
        for (int v = 0; v < vectors; ++v) {
            finish<width>(y + m * stride + v * width, sums[m][v], beta, slope);
            if constexpr (vectors > 1) {
                __builtin_prefetch(y + m * stride + (vectors + v) * width, 1);
            }
        }
    }
}

/// Calls the block of `count` rows.
template <int width, int vectors, class X, class Y, int rows = most_rows>
void call_block(std::int64_t count, const float* a, std::int64_t depth, const X* x, Y* y, std::int64_t stride,
                float beta, float slope) {
    if constexpr (rows > 1) {
        if (count < rows) {
            call_block<width, vectors, X, Y, rows - 1>(count, a, depth, x, y, stride, beta, slope);
            return;
        }
    }
    block<width, vectors, rows>(a, depth, x, y, stride, beta, slope);
}

/// Cuts the rows into as few blocks as the registers allow, of nearly equal height.
template <int width, int vectors, class X, class Y>
void all_rows(const float* a, std::int64_t rows, std::int64_t depth, const X* x, Y* y, std::int64_t stride, float beta,
              float slope) {
    const std::int64_t blocks = (rows + most_rows - 1) / most_rows;
    for (std::int64_t b = 0; b < blocks; ++b) {
        const std::int64_t first = rows * b / blocks, count = rows * (b + 1) / blocks - first;
        call_block<width, vectors>(count, a + first * depth, depth, x, y + first * stride, stride, beta, slope);
    }
}

template <class X, class Y>
void one_column(const float* a, std::int64_t rows, std::int64_t depth, const X* x, Y* y, std::int64_t stride,
                float beta, float slope) {
    for (std::int64_t m = 0; m < rows; ++m) {
        float sum = 0.0f;
        for (std::int64_t k = 0; k < depth; ++k) {
            sum += a[m * depth + k] * load_one(x + k * stride);
        }
        sum += beta != 0.0f ? beta * load_one(y + m * stride) : 0.0f;
        store_one(y + m * stride, sum >= 0.0f ? sum : slope * sum);
    }
}

/// As SimdKernels::rows_product, for either element type of x and y.
template <class X, class Y>
void rows_product(const float* a, std::int64_t rows, std::int64_t depth, const X* x, Y* y, std::int64_t columns,
                  std::int64_t stride, float beta, float slope) {
    std::int64_t n = 0;
    for (; n + 2 * widest <= columns; n += 2 * widest) {
        all_rows<widest, 2>(a, rows, depth, x + n, y + n, stride, beta, slope);
    }
    for (; n + widest <= columns; n += widest) {
        all_rows<widest, 1>(a, rows, depth, x + n, y + n, stride, beta, slope);
    }
    for (; n + 4 <= columns; n += 4) {
        all_rows<4, 1>(a, rows, depth, x + n, y + n, stride, beta, slope);
    }
    for (; n < columns; ++n) {
        one_column(a, rows, depth, x + n, y + n, stride, beta, slope);
    }
}

}  // namespace
}  // namespace plumecast::cpu
