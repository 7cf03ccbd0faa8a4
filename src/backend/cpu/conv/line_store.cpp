#include "backend/cpu/conv/line_store.hpp"

#include <algorithm>

namespace plumecast::cpu {

LineStore::LineStore(const Layout& layout, std::span<const ConstView> fields, float* memory)
    : layout_(layout),
      fields_(fields),
      memory_(memory),
      held_(static_cast<std::size_t>(layout.slots_1 * layout.slots_2), -1) {
    std::fill_n(memory, layout.floats(), 0.0f);
}

void LineStore::clear() { std::fill(held_.begin(), held_.end(), -1); }

const float* LineStore::line(std::int64_t batch, std::int64_t position_1, std::int64_t position_2,
                             std::int64_t slot_1) {
    const Shape& shape = fields_.front().shape;
    // The taps of one output are neighbours along axis 2, so their remainders differ.
    const std::int64_t slot = slot_1 * layout_.slots_2 + position_2 % layout_.slots_2;
    float* kept = memory_ + slot * layout_.rows * layout_.depth;
    if (held_[static_cast<std::size_t>(slot)] != position_2) {
        copy((batch * shape[1] + position_1) * shape[2] + position_2, kept);
        held_[static_cast<std::size_t>(slot)] = position_2;
    }
    return kept;
}

void LineStore::copy(std::int64_t line, float* to) const {
    const std::int64_t points = fields_.front().shape[3];
    const std::int64_t begin = std::max<std::int64_t>(0, -layout_.before);
    const std::int64_t end = std::min(points, layout_.rows - layout_.before);
    for (const ConstView& field : fields_) {
        const std::int64_t channels = field.shape[4];
        const float* from = field.as<float>() + line * points * channels;
        float* row = to + (begin + layout_.before) * layout_.depth;
        if (channels == layout_.depth) {
            std::copy_n(from + begin * channels, std::max<std::int64_t>(0, end - begin) * channels, row);
            return;
        }
        for (std::int64_t p = begin; p < end; ++p, row += layout_.depth) {
            std::copy_n(from + p * channels, channels, row);
        }
        to += channels;
    }
}

}  // namespace plumecast::cpu
