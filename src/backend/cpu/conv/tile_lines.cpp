#include "backend/cpu/conv/tile_lines.hpp"

#include <algorithm>
#include <limits>

#include "backend/cpu/conv/line_sum.hpp"

namespace plumecast::cpu {
namespace {

constexpr std::int64_t nothing = std::numeric_limits<std::int64_t>::min();

}  // namespace

TileLines::TileLines(const ConvKernels& kernels, const Filtering& filtering, const Layout& layout,
                     std::span<const ConstView> fields, float* memory)
    : kernels_(&kernels),
      filtering_(&filtering),
      layout_(layout),
      fields_(fields),
      columns_(memory),
      point_(memory + filtering.places * filtering.places * layout.line()),
      held_(static_cast<std::size_t>(filtering.places), nothing) {
    std::fill_n(columns_, filtering.places * filtering.places * layout.line(), 0.0f);
}

void TileLines::start_row() { std::fill(held_.begin(), held_.end(), nothing); }

void TileLines::load(std::int64_t batch, std::int64_t i, std::int64_t j) {
    first_2_ = j * filtering_->tile + layout_.first_2;
    for (std::int64_t position = first_2_; position < first_2_ + filtering_->places; ++position) {
        std::int64_t& held = held_[static_cast<std::size_t>(slot(position))];
        if (held != position) {
            transform_column(batch, i * filtering_->tile + layout_.first_1, position);
            held = position;
        }
    }
}

/// Lines at `position` along axis 2, transformed along axis 1. Rows beyond the fields' ends stay zero from the start.
void TileLines::transform_column(std::int64_t batch, std::int64_t first_1, std::int64_t position) const {
    const Shape& shape = fields_.front().shape;
    const std::int64_t places = filtering_->places, points = std::min(shape[3], layout_.rows - layout_.before);
    float* to = column(position) + layout_.before * layout_.depth;
    for (const ConstView& field : fields_) {
        const std::int64_t channels = field.shape[4];
        const bool whole = channels == layout_.depth;
        for (std::int64_t place = 0; place < places; ++place) {
            LineSum sum;
            for (std::int64_t k = 0; k < places && position >= 0 && position < shape[2]; ++k) {
                const std::int64_t at = first_1 + k, line = (batch * shape[1] + at) * shape[2] + position;
                sum.add(filtering_->inputs[static_cast<std::size_t>(place * places + k)],
                        at < 0 || at >= shape[1] ? nullptr : field.as<float>() + line * shape[3] * channels);
            }
            ConvSum call = sum.into(to + place * layout_.line(), whole ? points * channels : channels);
            call.rows = whole ? 1 : points;
            call.x_stride = channels;
            call.y_stride = layout_.depth;
            kernels_->sum(call);
        }
        to += channels;
    }
}

const float* TileLines::point(std::int64_t place_1, std::int64_t place_2) const {
    LineSum sum;
    for (std::int64_t k = 0; k < filtering_->places; ++k) {
        sum.add(filtering_->inputs[static_cast<std::size_t>(place_2 * filtering_->places + k)],
                column(first_2_ + k) + place_1 * layout_.line());
    }
    kernels_->sum(sum.into(point_, layout_.line()));
    return point_;
}

}  // namespace plumecast::cpu
