#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "backend/cuda/kernels/conv/tile/fields.hpp"
#include "backend/cuda/kernels/elements.hpp"
#include "backend/cuda/kernels/pointwise.hpp"

namespace plumecast::cuda::tile {

/// What becomes of a sum: f(scale sum + bias + addend + beta y), as it is written to y.
template <class T>
struct Finish {
    const float* scale = nullptr;  ///< one per output channel; none for 1
    const float* bias = nullptr;   ///< one per output channel; none for 0
    const T* addend = nullptr;     ///< [cells, output channels]; none for 0
    Pointwise f{};
};

/// `width` neighbouring elements, read and written as one.
template <class T, int width>
struct alignas(width * sizeof(T)) Run {
    std::array<T, width> elements;
};

/// Finishes `width` sums of a cell, channels `channel` and up of all targets together, and writes them.
template <int width, class Block, class T>
constexpr void finish_channels(Block& block, const Finish<T>& finish, const Targets<T>& targets, std::int64_t cell,
                               int channel, std::array<float, static_cast<std::size_t>(width)> sums) {
    int field = 0, own = channel, all = 0;
    for (int i = 0; i < targets.count; ++i) {
        const int channels = targets.channels[static_cast<std::size_t>(i)];
        if (channel >= all) {
            field = i;
            own = channel - all;
        }
        all += channels;
    }
    const auto at = static_cast<std::size_t>(field);
    auto* y = reinterpret_cast<Run<T, width>*>(targets.data[at] + cell * targets.channels[at] + own);
    const float beta = targets.beta[at];
    Run<T, width> kept{};
    if (beta != 0.0f) {
        kept = block.read(y);
    }
    for (std::size_t e = 0; e < static_cast<std::size_t>(width); ++e) {
        const int c = channel + static_cast<int>(e);
        float value = finish.scale != nullptr ? finish.scale[c] * sums[e] : sums[e];
        value += finish.bias != nullptr ? finish.bias[c] : 0.0f;
        value += finish.addend != nullptr ? number(block.read(finish.addend + cell * all + c)) : 0.0f;
        value += beta != 0.0f ? beta * number(kept.elements[e]) : 0.0f;
        kept.elements[e] = static_cast<T>(finish.f(value));
    }
    block.write(y, kept);
}

}  // namespace plumecast::cuda::tile
