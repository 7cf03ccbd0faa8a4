#include <algorithm>

#include "backend/cpu/conv/direct.hpp"
#include "backend/cpu/conv/taps.hpp"
#include "backend/cpu/parallel.hpp"

namespace plumecast::cpu {
namespace {

/// The gradient of a weight slice [C, taps, A]: w[c, k, a] = sum over points p of wide[p stride + k - padding, a]
/// narrow[p, c]. A convolution's input is the wide side and its output the narrow one; transposed, the converse.
class OuterProducts {
   public:
    OuterProducts(const ConvKernels& kernels, const ConvGeometry& geometry, ConstView wide, ConstView narrow)
        : kernels_(&kernels),
          geometry_(&geometry),
          wide_(wide),
          narrow_(narrow),
          cut_(panels(kernels, narrow.shape[4])),
          width_((cut_.back().offset + cut_.back().vectors) * kernels.lanes) {}

    std::int64_t lines() const { return narrow_.shape[0] * narrow_.shape[1] * narrow_.shape[2]; }
    std::int64_t taps() const { return geometry_->kernel[0] * geometry_->kernel[1] * geometry_->kernel[2]; }
    /// Floats of the sums, [panels: taps, A, panel width].
    std::int64_t sums() const { return taps() * wide_.shape[4] * width_; }
    /// Floats of working memory for one piece.
    std::int64_t scratch() const { return block_lines() * narrow_.shape[3] * most_panel(); }

    /// Sums over the narrow lines [begin, end); overwrites `sums`.
    void piece(std::int64_t begin, std::int64_t end, float* sums, float* scratch) const;
    /// w = beta w + the pieces in order, for taps [begin, end); rows of w are `row_stride` floats apart.
    void merge(std::int64_t begin, std::int64_t end, const float* sums, std::int64_t pieces, float beta, float* w,
               std::int64_t row_stride) const;

   private:
    std::int64_t most_panel() const { return kernels_->most_vectors * kernels_->lanes; }
    std::int64_t block_lines() const;
    void block(std::int64_t line, std::int64_t lines, float* sums, float* scratch) const;
    void tap_lines(std::int64_t line, std::int64_t lines, Tap tap_1, std::int64_t weight_2, const Panel& panel,
                   const float* packed, float* sums) const;
    void pack(std::int64_t line, std::int64_t lines, const Panel& panel, float* packed) const;

    const ConvKernels* kernels_;
    const ConvGeometry* geometry_;
    ConstView wide_, narrow_;
    std::vector<Panel> cut_;
    std::int64_t width_;
};

std::int64_t OuterProducts::block_lines() const {
    // Both sides of a block stay in the first-level cache while all blocks of channels pass over it.
    constexpr std::int64_t floats = 8192;
    return std::clamp<std::int64_t>(floats / (narrow_.shape[3] * (wide_.shape[4] + most_panel())), 1, 16);
}

void OuterProducts::piece(std::int64_t begin, std::int64_t end, float* sums, float* scratch) const {
    std::fill_n(sums, this->sums(), 0.0f);
    const std::int64_t plane = narrow_.shape[2];
    while (begin < end) {
        const std::int64_t count = std::min({block_lines(), end - begin, plane - begin % plane});
        block(begin, count, sums, scratch);
        begin += count;
    }
}

void OuterProducts::block(std::int64_t line, std::int64_t lines, float* sums, float* scratch) const {
    const AxisRule rule{false, geometry_->kernel[0], geometry_->stride[0], geometry_->padding_low[0]};
    const std::int64_t position_1 = line / narrow_.shape[2] % narrow_.shape[1];
    const std::vector<Tap> taps_1 = rule.taps_at(position_1, wide_.shape[1]);
    for (const Panel& panel : cut_) {
        pack(line, lines, panel, scratch);
        for (const Tap& tap : taps_1) {
            for (std::int64_t k = 0; k < geometry_->kernel[1]; ++k) {
                tap_lines(line, lines, tap, k, panel, scratch, sums);
            }
        }
    }
}

void OuterProducts::pack(std::int64_t line, std::int64_t lines, const Panel& panel, float* packed) const {
    const std::int64_t channels = narrow_.shape[4], width = panel.vectors * kernels_->lanes;
    const std::int64_t rows = lines * narrow_.shape[3];
    const float* from = narrow_.as<float>() + line * narrow_.shape[3] * channels + panel.first;
    for (std::int64_t row = 0; row < rows; ++row, from += channels, packed += width) {
        std::copy_n(from, panel.columns, packed);
        std::fill(packed + panel.columns, packed + width, 0.0f);
    }
}

void OuterProducts::tap_lines(std::int64_t line, std::int64_t lines, Tap tap_1, std::int64_t weight_2,
                              const Panel& panel, const float* packed, float* sums) const {
    const auto& g = *geometry_;
    const std::int64_t channels = wide_.shape[4], width = panel.vectors * kernels_->lanes;
    const std::int64_t rows = narrow_.shape[3], stride = g.stride[2];
    const std::int64_t batch = line / (narrow_.shape[1] * narrow_.shape[2]);
    std::array<const float*, 16> a{}, n{}, a_rows{}, n_rows{};
    std::size_t count = 0;
    for (std::int64_t index = 0; index < lines; ++index) {
        const std::int64_t position = (line + index) % narrow_.shape[2] * g.stride[1] + weight_2 - g.padding_low[1];
        if (position >= 0 && position < wide_.shape[2]) {
            const std::int64_t wide = (batch * wide_.shape[1] + tap_1.position) * wide_.shape[2] + position;
            a[count] = wide_.as<float>() + wide * wide_.shape[3] * channels;
            n[count++] = packed + index * rows * width;
        }
    }
    for (std::int64_t k = 0; k < g.kernel[2]; ++k) {
        const std::int64_t shift = k - g.padding_low[2];
        const std::int64_t first = shift < 0 ? (-shift + stride - 1) / stride : 0;
        const std::int64_t end = shift < wide_.shape[3] ? (wide_.shape[3] - shift + stride - 1) / stride : 0;
        if (first >= std::min(rows, end) || count == 0) {
            continue;
        }
        for (std::size_t index = 0; index < count; ++index) {
            a_rows[index] = a[index] + (first * stride + shift) * channels;
            n_rows[index] = n[index] + first * width;
        }
        const std::int64_t tap = (tap_1.weight * g.kernel[1] + weight_2) * g.kernel[2] + k;
        kernels_->outer({.a = a_rows.data(),
                         .g = n_rows.data(),
                         .lines = static_cast<std::int64_t>(count),
                         .rows = std::min(rows, end) - first,
                         .depth = channels,
                         .a_stride = stride * channels,
                         .g_stride = width,
                         .vectors = panel.vectors,
                         .w = sums + (panel.offset * kernels_->lanes * taps() + tap * width) * channels});
    }
}

void OuterProducts::merge(std::int64_t begin, std::int64_t end, const float* sums, std::int64_t pieces, float beta,
                          float* w, std::int64_t row_stride) const {
    const std::int64_t channels = wide_.shape[4];
    for (const Panel& panel : cut_) {
        const std::int64_t width = panel.vectors * kernels_->lanes;
        for (std::int64_t tap = begin; tap < end; ++tap) {
            const float* first = sums + (panel.offset * kernels_->lanes * taps() + tap * width) * channels;
            for (std::int64_t c = 0; c < panel.columns; ++c) {
                float* row = w + ((panel.first + c) * taps() + tap) * row_stride;
                for (std::int64_t i = 0; i < channels; ++i) {
                    float sum = first[i * width + c];
                    for (std::int64_t piece = 1; piece < pieces; ++piece) {
                        sum += first[piece * this->sums() + i * width + c];
                    }
                    row[i] = beta != 0.0f ? beta * row[i] + sum : sum;
                }
            }
        }
    }
}

}  // namespace

void DirectConv::weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView gradient_y,
                                 OutputRef gradient_weight) const {
    const Shape& weight = gradient_weight.view.shape;
    float* slice = gradient_weight.view.as<float>();
    for (const ConstView& input : inputs) {
        const OuterProducts products(*kernels_, geometry, geometry.transposed ? gradient_y : input,
                                     geometry.transposed ? input : gradient_y);
        const std::int64_t lines = products.lines(), pieces = std::clamp<std::int64_t>(lines, 1, threads_);
        Tensor sums(*scratch_.from, Shape{pieces * products.sums()}, DType::float32);
        Tensor scratch(*scratch_.from, Shape{pieces * products.scratch()}, DType::float32);
        if (scratch_.is_planned) {
            continue;
        }
        float* all = sums.view().as<float>();
        float* work = scratch.view().as<float>();
        parallel_ranges(threads_, pieces, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t piece = begin; piece < end; ++piece) {
                products.piece(lines * piece / pieces, lines * (piece + 1) / pieces, all + piece * products.sums(),
                               work + piece * products.scratch());
            }
        });
        parallel_ranges(threads_, products.taps(), 1, [&](std::int64_t begin, std::int64_t end) {
            products.merge(begin, end, all, pieces, static_cast<float>(gradient_weight.beta), slice, weight[4]);
        });
        slice += geometry.transposed ? input.shape[4] * products.taps() * weight[4] : input.shape[4];
    }
}

}  // namespace plumecast::cpu
