// Compiled once per instruction set, like simd_kernels.cpp and under the same rule: no header with inline code.
#include "backend/cpu/conv/winograd/factors.hpp"
#include "backend/cpu/conv/winograd/tile_kernels.hpp"

namespace plumecast::cpu {
namespace {

constexpr int lanes = PLUMECAST_SIMD_LANES;
typedef float Vector __attribute__((vector_size(lanes * sizeof(float))));
typedef float UnalignedVector __attribute__((vector_size(lanes * sizeof(float)), aligned(4), may_alias));

Vector load(const float* p) { return *reinterpret_cast<const UnalignedVector*>(p); }
void store(float* p, Vector v) { *reinterpret_cast<UnalignedVector*>(p) = v; }

/// A matrix known to the compiler, which leaves out zeros and products with one.
template <int row_count, int column_count>
struct Matrix {
    static constexpr int rows = row_count, columns = column_count;
    float at[row_count][column_count];
};

template <int rows, int columns>
constexpr Matrix<rows, columns> matrix(const float (&from)[rows][columns]) {
    Matrix<rows, columns> m{};
    for (int i = 0; i < rows; ++i) {
        for (int k = 0; k < columns; ++k) {
            m.at[i][k] = from[i][k];
        }
    }
    return m;
}

template <int rows, int columns>
constexpr Matrix<columns, rows> transposed(const Matrix<rows, columns>& from) {
    Matrix<columns, rows> m{};
    for (int i = 0; i < rows; ++i) {
        for (int k = 0; k < columns; ++k) {
            m.at[k][i] = from.at[i][k];
        }
    }
    return m;
}

/// True where rows i and i + 1 differ in some signs only.
template <int rows, int columns>
constexpr bool is_pair(const Matrix<rows, columns>& m, int i) {
    bool equal = i + 1 < rows, same = true;
    for (int k = 0; k < columns && equal; ++k) {
        const float a = m.at[i][k], b = m.at[i + 1][k];
        equal = a == b || a == -b;
        same = same && a == b;
    }
    return equal && !same;
}

/// Row i; of a pair either the columns where both agree, or those where they differ.
enum class Part { all, agreeing, opposite };

template <int rows, int columns>
constexpr float factor(const Matrix<rows, columns>& m, int i, int k, Part part) {
    if (part == Part::all) {
        return m.at[i][k];
    }
    return (m.at[i][k] == m.at[i + 1][k]) == (part == Part::agreeing) ? m.at[i][k] : 0.0f;
}

template <int rows, int columns>
constexpr bool is_empty(const Matrix<rows, columns>& m, int i, int k, Part part) {
    for (; k < columns; ++k) {
        if (factor(m, i, k, part) != 0.0f) {
            return false;
        }
    }
    return true;
}

/// Sum over columns from k on of row i times x.
template <const auto& m, int i, int k, Part part, class Value>
inline __attribute__((always_inline)) Value row_sum(const Value* x) {
    constexpr float f = factor(m, i, k, part);
    if constexpr (f == 0.0f) {
        return row_sum<m, i, k + 1, part>(x);
    } else if constexpr (is_empty(m, i, k + 1, part)) {
        return f == 1.0f ? x[k] : f * x[k];
    } else {
        const Value rest = row_sum<m, i, k + 1, part>(x);
        return f == 1.0f ? x[k] + rest : f == -1.0f ? rest - x[k] : f * x[k] + rest;
    }
}

/// y[i ...] = rows i ... of m times x.
template <const auto& m, int i, class Value>
inline __attribute__((always_inline)) void rows_from(const Value* x, Value* y) {
    if constexpr (i < m.rows) {
        if constexpr (is_pair(m, i)) {
            const Value agreeing = row_sum<m, i, 0, Part::agreeing>(x), opposite = row_sum<m, i, 0, Part::opposite>(x);
            y[i] = agreeing + opposite;
            y[i + 1] = agreeing - opposite;
            rows_from<m, i + 2>(x, y);
        } else {
            y[i] = row_sum<m, i, 0, Part::all>(x);
            rows_from<m, i + 1>(x, y);
        }
    }
}

/// The matrix for sums and differences in the place of columns that differ in some signs only.
template <int rows, int columns>
constexpr Matrix<rows, columns> folded(const Matrix<rows, columns>& from) {
    Matrix<rows, columns> m = from;
    const Matrix<columns, rows> across = transposed(from);
    for (int k = 0; k < columns; ++k) {
        if (is_pair(across, k)) {
            for (int i = 0; i < rows; ++i) {
                const bool agree = from.at[i][k] == from.at[i][k + 1];
                m.at[i][k] = agree ? from.at[i][k] : 0.0f;
                m.at[i][k + 1] = agree ? 0.0f : from.at[i][k];
            }
            ++k;
        }
    }
    return m;
}

template <const auto& across, int k, class Value>
inline __attribute__((always_inline)) void fold_from(Value* x) {
    if constexpr (k < across.rows) {
        if constexpr (is_pair(across, k)) {
            const Value sum = x[k] + x[k + 1];
            x[k + 1] = x[k] - x[k + 1];
            x[k] = sum;
            fold_from<across, k + 2>(x);
        } else {
            fold_from<across, k + 1>(x);
        }
    }
}

/// Products with a matrix, and with one whose columns come in pairs.
template <const auto& m>
struct Plain {
    static constexpr int rows = m.rows, columns = m.columns;
    template <class Value>
    static inline __attribute__((always_inline)) void apply(Value* x, Value* y) {
        rows_from<m, 0>(x, y);
    }
};

template <const auto& m>
struct Folding {
    static constexpr auto across = transposed(m);
    static constexpr auto inner = folded(m);
    static constexpr int rows = m.rows, columns = m.columns;
    template <class Value>
    static inline __attribute__((always_inline)) void apply(Value* x, Value* y) {
        fold_from<across, 0>(x);
        rows_from<inner, 0>(x, y);
    }
};

/// The pointers of a filter, which no store can change.
template <class Product>
struct FilterLines {
    const float* x[Product::columns];
    float* y[Product::rows];
};

template <class Product>
inline __attribute__((always_inline)) void filter_vector(const FilterLines<Product>& lines, std::int64_t n) {
    Vector x[Product::columns], y[Product::rows];
#pragma GCC unroll 8
    for (int k = 0; k < Product::columns; ++k) {
        x[k] = load(lines.x[k] + n);
    }
    Product::apply(x, y);
#pragma GCC unroll 8
    for (int i = 0; i < Product::rows; ++i) {
        store(lines.y[i] + n, y[i]);
    }
}

template <class Product>
void filter(const TileFilter& run) {
    FilterLines<Product> lines;
    for (int k = 0; k < Product::columns; ++k) {
        lines.x[k] = run.x[k];
    }
    for (int i = 0; i < Product::rows; ++i) {
        lines.y[i] = run.y[i];
    }
    const std::int64_t floats = run.floats;
    std::int64_t n = 0;
    for (; n + lanes <= floats; n += lanes) {
        filter_vector<Product>(lines, n);
    }
    if (n == floats) {
        return;
    }
    if (floats >= lanes) {
        filter_vector<Product>(lines, floats - lanes);  // some of it once more
        return;
    }
    for (; n < floats; ++n) {
        float x[Product::columns], y[Product::rows];
        for (int k = 0; k < Product::columns; ++k) {
            x[k] = lines.x[k][n];
        }
        Product::apply(x, y);
        for (int i = 0; i < Product::rows; ++i) {
            lines.y[i][n] = y[i];
        }
    }
}

template <class Factors>
struct Filters {
    static constexpr auto inputs = matrix(Factors::inputs);
    static constexpr auto outputs = matrix(Factors::outputs);
    static constexpr auto adjoint = transposed(outputs);
    static constexpr auto weights = matrix(Factors::weights);
    static constexpr TileFilters table{filter<Plain<inputs>>, filter<Folding<outputs>>, filter<Plain<adjoint>>,
                                       filter<Plain<weights>>};
};

}  // namespace

const TileFilters* PLUMECAST_FILTER_FACTORY() {
    static constexpr TileFilters filters[] = {Filters<Factors22>::table, Filters<Factors23>::table,
                                              Filters<Factors42>::table, Filters<Factors43>::table};
    return filters;
}

}  // namespace plumecast::cpu
