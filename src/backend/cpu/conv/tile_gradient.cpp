#include "backend/cpu/conv/tile_gradient.hpp"

#include <algorithm>
#include <array>

namespace plumecast::cpu {
namespace {

/// Sums of neighbouring columns that are merged together: the widest panel.
constexpr std::int64_t most_columns = 48;
using Sums = std::array<float, 36 * most_columns>;

/// kernel [kernel_1, kernel_2, most_columns] = G_1^T sums G_2 for every column.
void kernel_gradient(const WinogradTransform& f_1, const WinogradTransform& f_2, const Sums& sums, Sums& kernel) {
    std::array<float, 3 * 6 * most_columns> half{};
    const auto add = [](float factor, const float* from, float* to) {
        for (std::int64_t n = 0; n < most_columns; ++n) {
            to[n] += factor * from[n];
        }
    };
    for (std::int64_t a = 0; a < f_1.kernel; ++a) {
        for (std::int64_t point = 0; point < f_1.points * f_2.points; ++point) {
            add(f_1.weights[static_cast<std::size_t>(point / f_2.points * f_1.kernel + a)],
                sums.data() + point * most_columns, half.data() + (a * f_2.points + point % f_2.points) * most_columns);
        }
    }
    kernel.fill(0.0f);
    for (std::int64_t pair = 0; pair < f_1.kernel * f_2.kernel; ++pair) {
        for (std::int64_t point = 0; point < f_2.points; ++point) {
            add(f_2.weights[static_cast<std::size_t>(point * f_2.kernel + pair % f_2.kernel)],
                half.data() + (pair / f_2.kernel * f_2.points + point) * most_columns,
                kernel.data() + pair * most_columns);
        }
    }
}

}  // namespace

TileGradient::TileGradient(const ConvKernels& kernels, const TilePlan& plan, std::span<const ConstView> wide,
                           std::span<const ConstView> narrow)
    : kernels_(&kernels),
      filter_1_(plan.filter_1),
      filter_2_(plan.filter_2),
      axis_1_(&plan.axis_1.front()),
      axis_2_(&plan.axis_2.front()),
      axis_3_(&plan.axis_3.front()),
      layout_(tile_layout(*filter_1_, *filter_2_, *axis_1_, *axis_2_, plan.axis_3, wide)),
      batch_(wide.front().shape[0]),
      weights_3_(static_cast<std::int64_t>(axis_3_->weights.size())),
      tiles_1_(filter_1_->tiles(axis_1_->rows)),
      tiles_2_(filter_2_->tiles(axis_2_->rows)) {
    std::int64_t channel = 0;
    for (std::size_t index = 0; index < layout_.fields.size(); ++index) {
        const std::size_t phase = index / wide.size();
        channel = index % wide.size() == 0 ? 0 : channel;
        const std::int64_t channels = layout_.fields[index].channels();
        std::vector<Panel> cut = panels(kernels, weights_3_ * channels);
        const std::int64_t width = (cut.back().offset + cut.back().vectors) * kernels.lanes;
        wide_.push_back({phase / axis_2_->phases.size(), phase % axis_2_->phases.size(), channel, channels, columns_,
                         width, std::move(cut)});
        channel += channels;
        columns_ += width;
    }
    for (const ConstView& field : narrow) {
        narrow_.push_back({field, rows_, line_});
        rows_ += field.shape[4];
        line_ += (axis_3_->rows * field.shape[4] + 15) / 16 * 16;
    }
    // The sums of a point are fetched and stored once for all tiles of a group.
    layout_.group = std::clamp<std::int64_t>(64 / axis_3_->rows, 2, 4);
    groups_2_ = (tiles_2_ + layout_.group - 1) / layout_.group;
}

std::int64_t TileGradient::scratch() const {
    const std::int64_t lines = layout_.group * (filter_1_->points * filter_2_->tile + filter_2_->points);
    return layout_.floats() + (lines + 1) * line_;
}

void TileGradient::piece(std::int64_t begin, std::int64_t end, float* sums, float* scratch) const {
    std::fill_n(sums, this->sums(), 0.0f);
    float* halves = scratch + layout_.floats();
    float* results = halves + layout_.group * filter_1_->points * filter_2_->tile * line_;
    Scratch use{TileLines(*kernels_->tiles, layout_, scratch), halves, results,
                results + layout_.group * filter_2_->points * line_};
    std::fill_n(use.zeros, line_, 0.0f);
    for (std::int64_t index = begin; index < end; ++index) {
        const std::int64_t row = index / groups_2_, first = index % groups_2_ * layout_.group;
        const std::int64_t count = std::min(layout_.group, tiles_2_ - first);
        if (first == 0) {
            use.lines.start_row();
        }
        use.lines.load(row / tiles_1_, row % tiles_1_, first, count);
        transform_results(row / tiles_1_, row % tiles_1_, first, count, use);
        for (std::int64_t point = 0; point < filter_1_->points; ++point) {
            add_products(point, count, use, sums + point * filter_2_->points * columns_ * rows_);
        }
    }
}

/// Halves of tiles (i, j) to (i, j + count - 1): columns of results transformed along axis 1.
void TileGradient::transform_results(std::int64_t batch, std::int64_t i, std::int64_t j, std::int64_t count,
                                     const Scratch& use) const {
    const WinogradTransform &f_1 = *filter_1_, &f_2 = *filter_2_;
    std::array<const float*, 6> from{};
    std::array<float*, 6> to{};
    for (std::int64_t column = 0; column < count * f_2.tile; ++column) {
        const std::int64_t at_2 = j * f_2.tile + column;
        for (const Narrow& field : narrow_) {
            const Shape& shape = field.view.shape;
            for (std::int64_t row = 0; row < f_1.tile; ++row) {
                const std::int64_t at_1 = i * f_1.tile + row, line = (batch * shape[1] + at_1) * shape[2] + at_2;
                from[static_cast<std::size_t>(row)] = at_1 < shape[1] && at_2 < shape[2]
                                                          ? field.view.as<float>() + line * shape[3] * shape[4]
                                                          : use.zeros;
            }
            for (std::int64_t point = 0; point < f_1.points; ++point) {
                to[static_cast<std::size_t>(point)] =
                    use.halves + (point * layout_.group * f_2.tile + column) * line_ + field.offset;
            }
            kernels_->tiles->filters[static_cast<std::size_t>(f_1.name)].adjoint(
                {from.data(), to.data(), shape[3] * shape[4]});
        }
    }
}

/// All transformed points along axis 2 at one along axis 1.
void TileGradient::add_products(std::int64_t point_1, std::int64_t count, const Scratch& use, float* sums) const {
    const WinogradTransform& f_2 = *filter_2_;
    std::array<const float*, 6> from{};
    std::array<float*, 6> to{};
    use.lines.transform(point_1);
    for (std::int64_t tile = 0; tile < count; ++tile) {
        for (std::int64_t column = 0; column < f_2.tile; ++column) {
            from[static_cast<std::size_t>(column)] =
                use.halves + ((point_1 * layout_.group + tile) * f_2.tile + column) * line_;
        }
        for (std::int64_t point = 0; point < f_2.points; ++point) {
            to[static_cast<std::size_t>(point)] = use.results + (point * layout_.group + tile) * line_;
        }
        kernels_->tiles->filters[static_cast<std::size_t>(f_2.name)].adjoint({from.data(), to.data(), line_});
    }
    for (std::int64_t point = 0; point < f_2.points; ++point) {
        for (std::size_t field = 0; field < wide_.size(); ++field) {
            add_products(wide_[field], field, point, count, use,
                         sums + (point * columns_ + wide_[field].column) * rows_);
        }
    }
}

void TileGradient::add_products(const Wide& wide, std::size_t field, std::int64_t point_2, std::int64_t count,
                                const Scratch& use, float* sums) const {
    const std::int64_t channels = layout_.fields[field].channels();
    std::array<const float*, 4> x{}, g{};
    for (const Narrow& narrow : narrow_) {
        const std::int64_t rows = narrow.view.shape[4];
        for (const Panel& panel : wide.panels) {
            for (std::int64_t tile = 0; tile < count; ++tile) {
                const auto at = static_cast<std::size_t>(tile);
                x[at] = use.lines.point(tile, point_2, field) + (axis_3_->position + layout_.before) * channels +
                        panel.first;
                g[at] = use.results + (point_2 * layout_.group + tile) * line_ + narrow.offset;
            }
            kernels_->outer({.a = g.data(),
                             .g = x.data(),
                             .lines = count,
                             .rows = axis_3_->rows,
                             .depth = rows,
                             .a_stride = rows,
                             .g_stride = axis_3_->input_step * channels,
                             .vectors = panel.vectors,
                             .w = sums + narrow.channel * wide.columns + panel.first * rows});
        }
    }
}

void TileGradient::merge(std::int64_t begin, std::int64_t end, const float* sums, std::int64_t pieces,
                         OutputRef w) const {
    for (const Narrow& narrow : narrow_) {
        const std::int64_t rows = narrow.view.shape[4];
        for (std::int64_t c = std::max(begin - narrow.channel, std::int64_t{0});
             c < std::min(end - narrow.channel, rows); ++c) {
            for (const Wide& wide : wide_) {
                for (const Panel& panel : wide.panels) {
                    merge_panel(wide, panel, narrow.channel + c,
                                sums + wide.column * rows_ + narrow.channel * wide.columns + panel.first * rows +
                                    c * panel.vectors * kernels_->lanes,
                                pieces, w);
                }
            }
        }
    }
}

/// Some taps of axis 3 and wide channels of a phase, for one narrow channel.
void TileGradient::merge_panel(const Wide& wide, const Panel& panel, std::int64_t channel, const float* sums,
                               std::int64_t pieces, OutputRef w) const {
    const Shape& shape = w.view.shape;
    const std::int64_t channels = wide.channels;
    const PhasedRun::Phase &one = axis_1_->phases[wide.phase_1], &two = axis_2_->phases[wide.phase_2];
    const auto beta = static_cast<float>(w.beta);
    Sums total{}, kernel;
    for (std::int64_t point = 0; point < filter_1_->points * filter_2_->points; ++point) {
        for (std::int64_t piece = 0; piece < pieces; ++piece) {
            const float* from = sums + piece * this->sums() + point * columns_ * rows_;
            float* to = total.data() + point * most_columns;
            for (std::int64_t n = 0; n < panel.columns; ++n) {
                to[n] += from[n];
            }
        }
    }
    kernel_gradient(*filter_1_, *filter_2_, total, kernel);
    for (std::size_t pair = 0; pair < one.weights.size() * two.weights.size(); ++pair) {
        const std::int64_t k_1 = one.weights[pair / two.weights.size()], k_2 = two.weights[pair % two.weights.size()];
        for (std::int64_t n = 0; n < panel.columns && k_1 >= 0 && k_2 >= 0; ++n) {
            const std::int64_t column = panel.first + n, line = (channel * shape[1] + k_1) * shape[2] + k_2;
            const std::int64_t tap = axis_3_->weights[static_cast<std::size_t>(column / channels)];
            float& out = w.view.as<float>()[(line * shape[3] + tap) * shape[4] + wide.channel + column % channels];
            out = (beta != 0.0f ? beta * out : 0.0f) + kernel[pair * most_columns + static_cast<std::size_t>(n)];
        }
    }
}

}  // namespace plumecast::cpu
