#include "backend/cpu/bfloat16/gemm.hpp"

#include <algorithm>
#include <vector>

#include "backend/cpu/bfloat16/line.hpp"
#include "backend/cpu/conv/direct.hpp"
#include "backend/cpu/parallel.hpp"

namespace plumecast::cpu {
namespace {

/// Numbers of a block of rows that stays in the first-level cache, and of one that stays in the second.
constexpr std::int64_t small_block = 4096, large_block = 65536;

std::int64_t rows_in_block(std::int64_t numbers, std::int64_t columns) {
    return std::max<std::int64_t>(16, numbers / std::max<std::int64_t>(1, columns));
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
    const ConvKernels* kernels;
    const std::vector<Panel>* cut;
    const float* weights;
    std::int64_t depth, columns;
    float beta, slope;

    void operator()(const float* x, std::int64_t rows, float* y) const {
        const std::int64_t lanes = kernels->lanes;
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
            kernels->rows(call);
        }
    }
};

}  // namespace

void MixedProduct::by_rows(bool transpose_b, ConstView a, ConstView b, Target c, ConstView bias, float slope,
                           const Activate& activate) const {
    const std::int64_t columns = c.view.shape[1], depth = a.shape[1];
    const std::int64_t most = rows_in_block(small_block, std::max(depth, columns)), floats = most * (depth + columns);
    const std::vector<Panel> cut = panels(*simd_->conv, columns);
    const Bfloat16Kernels& kernels = *simd_->bf16;
    Tensor wide_b(*memory_, {line_buffer(b.type, b.shape.count())}, DType::float32);
    Tensor weights(*memory_, {padded_width(cut, simd_->conv->lanes) * (depth + 1)}, DType::float32);
    Tensor scratch(*memory_, {threads_ * floats}, DType::float32);
    const float* factor = read_line(kernels, b, 0, b.shape.count(), wide_b.view().as<float>());
    arrange({b.shape, DType::float32, factor}, transpose_b, bias, cut, simd_->conv->lanes, weights.view().as<float>());
    const RowsProduct product{simd_->conv, &cut, weights.view().as<float>(), depth, columns, static_cast<float>(c.beta),
                              slope};
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

void MixedProduct::by_depth(ConstView a, ConstView b, Target c, const Product& product) const {
    const std::int64_t rows = a.shape[1], columns = b.shape[1], depth = a.shape[0], numbers = rows * columns;
    const std::int64_t most = rows_in_block(large_block, std::max(rows, columns));
    const std::int64_t pieces = std::clamp<std::int64_t>(depth / 64, 1, threads_), floats = most * (rows + columns);
    const Bfloat16Kernels& kernels = *simd_->bf16;
    Tensor sums(*memory_, {pieces, rows, columns}, DType::float32),
        scratch(*memory_, {pieces * floats}, DType::float32);
    float *all = sums.view().as<float>(), *base = scratch.view().as<float>();
    std::fill_n(all, pieces * numbers, 0.0f);
    parallel_ranges(threads_, pieces, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t piece = begin; piece < end; ++piece) {
            const View sum{{rows, columns}, DType::float32, all + piece * numbers};
            float* buffer = base + piece * floats;
            const std::int64_t stop = depth * (piece + 1) / pieces;
            for (std::int64_t first = depth * piece / pieces; first < stop; first += most) {
                const std::int64_t count = std::min(most, stop - first);
                const float* left = read_line(kernels, a, first * rows, count * rows, buffer);
                const float* right = read_line(kernels, b, first * columns, count * columns, buffer + most * rows);
                product({{count, rows}, DType::float32, left}, {{count, columns}, DType::float32, right}, {sum, 1.0});
            }
        }
    });
    Tensor result(*memory_, {line_buffer(c.view.type, numbers)}, DType::float32);
    const auto beta = static_cast<float>(c.beta);
    write_line(kernels, c.view, 0, numbers, c.beta != 0.0, result.view().as<float>(), [&](float* y) {
        for (std::int64_t i = 0; i < numbers; ++i) {
            float sum = 0.0f;
            for (std::int64_t piece = 0; piece < pieces; ++piece) {
                sum += all[piece * numbers + i];
            }
            y[i] = beta != 0.0f ? beta * y[i] + sum : sum;
        }
    });
}

}  // namespace plumecast::cpu
