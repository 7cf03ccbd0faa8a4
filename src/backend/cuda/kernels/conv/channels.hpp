#pragma once

#include <cstdint>

#include "backend/cuda/kernels/elements.hpp"
#include "backend/cuda/kernels/indexing/positions.hpp"
#include "backend/cuda/kernels/pointwise.hpp"

/// Kernels that move channels, between fields that hold different numbers of them, and weights for some of them.
namespace plumecast::cuda::kernel {

/// to = f(from + bias + beta to) for `channels` channels of every cell, from one place among the channels to another.
template <class From, class To>
struct MoveChannels {
    const From* from;
    To* to;
    std::int64_t channels;
    std::int64_t from_channels, to_channels;  ///< of a whole cell
    std::int64_t from_first = 0, to_first = 0;
    const float* bias = nullptr;
    Pointwise f{};
    float beta = 0.0f;

    constexpr std::int64_t positions() const { return 0; }  // the index alone is divided, places are 64 bits wide

    template <class Position>
    constexpr void operator()(Position i) const {
        const Divided at(i, channels);
        const std::int64_t cell = at.quotient, channel = at.rest;
        To& result = to[cell * to_channels + to_first + channel];
        float value = number(from[cell * from_channels + from_first + channel]);
        value += beta != 0.0f ? beta * number(result) : 0.0f;
        result = static_cast<To>(f(bias != nullptr ? value + bias[channel] : value));
    }
};

/// Sets `channels` channels of every cell to zero.
template <class T>
struct ClearChannels {
    T* to;
    std::int64_t channels, to_channels, to_first;

    constexpr std::int64_t positions() const { return 0; }

    template <class Position>
    constexpr void operator()(Position i) const {
        const Divided at(i, channels);
        to[std::int64_t{at.quotient} * to_channels + to_first + at.rest] = static_cast<T>(0.0f);
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
