// Compiled once per instruction set by CMake, which names the factory.
#include "reservoir/physics/two_phase/dense_kernels.hpp"

namespace plumecast::two_phase {
namespace {

#if defined(__AVX512F__)
constexpr std::size_t lanes = 8;
#else
constexpr std::size_t lanes = 4;
#endif
typedef double Vector __attribute__((vector_size(lanes * sizeof(double))));
/// As values lie in memory. Clang forgets such an alignment where a function returns a reference to the type.
typedef double UnalignedVector __attribute__((vector_size(sizeof(Vector)), aligned(sizeof(double)), may_alias));

constexpr std::size_t most_pivots = 4;  // divides `lanes`, so that the columns of some pivots are in one vector
constexpr std::size_t rows_at_once = 4;

Vector load(const double* values) { return *reinterpret_cast<const UnalignedVector*>(values); }
void store(double* values, Vector v) { *reinterpret_cast<UnalignedVector*>(values) = v; }

/// Some pivots at a time: rows and columns of a matrix. Their columns are cleared in vectors, not one by one: a vector
/// that is read just after a single element of it was written waits for that.
template <std::size_t pivots>
class Elimination {
   public:
    Elimination(double* matrix, std::size_t size, std::size_t stride, std::size_t first)
        : matrix_(matrix), size_(size), stride_(stride), first_(first), vector_(first / lanes * lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const std::size_t column = vector_ + lane;
            others_[lane] = column >= first && column < first + pivots ? 0.0 : 1.0;
        }
    }

    void run() {
        scale_pivot_rows();
        eliminate_between(0, first_);
        eliminate_between(first_ + pivots, size_);
    }

   private:
    /// Multiplies the pivot rows by the inverse of their small matrix; that inverse replaces the small matrix.
    void scale_pivot_rows() {
        double* rows = matrix_ + first_ * stride_;
        double inverse[pivots][pivots];
        double unit[pivots][lanes] = {};  // rows of the identity, where the vector has the small matrix
        for (std::size_t p = 0; p < pivots; ++p) {
            for (std::size_t q = 0; q < pivots; ++q) {
                inverse[p][q] = rows[p * stride_ + first_ + q];
            }
            unit[p][first_ - vector_ + p] = 1.0;
        }
        invert_pivots(inverse);
        const auto scale = [&](std::size_t j, const auto& row_of) {
            Vector scaled[pivots] = {};
            for (std::size_t q = 0; q < pivots; ++q) {
                const Vector row = row_of(q, load(rows + q * stride_ + j));
                for (std::size_t p = 0; p < pivots; ++p) {
                    scaled[p] += inverse[p][q] * row;
                }
            }
            for (std::size_t p = 0; p < pivots; ++p) {
                store(rows + p * stride_ + j, scaled[p]);
            }
        };
        const auto beside = [](std::size_t, Vector row) { return row; };
        for (std::size_t j = 0; j < vector_; j += lanes) {
            scale(j, beside);
        }
        scale(vector_, [&](std::size_t q, Vector row) { return row * others_ + load(unit[q]); });
        for (std::size_t j = vector_ + lanes; j < stride_; j += lanes) {
            scale(j, beside);
        }
    }

    /// By Gauss-Jordan.
    static void invert_pivots(double (&matrix)[pivots][pivots]) {
        // Unrolled, the matrix stays in registers.
#pragma GCC unroll 4
        for (std::size_t k = 0; k < pivots; ++k) {
            const double scale = 1.0 / matrix[k][k];
            matrix[k][k] = 1.0;
            for (std::size_t j = 0; j < pivots; ++j) {
                matrix[k][j] *= scale;
            }
            for (std::size_t i = 0; i < pivots; ++i) {
                const double factor = matrix[i][k];
                if (i == k) {
                    continue;
                }
                matrix[i][k] = 0.0;
                for (std::size_t j = 0; j < pivots; ++j) {
                    matrix[i][j] -= factor * matrix[k][j];
                }
            }
        }
    }

    void eliminate_between(std::size_t begin, std::size_t end) {
        std::size_t row = begin;
        for (; row + rows_at_once <= end; row += rows_at_once) {
            eliminate<rows_at_once>(matrix_ + row * stride_);
        }
        for (; row < end; ++row) {
            eliminate<1>(matrix_ + row * stride_);
        }
    }

    /// Subtracts multiples of the pivot rows from other rows, whose factors are in the columns of the pivots.
    template <std::size_t count>
    void eliminate(double* others) {
        const double* pivot_rows = matrix_ + first_ * stride_;
        double factors[count][pivots];
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t p = 0; p < pivots; ++p) {
                factors[i][p] = others[i * stride_ + first_ + p];
            }
        }
        const auto subtract = [&](std::size_t j, Vector kept) {
            Vector rows[count];
            for (std::size_t i = 0; i < count; ++i) {
                rows[i] = load(others + i * stride_ + j) * kept;
            }
            for (std::size_t p = 0; p < pivots; ++p) {
                const Vector pivot_row = load(pivot_rows + p * stride_ + j);
                for (std::size_t i = 0; i < count; ++i) {
                    rows[i] -= factors[i][p] * pivot_row;
                }
            }
            for (std::size_t i = 0; i < count; ++i) {
                store(others + i * stride_ + j, rows[i]);
            }
        };
        const Vector all = 1.0 - Vector{};
        for (std::size_t j = 0; j < vector_; j += lanes) {
            subtract(j, all);
        }
        subtract(vector_, others_);
        for (std::size_t j = vector_ + lanes; j < stride_; j += lanes) {
            subtract(j, all);
        }
    }

    double* matrix_;
    std::size_t size_, stride_, first_;
    std::size_t vector_;  // where the vector begins that holds the columns of the pivots
    Vector others_;       // 0 in those columns, 1 beside them
};

// Gauss-Jordan, several pivots at a time: their rows are multiplied by the inverse of their small matrix and taken from
// all others, and the columns of the inverse grow in the place of theirs.
void invert(double* matrix, std::size_t size, std::size_t stride) {
    std::size_t first = 0;
    for (; first + most_pivots <= size; first += most_pivots) {
        Elimination<most_pivots>(matrix, size, stride, first).run();
    }
    switch (size - first) {
        case 3:
            return Elimination<3>(matrix, size, stride, first).run();
        case 2:
            return Elimination<2>(matrix, size, stride, first).run();
        case 1:
            return Elimination<1>(matrix, size, stride, first).run();
        default:
            return;
    }
}

/// Sum of the rows of a matrix, times the elements of x, in so many vectors from a column on.
template <std::size_t count>
void add_rows(const double* matrix, const double* x, double* y, std::size_t size, std::size_t stride) {
    Vector sums[count] = {};
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t part = 0; part < count; ++part) {
            sums[part] += x[i] * load(matrix + i * stride + part * lanes);
        }
    }
    for (std::size_t part = 0; part < count; ++part) {
        store(y + part * lanes, sums[part]);
    }
}

void multiply_transposed(const double* matrix, const double* x, double* y, std::size_t size, std::size_t stride) {
    std::size_t j = 0;
    for (; j + 4 * lanes <= stride; j += 4 * lanes) {
        add_rows<4>(matrix + j, x, y + j, size, stride);
    }
    for (; j < stride; j += lanes) {
        add_rows<1>(matrix + j, x, y + j, size, stride);
    }
}

void couple(double* matrix, const double* further, const double* left, const double* right, std::size_t size,
            std::size_t stride) {
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < stride; j += lanes) {
            store(matrix + i * stride + j, -left[i] * load(further + i * stride + j) * load(right + j));
        }
    }
}

}  // namespace

const DenseKernels& PLUMECAST_DENSE_FACTORY() {
    static const DenseKernels kernels{invert, multiply_transposed, couple};
    return kernels;
}

}  // namespace plumecast::two_phase
