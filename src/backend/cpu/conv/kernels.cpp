// Compiled once per instruction set, like simd_kernels.cpp and under the same rule: no header with inline code.
#include "backend/cpu/conv/kernels.hpp"

namespace plumecast::cpu {
namespace {

constexpr int lanes = PLUMECAST_SIMD_LANES;
/// Prefetch distance in rows of weights: they come from the second-level cache, too fast for the hardware to guess
/// alone.
constexpr int prefetch = 8;
/// Rows that stream from memory are asked for so long before they are used, in rows: a few blocks of them.
constexpr int rows_ahead = 32;
typedef float Vector __attribute__((vector_size(lanes * sizeof(float)), aligned(4), may_alias));

/// Rows whose accumulators fit the registers beside a row of weights: 32 of them with AVX-512, 16 before.
constexpr int most_rows(int vectors) {
    return lanes == 16 ? (vectors == 1 ? 16 : vectors == 2 ? 12 : 8) : (vectors == 1 ? 8 : vectors == 2 ? 6 : 4);
}

Vector load(const float* p) { return *reinterpret_cast<const Vector*>(p); }
void store(float* p, Vector v) { *reinterpret_cast<Vector*>(p) = v; }

template <int width>
struct Part {
    typedef float type __attribute__((vector_size(width * sizeof(float)), aligned(4), may_alias));
};

template <int width, bool adds, bool activates>
inline __attribute__((always_inline)) void finish(float* y, const float* from, const ConvRows& run) {
    typedef typename Part<width>::type Floats;
    Floats sum = *reinterpret_cast<const Floats*>(from);
    if constexpr (adds) {
        sum += run.beta * *reinterpret_cast<const Floats*>(y);
    }
    if constexpr (activates) {
        sum = sum >= 0.0f ? sum : run.slope * sum;
    }
    *reinterpret_cast<Floats*>(y) = sum;
}

/// Rows of sums to their places, of which the last vector may hold more than belongs to us. Not part of the blocks
/// that computed them: as often as those are compiled, this would not fit the cache of instructions.
template <int vectors, bool adds, bool activates>
void finish_rows(const ConvRows& run, std::int64_t first, std::int64_t rows, const float* sums) {
    const std::int64_t columns = run.columns;
    for (std::int64_t row = 0; row < rows; ++row, sums += vectors * lanes) {
        float* y = run.y + (first + row) * run.y_stride;
        if (run.streams) {
            for (int v = 0; v < vectors; ++v) {
                __builtin_prefetch(y + rows_ahead * run.y_stride + v * lanes, 1);
            }
        }
        std::int64_t n = 0;
        for (; n + lanes <= columns; n += lanes) {
            finish<lanes, adds, activates>(y + n, sums + n, run);
        }
        for (; n + 4 <= columns; n += 4) {
            finish<4, adds, activates>(y + n, sums + n, run);
        }
        for (; n < columns; ++n) {
            finish<1, adds, activates>(y + n, sums + n, run);
        }
    }
}

template <int vectors>
void finish_rows(const ConvRows& run, std::int64_t first, std::int64_t rows, const float* sums) {
    if (run.beta != 0.0f) {
        run.slope != 1.0f ? finish_rows<vectors, true, true>(run, first, rows, sums)
                          : finish_rows<vectors, true, false>(run, first, rows, sums);
    } else {
        run.slope != 1.0f ? finish_rows<vectors, false, true>(run, first, rows, sums)
                          : finish_rows<vectors, false, false>(run, first, rows, sums);
    }
}

/// Accumulators stay in registers over all taps and input channels. Three rows share a pointer, which x86 addresses as
/// base, base + stride, base + 2 stride; a pointer per row would run out of registers.
template <int rows, int vectors, bool streams>
void rows_block(const ConvRows& run, std::int64_t first) {
    constexpr int groups = (rows + 2) / 3;
    const std::int64_t stride = run.x_stride;
    Vector sums[rows][vectors] = {};
    if (run.bias != nullptr) {
#pragma GCC unroll 16
        for (int m = 0; m < rows; ++m) {
#pragma GCC unroll 3
            for (int v = 0; v < vectors; ++v) {
                sums[m][v] = load(run.bias + v * lanes);
            }
        }
    }
    for (std::int64_t tap = 0; tap < run.taps; ++tap) {
        const float* w = run.w[tap];
        const float* x[groups];
        const float* ahead = run.x[tap] + (first + rows_ahead) * stride;
#pragma GCC unroll 8
        for (int g = 0; g < groups; ++g) {
            x[g] = run.x[tap] + (first + 3 * g) * stride;
        }
        for (const float* end = w + run.depth * vectors * lanes; w != end; w += vectors * lanes) {
            Vector weights[vectors];
#pragma GCC unroll 3
            for (int v = 0; v < vectors; ++v) {
                weights[v] = load(w + v * lanes);
                if constexpr (!streams) {
                    __builtin_prefetch(w + (prefetch * vectors + v) * lanes);
                }
            }
            if constexpr (streams) {
                __builtin_prefetch(ahead);
                ahead += rows;
            }
#pragma GCC unroll 16
            for (int m = 0; m < rows; ++m) {
                const float value = x[m / 3][(m % 3) * stride];
#pragma GCC unroll 3
                for (int v = 0; v < vectors; ++v) {
                    sums[m][v] += value * weights[v];
                }
            }
#pragma GCC unroll 8
            for (int g = 0; g < groups; ++g) {
                ++x[g];
            }
        }
    }
    alignas(64) float results[rows * vectors * lanes];
#pragma GCC unroll 16
    for (int m = 0; m < rows; ++m) {
#pragma GCC unroll 3
        for (int v = 0; v < vectors; ++v) {
            store(results + (m * vectors + v) * lanes, sums[m][v]);
        }
    }
    finish_rows<vectors>(run, first, rows, results);
}

/// Weights of `rows` input channels for the panel; accumulators stay in registers over all points.
template <int rows, int vectors, bool streams>
void outer_block(const ConvOuter& run, std::int64_t first) {
    Vector sums[rows][vectors] = {};
    for (std::int64_t line = 0; line < run.lines; ++line) {
        const float* a = run.a[line] + first;
        const float* g = run.g[line];
        // What comes next is asked for bit by bit, in as many passes as there are blocks.
        const std::int64_t a_ahead = run.ahead * run.a_stride;
        const std::int64_t g_ahead = run.ahead * run.g_stride + first * run.g_stride / run.depth;
        for (std::int64_t p = 0; p < run.rows; ++p, g += run.g_stride, a += run.a_stride) {
            Vector values[vectors];
#pragma GCC unroll 3
            for (int v = 0; v < vectors; ++v) {
                values[v] = load(g + v * lanes);
            }
            if constexpr (streams) {
                __builtin_prefetch(a + a_ahead);
                __builtin_prefetch(g + g_ahead);
            }
#pragma GCC unroll 16
            for (int m = 0; m < rows; ++m) {
#pragma GCC unroll 3
                for (int v = 0; v < vectors; ++v) {
                    sums[m][v] += a[m] * values[v];
                }
            }
        }
    }
#pragma GCC unroll 16
    for (int m = 0; m < rows; ++m) {
#pragma GCC unroll 3
        for (int v = 0; v < vectors; ++v) {
            float* w = run.w + ((first + m) * vectors + v) * lanes;
            store(w, load(w) + sums[m][v]);
        }
    }
}

template <int rows, int vectors>
struct RowsBlock {
    static void call(const ConvRows& run, std::int64_t first) {
        run.streams ? rows_block<rows, vectors, true>(run, first) : rows_block<rows, vectors, false>(run, first);
    }
};

template <int rows, int vectors>
struct OuterBlock {
    static void call(const ConvOuter& run, std::int64_t first) {
        run.ahead > 0 ? outer_block<rows, vectors, true>(run, first) : outer_block<rows, vectors, false>(run, first);
    }
};

/// Calls the block of `count` rows.
template <template <int, int> class Block, int vectors, class Run, int rows = most_rows(vectors)>
void call_block(const Run& run, std::int64_t first, std::int64_t count) {
    if constexpr (rows > 1) {
        if (count < rows) {
            call_block<Block, vectors, Run, rows - 1>(run, first, count);
            return;
        }
    }
    Block<rows, vectors>::call(run, first);
}

/// Cuts the rows into as few blocks as the registers allow, of nearly equal height.
template <template <int, int> class Block, int vectors, class Run>
void even_blocks(const Run& run, std::int64_t rows) {
    const std::int64_t blocks = (rows + most_rows(vectors) - 1) / most_rows(vectors);
    for (std::int64_t block = 0; block < blocks; ++block) {
        const std::int64_t first = rows * block / blocks;
        call_block<Block, vectors>(run, first, rows * (block + 1) / blocks - first);
    }
}

template <template <int, int> class Block, class Run>
void all_blocks(const Run& run, std::int64_t rows) {
    switch (run.vectors) {
        case 1:
            return even_blocks<Block, 1>(run, rows);
        case 2:
            return even_blocks<Block, 2>(run, rows);
        default:
            return even_blocks<Block, 3>(run, rows);
    }
}

void conv_rows(const ConvRows& run) { all_blocks<RowsBlock>(run, run.rows); }
void conv_outer(const ConvOuter& run) { all_blocks<OuterBlock>(run, run.depth); }

}  // namespace

const ConvKernels& PLUMECAST_CONV_FACTORY() {
    static const ConvKernels kernels{lanes, lanes == 16 ? 3 : 2, conv_rows, conv_outer, &PLUMECAST_TILE_FACTORY()};
    return kernels;
}

}  // namespace plumecast::cpu
