#include "backend/cpu/bfloat16/gemm.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "backend/cpu/parallel.hpp"

namespace plumecast::cpu {
namespace {

/// Numbers of a block of rows; it stays in the second-level cache beside the block it is multiplied to.
constexpr std::int64_t block_numbers = 65536;

std::int64_t rows_in_block(std::int64_t columns) {
    return std::max<std::int64_t>(16, block_numbers / std::max<std::int64_t>(1, columns));
}

/// Rows of a matrix as float32, in a buffer where they are bfloat16.
class Block {
   public:
    Block(const SimdKernels& simd, MemoryResource& memory, ConstView matrix, std::int64_t rows)
        : simd_(&simd), matrix_(matrix) {
        if (matrix.type == DType::bfloat16) {
            buffer_ = Tensor(memory, {std::min(rows, matrix.shape[0]), matrix.shape[1]}, DType::float32);
        }
    }
    ConstView rows(std::int64_t begin, std::int64_t end) {
        const ConstView part = matrix_.rows(begin, end);
        if (buffer_.empty()) {
            return part;
        }
        const View wide = buffer_.view().rows(0, end - begin);
        simd_->bf16->widen(part.as<bfloat16>(), wide.as<float>(), part.shape.count());
        return wide;
    }
    /// Where rows of a result are worked out: as rows() says where they are kept.
    View place(View result, std::int64_t begin, std::int64_t end, bool keeps) {
        if (buffer_.empty()) {
            return result.rows(begin, end);
        }
        if (keeps) {
            rows(begin, end);
        }
        return buffer_.view().rows(0, end - begin);
    }
    void store(View result, std::int64_t begin, std::int64_t end) {
        if (!buffer_.empty()) {
            const View part = result.rows(begin, end);
            simd_->bf16->narrow(buffer_.view().as<float>(), part.as<bfloat16>(), part.shape.count());
        }
    }

   private:
    const SimdKernels* simd_;
    ConstView matrix_;
    Tensor buffer_;
};

}  // namespace

Tensor BlockedProduct::widened(ConstView matrix) const {
    Tensor wide(*memory_, matrix.shape, DType::float32);
    simd_->bf16->widen(matrix.as<bfloat16>(), wide.view().as<float>(), matrix.shape.count());
    return wide;
}

void BlockedProduct::operator()(bool transpose_a, bool transpose_b, ConstView a, ConstView b, Target c, ConstView bias,
                                Activation f) const {
    if (transpose_a && !transpose_b && bias.data == nullptr && f.is_identity() && c.view.type == DType::float32) {
        return by_depth(a, b, c);
    }
    const Tensor wide_b = b.type == DType::bfloat16 ? widened(b) : Tensor();
    const ConstView factor = wide_b.empty() ? b : wide_b.view();
    if (!transpose_a) {
        return by_rows(transpose_b, a, factor, c, bias, f);
    }
    const Tensor wide_a = a.type == DType::bfloat16 ? widened(a) : Tensor();
    Block result(*simd_, *memory_, c.view, c.view.shape[0]);
    const View place = result.place(c.view, 0, c.view.shape[0], c.beta != 0.0);
    product_(true, transpose_b, wide_a.empty() ? a : wide_a.view(), factor, {place, c.beta}, bias, f);
    result.store(c.view, 0, c.view.shape[0]);
}

void BlockedProduct::by_rows(bool transpose_b, ConstView a, ConstView b, Target c, ConstView bias, Activation f) const {
    const std::int64_t rows = c.view.shape[0], most = rows_in_block(std::max(a.shape[1], c.view.shape[1]));
    parallel_ranges(threads_, rows, 64, [&](std::int64_t begin, std::int64_t end) {
        Block factor(*simd_, *memory_, a, most), result(*simd_, *memory_, c.view, most);
        for (std::int64_t first = begin; first < end; first += most) {
            const std::int64_t last = std::min(end, first + most);
            const View place = result.place(c.view, first, last, c.beta != 0.0);
            product_(false, transpose_b, factor.rows(first, last), b, {place, c.beta}, bias, f);
            result.store(c.view, first, last);
        }
    });
}

void BlockedProduct::by_depth(ConstView a, ConstView b, Target c) const {
    const std::int64_t depth = a.shape[0], most = rows_in_block(std::max(a.shape[1], b.shape[1]));
    const std::int64_t pieces = std::clamp<std::int64_t>(depth / 64, 1, threads_);
    const std::int64_t numbers = c.view.shape.count();
    Tensor sums(*memory_, {pieces, c.view.shape[0], c.view.shape[1]}, DType::float32);
    parallel_ranges(threads_, pieces, 1, [&](std::int64_t begin, std::int64_t end) {
        Block left(*simd_, *memory_, a, most), right(*simd_, *memory_, b, most);
        for (std::int64_t piece = begin; piece < end; ++piece) {
            const View sum = sums.view().rows(piece, piece + 1).reshaped(c.view.shape);
            const std::int64_t stop = depth * (piece + 1) / pieces;
            double beta = 0.0;
            for (std::int64_t first = depth * piece / pieces; first < stop; first += most, beta = 1.0) {
                const std::int64_t last = std::min(stop, first + most);
                product_(true, false, left.rows(first, last), right.rows(first, last), {sum, beta}, {},
                         Activation::identity());
            }
        }
    });
    const auto beta = static_cast<float>(c.beta);
    const float* all = sums.view().as<float>();
    float* result = c.view.as<float>();
    for (std::int64_t i = 0; i < numbers; ++i) {
        float sum = all[i];
        for (std::int64_t piece = 1; piece < pieces; ++piece) {
            sum += all[piece * numbers + i];
        }
        result[i] = beta != 0.0f ? beta * result[i] + sum : sum;
    }
}

}  // namespace plumecast::cpu
