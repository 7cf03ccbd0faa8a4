#include "backend/cpu/conv/tile_lines.hpp"

#include <algorithm>
#include <array>

namespace plumecast::cpu {
namespace {

constexpr std::int64_t widest_vector = 16;

}  // namespace

std::int64_t TileLines::Layout::offset(std::size_t field) const {
    std::int64_t floats = 0;
    for (std::size_t f = 0; f < field; ++f) {
        floats += (rows * fields[f].channels() / widest_vector + 2) * widest_vector;
    }
    return floats;
}

TileLines::TileLines(const TileKernels& kernels, const Layout& layout, float* memory)
    : kernels_(&kernels),
      layout_(&layout),
      line_(layout.line()),
      columns_(memory),
      points_(columns_ + layout.columns() * layout.axis_1->points * line_),
      zeros_(points_ + layout.group * layout.axis_2->points * line_),
      held_(static_cast<std::size_t>(layout.columns()), -1) {
    std::fill_n(memory, layout.floats(), 0.0f);
}

void TileLines::start_row() { std::fill(held_.begin(), held_.end(), -1); }

void TileLines::load(std::int64_t batch, std::int64_t i, std::int64_t j, std::int64_t count) {
    first_ = j * layout_->axis_2->tile;
    count_ = count;
    const std::int64_t end = first_ + (count - 1) * layout_->axis_2->tile + layout_->axis_2->points;
    for (std::int64_t index = first_; index < end; ++index) {
        std::int64_t& held = held_[static_cast<std::size_t>(index % layout_->columns())];
        if (held != index) {
            transform_column(batch, i, index);
            held = index;
        }
    }
}

void TileLines::prefetch(std::int64_t batch, std::int64_t i, std::int64_t j, std::int64_t count) const {
    const WinogradTransform &f_1 = *layout_->axis_1, &f_2 = *layout_->axis_2;
    const std::int64_t begin = first_ + (count_ - 1) * f_2.tile + f_2.points;
    for (std::int64_t index = begin; index < (j + count - 1) * f_2.tile + f_2.points; ++index) {
        for (const TileField& field : layout_->fields) {
            for (std::int64_t k = 0; k < f_1.points; ++k) {
                const float* from = line(field, batch, i * f_1.tile + k, index);
                prefetch_floats(from, from == nullptr ? 0 : field.view.shape[3] * field.channels());
            }
        }
    }
}

/// The field's line at indices along axes 1 and 2, or nullptr outside it.
const float* TileLines::line(const TileField& field, std::int64_t batch, std::int64_t index_1,
                             std::int64_t index_2) const {
    const Shape& shape = field.view.shape;
    const std::int64_t position_1 = index_1 * layout_->step_1 + field.origin_1;
    const std::int64_t position_2 = index_2 * layout_->step_2 + field.origin_2;
    if (position_1 < 0 || position_1 >= shape[1] || position_2 < 0 || position_2 >= shape[2]) {
        return nullptr;
    }
    return field.view.as<float>() + ((batch * shape[1] + position_1) * shape[2] + position_2) * shape[3] * shape[4];
}

/// Lines at one index along axis 2, transformed along axis 1. Rows beyond the fields' ends stay zero from the start.
void TileLines::transform_column(std::int64_t batch, std::int64_t i, std::int64_t index) const {
    const WinogradTransform& filter = *layout_->axis_1;
    std::array<const float*, 6> from{};
    std::array<float*, 6> to{};
    for (std::size_t f = 0; f < layout_->fields.size(); ++f) {
        const TileField& field = layout_->fields[f];
        const Shape& shape = field.view.shape;
        const std::int64_t points = std::min(shape[3], layout_->rows - layout_->before);
        for (std::int64_t k = 0; k < filter.points; ++k) {
            const float* inside = line(field, batch, i * filter.tile + k, index);
            const auto at = static_cast<std::size_t>(k);
            from[at] = inside != nullptr ? inside : zeros_;
            to[at] = column(index) + k * line_ + layout_->offset(f) + layout_->before * shape[4];
        }
        kernels_->filters[static_cast<std::size_t>(filter.name)].inputs(
            {from.data(), to.data(), std::max<std::int64_t>(0, points) * shape[4]});
    }
}

void TileLines::transform(std::int64_t point_1) const {
    const WinogradTransform& filter = *layout_->axis_2;
    std::array<const float*, 6> from{};
    std::array<float*, 6> to{};
    for (std::int64_t tile = 0; tile < count_; ++tile) {
        for (std::int64_t k = 0; k < filter.points; ++k) {
            const auto at = static_cast<std::size_t>(k);
            from[at] = column(first_ + tile * filter.tile + k) + point_1 * line_;
            to[at] = points_ + (tile * filter.points + k) * line_;
        }
        kernels_->filters[static_cast<std::size_t>(filter.name)].inputs({from.data(), to.data(), line_});
    }
}

const float* TileLines::point(std::int64_t tile, std::int64_t point_2, std::size_t field) const {
    return points_ + (tile * layout_->axis_2->points + point_2) * line_ + layout_->offset(field);
}

}  // namespace plumecast::cpu
