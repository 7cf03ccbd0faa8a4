#include "backend/cpu/conv/tile_gradient.hpp"

#include <algorithm>
#include <array>

namespace plumecast::cpu {
namespace {

/// kernel [kernel_1, kernel_2] = G_1^T sums G_2, with the sums of place p at sums[p].
void kernel_gradient(const Filtering& f_1, const Filtering& f_2, std::span<const float> sums, std::span<float> kernel) {
    std::array<float, 3 * 6> half{};
    for (std::int64_t a = 0; a < f_1.kernel; ++a) {
        for (std::int64_t place = 0; place < f_1.places * f_2.places; ++place) {
            half[static_cast<std::size_t>(a * f_2.places + place % f_2.places)] +=
                f_1.weights[static_cast<std::size_t>(place / f_2.places * f_1.kernel + a)] *
                sums[static_cast<std::size_t>(place)];
        }
    }
    for (std::int64_t pair = 0; pair < f_1.kernel * f_2.kernel; ++pair) {
        float sum = 0.0f;
        for (std::int64_t place = 0; place < f_2.places; ++place) {
            sum += f_2.weights[static_cast<std::size_t>(place * f_2.kernel + pair % f_2.kernel)] *
                   half[static_cast<std::size_t>(pair / f_2.kernel * f_2.places + place)];
        }
        kernel[static_cast<std::size_t>(pair)] = sum;
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
    for (std::size_t index = 0; index < layout_.fields.size(); ++index) {
        const std::size_t phase = index / wide.size();
        wide_channels_ = index % wide.size() == 0 ? 0 : wide_channels_;
        const std::int64_t channels = layout_.fields[index].channels();
        std::vector<Panel> cut = panels(kernels, weights_3_ * channels);
        const std::int64_t width = (cut.back().offset + cut.back().vectors) * kernels.lanes;
        wide_.push_back({phase / axis_2_->phases.size(), phase % axis_2_->phases.size(), wide_channels_, columns_,
                         width, std::move(cut)});
        wide_channels_ += channels;
        columns_ += width;
    }
    for (const ConstView& field : narrow) {
        narrow_.push_back({field, rows_, line_});
        rows_ += field.shape[4];
        line_ += (axis_3_->rows * field.shape[4] + 15) / 16 * 16;
    }
    // The sums of a place are fetched and stored once for all tiles of a group.
    layout_.group = std::clamp<std::int64_t>(64 / axis_3_->rows, 2, 4);
    groups_2_ = (tiles_2_ + layout_.group - 1) / layout_.group;
}

std::int64_t TileGradient::scratch() const {
    const std::int64_t lines = layout_.group * (filter_1_->places * filter_2_->tile + filter_2_->places);
    return layout_.floats() + (lines + 1) * line_;
}

void TileGradient::piece(std::int64_t begin, std::int64_t end, float* sums, float* scratch) const {
    std::fill_n(sums, this->sums(), 0.0f);
    float* halves = scratch + layout_.floats();
    float* results = halves + layout_.group * filter_1_->places * filter_2_->tile * line_;
    Scratch use{TileLines(*kernels_->tiles, layout_, scratch), halves, results,
                results + layout_.group * filter_2_->places * line_};
    std::fill_n(use.zeros, line_, 0.0f);
    for (std::int64_t index = begin; index < end; ++index) {
        const std::int64_t row = index / groups_2_, first = index % groups_2_ * layout_.group;
        const std::int64_t count = std::min(layout_.group, tiles_2_ - first);
        if (first == 0) {
            use.lines.start_row();
        }
        use.lines.load(row / tiles_1_, row % tiles_1_, first, count);
        transform_results(row / tiles_1_, row % tiles_1_, first, count, use);
        for (std::int64_t place = 0; place < filter_1_->places; ++place) {
            add_products(place, count, use, sums + place * filter_2_->places * columns_ * rows_);
        }
    }
}

/// Halves of tiles (i, j) to (i, j + count - 1): columns of results transformed along axis 1.
void TileGradient::transform_results(std::int64_t batch, std::int64_t i, std::int64_t j, std::int64_t count,
                                     const Scratch& use) const {
    const Filtering &f_1 = *filter_1_, &f_2 = *filter_2_;
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
            for (std::int64_t place = 0; place < f_1.places; ++place) {
                to[static_cast<std::size_t>(place)] =
                    use.halves + (place * layout_.group * f_2.tile + column) * line_ + field.offset;
            }
            kernels_->tiles->filters[static_cast<std::size_t>(f_1.name)].adjoint(
                {from.data(), to.data(), shape[3] * shape[4]});
        }
    }
}

/// All places along axis 2 at one along axis 1.
void TileGradient::add_products(std::int64_t place_1, std::int64_t count, const Scratch& use, float* sums) const {
    const Filtering& f_2 = *filter_2_;
    std::array<const float*, 6> from{};
    std::array<float*, 6> to{};
    use.lines.transform(place_1);
    for (std::int64_t tile = 0; tile < count; ++tile) {
        for (std::int64_t column = 0; column < f_2.tile; ++column) {
            from[static_cast<std::size_t>(column)] =
                use.halves + ((place_1 * layout_.group + tile) * f_2.tile + column) * line_;
        }
        for (std::int64_t place = 0; place < f_2.places; ++place) {
            to[static_cast<std::size_t>(place)] = use.results + (place * layout_.group + tile) * line_;
        }
        kernels_->tiles->filters[static_cast<std::size_t>(f_2.name)].adjoint({from.data(), to.data(), line_});
    }
    for (std::int64_t place = 0; place < f_2.places; ++place) {
        for (std::size_t field = 0; field < wide_.size(); ++field) {
            add_products(wide_[field], field, place, count, use,
                         sums + (place * columns_ + wide_[field].column) * rows_);
        }
    }
}

void TileGradient::add_products(const Wide& wide, std::size_t field, std::int64_t place_2, std::int64_t count,
                                const Scratch& use, float* sums) const {
    const std::int64_t channels = layout_.fields[field].channels();
    std::array<const float*, 4> x{}, g{};
    for (const Narrow& narrow : narrow_) {
        const std::int64_t rows = narrow.view.shape[4];
        for (const Panel& panel : wide.panels) {
            for (std::int64_t tile = 0; tile < count; ++tile) {
                const auto at = static_cast<std::size_t>(tile);
                x[at] = use.lines.point(tile, place_2, field) + (axis_3_->position + layout_.before) * channels +
                        panel.first;
                g[at] = use.results + (place_2 * layout_.group + tile) * line_ + narrow.offset;
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

void TileGradient::merge(std::int64_t begin, std::int64_t end, const float* sums, std::int64_t pieces, Target w) const {
    for (std::size_t field = 0; field < wide_.size(); ++field) {
        const std::int64_t channels = layout_.fields[field].channels();
        for (std::int64_t column = 0; column < weights_3_ * channels; ++column) {
            const std::int64_t channel = wide_[field].channel + column % channels;
            const std::int64_t tap = column / channels * wide_channels_ + channel;
            if (tap >= begin && tap < end) {
                merge_column(wide_[field], column, sums, pieces, w);
            }
        }
    }
}

/// One tap of axis 3 and one wide channel of a phase, for all narrow channels.
void TileGradient::merge_column(const Wide& wide, std::int64_t column, const float* sums, std::int64_t pieces,
                                Target w) const {
    const Shape& shape = w.view.shape;
    const std::size_t field = static_cast<std::size_t>(&wide - wide_.data());
    const std::int64_t channels = layout_.fields[field].channels();
    const auto after = [&](const Panel& p) { return column < p.first + p.vectors * kernels_->lanes; };
    const Panel& panel = *std::ranges::find_if(wide.panels, after);
    const std::int64_t tap = axis_3_->weights[static_cast<std::size_t>(column / channels)];
    const PhasedRun::Phase &one = axis_1_->phases[wide.phase_1], &two = axis_2_->phases[wide.phase_2];
    std::array<float, 36> total{};
    std::array<float, 9> kernel{};
    for (const Narrow& narrow : narrow_) {
        const std::int64_t rows = narrow.view.shape[4];
        for (std::int64_t c = 0; c < rows; ++c) {
            const float* at = sums + wide.column * rows_ + narrow.channel * wide.columns + panel.first * rows +
                              c * panel.vectors * kernels_->lanes + column - panel.first;
            for (std::int64_t place = 0; place < filter_1_->places * filter_2_->places; ++place) {
                float& sum = total[static_cast<std::size_t>(place)] = at[place * columns_ * rows_];
                for (std::int64_t piece = 1; piece < pieces; ++piece) {
                    sum += at[piece * this->sums() + place * columns_ * rows_];
                }
            }
            kernel_gradient(*filter_1_, *filter_2_, total, kernel);
            for (std::size_t pair = 0; pair < one.weights.size() * two.weights.size(); ++pair) {
                const std::int64_t k_1 = one.weights[pair / two.weights.size()];
                const std::int64_t k_2 = two.weights[pair % two.weights.size()];
                if (k_1 >= 0 && k_2 >= 0) {
                    const std::int64_t line = ((narrow.channel + c) * shape[1] + k_1) * shape[2] + k_2;
                    float& out =
                        w.view.as<float>()[(line * shape[3] + tap) * shape[4] + wide.channel + column % channels];
                    out = (w.beta != 0.0 ? static_cast<float>(w.beta) * out : 0.0f) + kernel[pair];
                }
            }
        }
    }
}

}  // namespace plumecast::cpu
