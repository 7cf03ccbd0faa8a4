#include "backend/cpu/conv/tile_gradient.hpp"

#include <algorithm>
#include <array>

#include "backend/cpu/conv/line_sum.hpp"

namespace plumecast::cpu {
namespace {

/// kernel [kernel, kernel] = G^T sums G, with the sums of place p at sums[p].
void kernel_gradient(const Filtering& f, std::span<const float> sums, std::span<float> kernel) {
    const auto g = [&](std::int64_t place, std::int64_t a) {
        return f.weights[static_cast<std::size_t>(place * f.kernel + a)];
    };
    std::array<float, 3 * 6> half{};
    for (std::int64_t a = 0; a < f.kernel; ++a) {
        for (std::int64_t place = 0; place < f.places * f.places; ++place) {
            half[static_cast<std::size_t>(a * f.places + place % f.places)] +=
                g(place / f.places, a) * sums[static_cast<std::size_t>(place)];
        }
    }
    for (std::int64_t pair = 0; pair < f.kernel * f.kernel; ++pair) {
        float sum = 0.0f;
        for (std::int64_t place = 0; place < f.places; ++place) {
            sum += g(place, pair % f.kernel) * half[static_cast<std::size_t>(pair / f.kernel * f.places + place)];
        }
        kernel[static_cast<std::size_t>(pair)] = sum;
    }
}

}  // namespace

TileGradient::TileGradient(const ConvKernels& kernels, const Filtering& filtering, const RowRun& axis_1,
                           const RowRun& axis_2, const RowRun& axis_3, std::span<const ConstView> inputs,
                           ConstView gradient_y)
    : kernels_(&kernels),
      filtering_(&filtering),
      axis_1_(axis_1),
      axis_2_(axis_2),
      axis_3_(axis_3),
      inputs_(inputs),
      gradient_(gradient_y),
      cut_(panels(kernels, gradient_y.shape[4])),
      width_((cut_.back().offset + cut_.back().vectors) * kernels.lanes),
      tiles_1_((axis_1.rows + filtering.tile - 1) / filtering.tile),
      tiles_2_((axis_2.rows + filtering.tile - 1) / filtering.tile) {
    layout_.first_1 = axis_1.position;
    layout_.first_2 = axis_2.position;
    layout_.before = std::max<std::int64_t>(0, -axis_3.position);
    const std::int64_t end = axis_3.position + (axis_3.rows - 1) * axis_3.input_step + taps();
    layout_.rows = layout_.before + std::max<std::int64_t>(1, end);
    for (const ConstView& input : inputs) {
        layout_.depth += input.shape[4];
    }
}

std::int64_t TileGradient::scratch() const {
    return layout_.floats(*filtering_) + (filtering_->places * filtering_->tile + 1) * result_line();
}

void TileGradient::piece(std::int64_t begin, std::int64_t end, float* sums, float* scratch) const {
    const Filtering& f = *filtering_;
    std::fill_n(sums, this->sums(), 0.0f);
    TileLines lines(*kernels_, f, layout_, inputs_, scratch);
    float* halves = scratch + layout_.floats(f);
    float* results = halves + f.places * f.tile * result_line();
    std::fill_n(halves, f.places * f.tile * result_line(), 0.0f);  // channels beyond the last stay zero
    for (std::int64_t tile = begin; tile < end; ++tile) {
        if (tile % tiles_2_ == 0) {
            lines.start_row();
        }
        const std::int64_t batch = tile / tiles_2_ / tiles_1_, i = tile / tiles_2_ % tiles_1_, j = tile % tiles_2_;
        lines.load(batch, i, j);
        transform_results(batch, i, j, halves);
        for (std::int64_t place = 0; place < f.places * f.places; ++place) {
            LineSum sum;
            for (std::int64_t column = 0; column < f.tile; ++column) {
                sum.add(f.outputs[static_cast<std::size_t>(column * f.places + place % f.places)],
                        halves + (place / f.places * f.tile + column) * result_line());
            }
            kernels_->sum(sum.into(results, result_line()));
            add_products(lines.point(place / f.places, place % f.places), results, place, sums);
        }
    }
}

/// halves [place along axis 1, tile column, panels: rows, panel width] of a tile's results' gradients.
void TileGradient::transform_results(std::int64_t batch, std::int64_t i, std::int64_t j, float* halves) const {
    const Filtering& f = *filtering_;
    const Shape& shape = gradient_.shape;
    for (std::int64_t index = 0; index < f.places * f.tile; ++index) {
        const std::int64_t place = index / f.tile, at_2 = j * f.tile + index % f.tile;
        for (const Panel& panel : cut_) {
            LineSum sum;
            for (std::int64_t row = 0; row < f.tile; ++row) {
                const std::int64_t at_1 = i * f.tile + row, line = (batch * shape[1] + at_1) * shape[2] + at_2;
                sum.add(f.outputs[static_cast<std::size_t>(row * f.places + place)],
                        at_1 < shape[1] && at_2 < shape[2]
                            ? gradient_.as<float>() + line * shape[3] * shape[4] + panel.first
                            : nullptr);
            }
            ConvSum call = sum.into(halves + index * result_line() + panel.first * shape[3], panel.columns);
            call.rows = shape[3];
            call.x_stride = shape[4];
            call.y_stride = panel.vectors * kernels_->lanes;
            kernels_->sum(call);
        }
    }
}

void TileGradient::add_products(const float* point, const float* results, std::int64_t place, float* sums) const {
    const float* x = point + (axis_3_.position + layout_.before) * layout_.depth;
    const std::int64_t depth = taps() * layout_.depth, places = filtering_->places * filtering_->places;
    for (const Panel& panel : cut_) {
        const float* g = results + panel.first * gradient_.shape[3];
        kernels_->outer({.a = &x,
                         .g = &g,
                         .lines = 1,
                         .rows = axis_3_.rows,
                         .depth = depth,
                         .a_stride = axis_3_.input_step * layout_.depth,
                         .vectors = panel.vectors,
                         .w = sums + depth * (places * panel.first + place * panel.vectors * kernels_->lanes)});
    }
}

void TileGradient::merge(std::int64_t begin, std::int64_t end, const float* sums, std::int64_t pieces, Target w) const {
    const Shape& shape = w.view.shape;
    const std::int64_t depth = taps() * layout_.depth, places = filtering_->places * filtering_->places;
    const auto beta = static_cast<float>(w.beta);
    std::array<float, 36> total{};
    std::array<float, 9> kernel{};
    for (const Panel& panel : cut_) {
        const std::int64_t panel_width = panel.vectors * kernels_->lanes;
        for (std::int64_t c = std::max(begin, panel.first); c < std::min(end, panel.first + panel.columns); ++c) {
            for (std::int64_t row = 0; row < depth; ++row) {
                for (std::int64_t place = 0; place < places; ++place) {
                    const float* at =
                        sums + depth * places * panel.first + (place * depth + row) * panel_width + c - panel.first;
                    float& sum = total[static_cast<std::size_t>(place)] = *at;
                    for (std::int64_t piece = 1; piece < pieces; ++piece) {
                        sum += at[piece * this->sums()];
                    }
                }
                kernel_gradient(*filtering_, total, kernel);
                const std::int64_t tap = axis_3_.weights[static_cast<std::size_t>(row / layout_.depth)];
                for (std::int64_t pair = 0; pair < filtering_->kernel * filtering_->kernel; ++pair) {
                    const std::int64_t k1 = axis_1_.weights[static_cast<std::size_t>(pair / filtering_->kernel)];
                    const std::int64_t k2 = axis_2_.weights[static_cast<std::size_t>(pair % filtering_->kernel)];
                    float& out =
                        w.view.as<float>()[(((c * shape[1] + k1) * shape[2] + k2) * shape[3] + tap) * shape[4] +
                                           row % layout_.depth];
                    out = (beta != 0.0f ? beta * out : 0.0f) + kernel[static_cast<std::size_t>(pair)];
                }
            }
        }
    }
}

}  // namespace plumecast::cpu
