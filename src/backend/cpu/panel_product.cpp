#include "backend/cpu/panel_product.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "backend/cpu/bfloat16/line.hpp"
#include "backend/cpu/conv/direct.hpp"
#include "backend/cpu/parallel.hpp"

namespace plumecast::cpu {
namespace {

/// Numbers of a block of rows that stays in the first-level cache.
constexpr std::int64_t block_numbers = 4096;

/// Numbers of a small factor that stays in the second-level cache.
constexpr std::int64_t most_numbers = 32768;

std::int64_t rows_in_block(std::int64_t columns) {
    return std::max<std::int64_t>(16, block_numbers / std::max<std::int64_t>(1, columns));
}

/// Columns in whole vectors.
std::int64_t padded_width(const std::vector<Panel>& cut, std::int64_t lanes) {
    return (cut.back().offset + cut.back().vectors) * lanes;
}

/// Panel by panel op(b) as [K, panel width], then the bias, zero beyond the last column.
void arrange(ConstView b, bool transposed, ConstView bias, const std::vector<Panel>& cut, std::int64_t lanes,
             float* to) {
    const std::int64_t columns = b.shape[transposed ? 0 : 1], depth = b.shape[transposed ? 1 : 0];
    const std::int64_t row = transposed ? 1 : columns, column = transposed ? depth : 1;
    const float* from = b.as<float>();
    float* biases = to + padded_width(cut, lanes) * depth;
    for (const Panel& panel : cut) {
        const std::int64_t width = panel.vectors * lanes;
        float* block = to + panel.offset * lanes * depth;
        for (std::int64_t n = 0; n < width; ++n) {
            const bool is_real = n < panel.columns;
            for (std::int64_t k = 0; k < depth; ++k) {
                block[k * width + n] = is_real ? from[k * row + (panel.first + n) * column] : 0.0f;
            }
            biases[panel.offset * lanes + n] = is_real && bias.data ? bias.as<float>()[panel.first + n] : 0.0f;
        }
    }
}

/// A block of rows times all panels.
struct RowsProduct {
    const SimdKernels* simd;
    const std::vector<Panel>* cut;
    const float* weights;  ///< as arranged
    const float* vector;   ///< op(b), where it has one column
    std::int64_t depth, columns;
    float beta, slope;

    void operator()(const float* x, std::int64_t rows, float* y) const {
        columns == 1 ? by_vector(x, rows, y) : by_panels(x, rows, y);
    }

   private:
    /// One column alone would leave most lanes of a panel idle.
    void by_vector(const float* x, std::int64_t rows, float* y) const {
        std::array<float, block_numbers> sums;
        const float bias = weights[padded_width(*cut, simd->conv->lanes) * depth];
        for (std::int64_t first = 0; first < rows; first += block_numbers) {
            const std::int64_t count = std::min(block_numbers, rows - first);
            simd->vector_product(x + first * depth, count, depth, vector, sums.data());
            for (std::int64_t m = 0; m < count; ++m) {
                float& to = y[first + m];
                const float sum = sums[static_cast<std::size_t>(m)] + bias + (beta != 0.0f ? beta * to : 0.0f);
                to = sum >= 0.0f ? sum : slope * sum;
            }
        }
    }

    void by_panels(const float* x, std::int64_t rows, float* y) const {
        const std::int64_t lanes = simd->conv->lanes;
        for (const Panel& panel : *cut) {
            const float* block = weights + panel.offset * lanes * depth;
            ConvRows call{};
            call.x = &x;
            call.w = &block;
            call.taps = 1;
            call.depth = depth;
            call.x_stride = depth;
            call.y = y + panel.first;
            call.y_stride = columns;
            call.rows = rows;
            call.columns = panel.columns;
            call.vectors = panel.vectors;
            call.bias = weights + padded_width(*cut, lanes) * depth + panel.offset * lanes;
            call.beta = beta;
            call.slope = slope;
            call.streams = true;
            simd->conv->rows(call);
        }
    }
};

/// Sums of products of rows of two matrices, panel by panel [M, panel width].
class DepthSums {
   public:
    DepthSums(const ConvKernels& kernels, std::int64_t rows, std::int64_t columns)
        : kernels_(&kernels), rows_(rows), columns_(columns), cut_(panels(kernels, columns)) {}

    std::int64_t floats() const { return rows_ * padded_width(cut_, kernels_->lanes); }
    /// Floats of the buffer for the last rows of all, beyond which a kernel reads.
    std::int64_t tail_floats() const { return tail_rows() * columns_ + kernels_->lanes; }
    /// Adds those of `count` rows of a and b, of which b has more behind it, or the last of all.
    void add(const float* a, const float* b, std::int64_t count, float* sums) const;
    void add_last(const float* a, const float* b, std::int64_t count, float* sums, float* tail) const;
    /// Row i of the sum of `pieces` sums, in order.
    void row(std::int64_t i, const float* sums, std::int64_t pieces, float beta, float* to) const;

   private:
    std::int64_t tail_rows() const { return (kernels_->lanes + columns_ - 1) / columns_; }

    const ConvKernels* kernels_;
    std::int64_t rows_, columns_;
    std::vector<Panel> cut_;
};

void DepthSums::add_last(const float* a, const float* b, std::int64_t count, float* sums, float* tail) const {
    const std::int64_t direct = std::max<std::int64_t>(0, count - tail_rows());
    std::fill(std::copy(b + direct * columns_, b + count * columns_, tail), tail + tail_floats(), 0.0f);
    add(a, b, direct, sums);
    add(a + direct * rows_, tail, count - direct, sums);
}

void DepthSums::add(const float* a, const float* b, std::int64_t count, float* sums) const {
    for (const Panel& panel : cut_) {
        const float* from = b + panel.first;
        kernels_->outer({.a = &a,
                         .g = &from,
                         .lines = 1,
                         .rows = count,
                         .depth = rows_,
                         .a_stride = rows_,
                         .g_stride = columns_,
                         .vectors = panel.vectors,
                         .w = sums + panel.offset * kernels_->lanes * rows_,
                         .ahead = count});
    }
}

void DepthSums::row(std::int64_t i, const float* sums, std::int64_t pieces, float beta, float* to) const {
    for (const Panel& panel : cut_) {
        const std::int64_t width = panel.vectors * kernels_->lanes;
        const float* from = sums + panel.offset * kernels_->lanes * rows_ + i * width;
        for (std::int64_t n = 0; n < panel.columns; ++n) {
            float sum = from[n];
            for (std::int64_t piece = 1; piece < pieces; ++piece) {
                sum += from[piece * floats() + n];
            }
            to[panel.first + n] = beta != 0.0f ? beta * to[panel.first + n] + sum : sum;
        }
    }
}

}  // namespace

bool PanelProduct::suits(std::int64_t rows, std::int64_t columns) const {
    // Without AVX2 the loops lack fused multiply-add.
    return simd_->conv->lanes > 4 && rows * columns <= most_numbers;
}

PanelProduct::Way PanelProduct::way(bool transpose_a, bool transpose_b, ConstView a, ConstView b, ConstView c,
                                    ConstView bias, Activation f) const {
    const std::int64_t rows = c.shape[0], columns = c.shape[1], depth = a.shape[transpose_a ? 0 : 1];
    const bool is_mixed = a.type != DType::float32 || b.type != DType::float32 || c.type != DType::float32;
    const bool is_gradient = transpose_a && !transpose_b && bias.data == nullptr && f.is_identity();
    if (is_gradient && (is_mixed || suits(rows, columns))) {
        return Way::by_depth;
    }
    return is_mixed || (!transpose_a && suits(depth, columns)) ? Way::by_rows : Way::library;
}

void PanelProduct::by_rows(bool transpose_b, ConstView a, ConstView b, OutputRef c, ConstView bias, float slope,
                           const Activate& activate) const {
    const std::int64_t columns = c.view.shape[1], depth = a.shape[1];
    const std::int64_t most = rows_in_block(std::max(depth, columns)), floats = most * (depth + columns);
    const std::vector<Panel> cut = panels(*simd_->conv, columns);
    const Bfloat16Kernels& kernels = *simd_->bf16;
    Tensor wide_b(*scratch_.from, {line_buffer(b.type, b.shape.count())}, DType::float32);
    Tensor weights(*scratch_.from, {padded_width(cut, simd_->conv->lanes) * (depth + 1)}, DType::float32);
    Tensor scratch(*scratch_.from, {threads_ * floats}, DType::float32);
    if (scratch_.is_planned) {
        return;
    }
    const float* factor = read_line(kernels, b, 0, b.shape.count(), wide_b.view().as<float>());
    arrange({b.shape, DType::float32, factor}, transpose_b, bias, cut, simd_->conv->lanes, weights.view().as<float>());
    const RowsProduct product{simd_, &cut,    weights.view().as<float>(), factor,
                              depth, columns, static_cast<float>(c.beta), slope};
    float* base = scratch.view().as<float>();
    parallel_ranges(threads_, c.view.shape[0], 64, [&](std::int64_t begin, std::int64_t end) {
        float* buffer = base + omp_get_thread_num() * floats;
        for (std::int64_t first = begin; first < end; first += most) {
            const std::int64_t rows = std::min(most, end - first);
            const float* x = read_line(kernels, a, first * depth, rows * depth, buffer);
            write_line(kernels, c.view, first * columns, rows * columns, c.beta != 0.0, buffer + most * depth,
                       [&](float* y) {
                           product(x, rows, y);
                           if (activate) {
                               activate({{rows, columns}, DType::float32, y});
                           }
                       });
        }
    });
}

void PanelProduct::by_depth(ConstView a, ConstView b, OutputRef c) const {
    const std::int64_t rows = a.shape[1], columns = b.shape[1], depth = a.shape[0];
    const std::int64_t most = std::max<std::int64_t>(64, block_numbers / (rows + columns));
    const DepthSums product(*simd_->conv, rows, columns);
    const std::int64_t pieces = std::clamp<std::int64_t>(depth / 64, 1, threads_);
    const std::int64_t floats = most * (rows + columns) + product.tail_floats();
    const Bfloat16Kernels& kernels = *simd_->bf16;
    Tensor sums(*scratch_.from, {pieces, product.floats()}, DType::float32),
        scratch(*scratch_.from, {pieces, floats}, DType::float32),
        line(*scratch_.from, {line_buffer(c.view.type, columns)}, DType::float32);
    if (scratch_.is_planned) {
        return;
    }
    float *all = sums.view().as<float>(), *base = scratch.view().as<float>();
    parallel_ranges(threads_, pieces, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t piece = begin; piece < end; ++piece) {
            float* sum = all + piece * product.floats();
            float* buffer = base + piece * floats;
            std::fill_n(sum, product.floats(), 0.0f);
            const std::int64_t stop = depth * (piece + 1) / pieces;
            for (std::int64_t first = depth * piece / pieces; first < stop; first += most) {
                const std::int64_t count = std::min(most, stop - first);
                const float* left = read_line(kernels, a, first * rows, count * rows, buffer);
                const float* right = read_line(kernels, b, first * columns, count * columns, buffer + most * rows);
                float* tail = buffer + most * (rows + columns);
                first + count < depth ? product.add(left, right, count, sum)
                                      : product.add_last(left, right, count, sum, tail);
            }
        }
    });
    const auto beta = static_cast<float>(c.beta);
    for (std::int64_t i = 0; i < rows; ++i) {
        write_line(kernels, c.view, i * columns, columns, c.beta != 0.0, line.view().as<float>(),
                   [&](float* to) { product.row(i, all, pieces, beta, to); });
    }
}

}  // namespace plumecast::cpu
