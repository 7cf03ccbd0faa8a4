#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "backend/cuda/kernels/elements.hpp"
#include "backend/cuda/kernels/indexing/grid.hpp"
#include "backend/cuda/kernels/indexing/packs.hpp"
#include "backend/cuda/kernels/indexing/positions.hpp"
#include "backend/cuda/kernels/pointwise.hpp"

/// Kernels that move channels, between fields that hold different numbers of them, and weights for some of them.
namespace plumecast::cuda::kernel {

/// What becomes of some channels of every cell: to = f(from + bias + beta to), from one place among the channels to
/// another, and zeros behind them.
struct ChannelMove {
    std::int64_t channels;                    ///< that are moved
    std::int64_t from_channels, to_channels;  ///< of a whole cell
    std::int64_t from_first = 0, to_first = 0;
    std::int64_t zeros = 0;  ///< channels behind the moved ones that become zero
    const float* bias = nullptr;
    Pointwise f{};
    float beta = 0.0f;

    /// Whether packs of n channels begin and end where all of these do.
    constexpr bool is_in_packs_of(int n) const {
        return (channels | from_channels | to_channels | from_first | to_first | zeros) % n == 0;
    }
};

/// n channels of a move, a power of two that is_in_packs_of() allows.
template <int n, class From, class To>
struct MoveChannels {
    Divisor packs;  ///< of a cell that are written
    std::int64_t moved, from_packs, to_packs, from_first, to_first;
    const Pack<From, n>* from;
    Pack<To, n>* to;
    const float* bias;
    Pointwise f;
    float beta;

    constexpr MoveChannels(const ChannelMove& move, const From* x, To* y)
        : packs((move.channels + move.zeros) / n),
          moved(move.channels / n),
          from_packs(move.from_channels / n),
          to_packs(move.to_channels / n),
          from_first(move.from_first / n),
          to_first(move.to_first / n),
          from(as_packs<n>(x)),
          to(as_packs<n>(y)),
          bias(move.bias),
          f(move.f),
          beta(move.beta) {}

    constexpr std::int64_t positions() const { return 0; }  // the index alone is divided, places are 64 bits wide

    template <class Position>
    constexpr void operator()(Position i) const {
        const Position cell = packs.quotient(i), pack = packs.rest(i);
        with_known_kind(*this, [&](const MoveChannels& known) { known.move(cell, pack); });
    }

   private:
    constexpr void move(std::int64_t cell, std::int64_t pack) const {
        Pack<To, n>& result = to[cell * to_packs + to_first + pack];
        Pack<To, n> written{};
        if (pack < moved) {
            const Pack<From, n> read = from[cell * from_packs + from_first + pack];
            const Pack<To, n> before = beta != 0.0f ? result : Pack<To, n>{};
            each_axis_of<n>([&]<std::size_t k>() {
                float value = number(read.values[k]);
                value += beta != 0.0f ? beta * number(before.values[k]) : 0.0f;
                const std::int64_t channel = pack * n + static_cast<std::int64_t>(k);
                written.values[k] = static_cast<To>(f(bias != nullptr ? value + bias[channel] : value));
            });
        }
        result = written;
    }
};

/// Packs `channels` channels of each of `rows` rows of a weight into rows of `packed_channels`; what is left of these,
/// and rows after the last, become zero.
template <class T>
struct PackChannels {
    const float* whole;
    T* packed;
    std::int64_t rows, whole_channels, first, channels, packed_channels;

    constexpr std::int64_t positions() const { return 0; }

    template <class Position>
    constexpr void operator()(Position i) const {
        const Divided at(i, packed_channels);
        const std::int64_t row = at.quotient, channel = at.rest;
        const bool exists = row < rows && channel < channels;
        packed[i] = static_cast<T>(exists ? whole[row * whole_channels + first + channel] : 0.0f);
    }
};

/// Adds packed rows to beta times what is there, the way back from PackChannels.
template <class T>
struct UnpackChannels {
    const T* packed;
    float* whole;
    std::int64_t whole_channels, first, channels, packed_channels;
    float beta;

    constexpr std::int64_t positions() const { return 0; }

    template <class Position>
    constexpr void operator()(Position i) const {
        const Divided at(i, channels);
        const std::int64_t row = at.quotient, channel = at.rest;
        float& value = whole[row * whole_channels + first + channel];
        const auto sum = static_cast<float>(number(packed[row * packed_channels + channel]));
        value = beta != 0.0f ? sum + beta * value : sum;
    }
};

}  // namespace plumecast::cuda::kernel

namespace plumecast::cuda {

/// The move in so many cells, 16 bytes at once where rows and arrays allow it, else 8 or a channel; y may be x.
template <class Executor, class From, class To>
void move_channels(Executor& executor, std::int64_t cells, const kernel::ChannelMove& move, const From* x, To* y) {
    constexpr int most = static_cast<int>(16 / std::max(sizeof(From), sizeof(To)));
    const auto fits = [&]<int n>() { return move.is_in_packs_of(n) && begin_packs<n>(x, y); };
    const auto in_packs = [&]<int n>() {
        executor.run(cells * ((move.channels + move.zeros) / n), kernel::MoveChannels<n, From, To>(move, x, y));
    };
    if (fits.template operator()<most>()) {
        in_packs.template operator()<most>();
    } else if (fits.template operator()<4>()) {
        in_packs.template operator()<4>();
    } else {
        in_packs.template operator()<1>();
    }
}

}  // namespace plumecast::cuda
