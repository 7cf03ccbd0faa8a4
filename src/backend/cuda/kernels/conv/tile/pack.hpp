#pragma once

#include <array>
#include <cstdint>

#include "backend/cuda/kernels/conv/tile/product.hpp"
#include "backend/cuda/kernels/conv/tile/schedule.hpp"
#include "backend/cuda/kernels/indexing/positions.hpp"

namespace plumecast::cuda::tile {

/// The weight of a gather in the order in which GatherTiles' lanes take it: [groups, classes, steps, column_tiles, 32].
/// Zero where there is no such channel, tap or step.
template <class Product, int column_tiles>
struct PackColumns {
    Gather gather;
    Schedule schedule;
    const float* weight;
    typename Product::Columns* packed;

    std::int64_t count() const {
        return std::int64_t{schedule.groups} * gather.classes() * schedule.steps * column_tiles * 32;
    }
    constexpr std::int64_t positions() const { return 0; }

    template <class Position>
    constexpr void operator()(Position i) const {
        const Divided lanes(i, 32), tiles(lanes.quotient, column_tiles), steps(tiles.quotient, schedule.steps);
        const Divided classes(steps.quotient, gather.classes());
        const int lane = static_cast<int>(lanes.rest), tile = static_cast<int>(tiles.rest);
        const int column = (static_cast<int>(classes.quotient) * column_tiles + tile) * 8 + lane / 4;
        const GatherAxes axes = gather.of_class(static_cast<int>(classes.rest));
        const int local = static_cast<int>(steps.rest);
        ColumnWords words{};
        for (int half = 0; half < 2; ++half) {
            words.words[static_cast<std::size_t>(half)] = word(axes, local, half, lane % 4, column);
        }
        packed[i] = Product::columns(words);
    }

   private:
    /// 4 bytes of a chunk, from byte 4 t on.
    constexpr std::uint32_t word(const GatherAxes& axes, int step, int half, int t, int column) const {
        const int taps = taps_of(axes);
        if (taps == 0 || step >= schedule.steps_of_all(taps) || column >= gather.out_channels()) {
            return 0u;
        }
        const int window = std::min(step / ((taps * schedule.window + 1) / 2), schedule.windows() - 1);
        const int chunks = schedule.chunks_of(window), chunk = 2 * (step - schedule.steps_before(window, taps)) + half;
        if (chunk >= taps * chunks) {
            return 0u;
        }
        constexpr int channels = chunk_channels<typename Product::Element>;
        const int first = (window * schedule.window + chunk % chunks) * channels;
        if constexpr (channels == 8) {
            return Product::word(value(axes, chunk / chunks, first + 2 * t, column),
                                 value(axes, chunk / chunks, first + 2 * t + 1, column));
        } else {
            return std::bit_cast<std::uint32_t>(value(axes, chunk / chunks, first + t, column));
        }
    }
    constexpr float value(const GatherAxes& axes, int tap, int in, int out) const {
        const int n3 = axes[2].taps, n2 = axes[1].taps;
        return in < gather.in_channels() ? weight[gather.weight(axes, tap / n3 / n2, tap / n3 % n2, tap % n3, in, out)]
                                         : 0.0f;
    }
};

}  // namespace plumecast::cuda::tile
