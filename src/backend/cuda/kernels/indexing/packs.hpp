#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include "backend/cuda/kernels/elements.hpp"
#include "backend/cuda/kernels/indexing/positions.hpp"
#include "backend/cuda/kernels/pointwise.hpp"

/// Elements that are read and written several at a time, up to 16 bytes: what a thread of a device moves at once.
namespace plumecast::cuda {

template <class T, int n>
struct alignas(sizeof(T) * n) Pack {
    std::array<T, n> values;
};

/// Whether arrays begin where packs of n elements may.
template <int n, class... T>
bool begin_packs(const T*... arrays) {
    return ((reinterpret_cast<std::uintptr_t>(arrays) % alignof(Pack<T, n>) == 0) && ...);
}

/// The same elements as packs; they must begin where packs may.
template <int n, class T>
auto as_packs(T* array) {
    if constexpr (std::is_const_v<T>) {
        return static_cast<const Pack<std::remove_const_t<T>, n>*>(static_cast<const void*>(array));
    } else {
        return static_cast<Pack<T, n>*>(static_cast<void*>(array));
    }
}

namespace kernel {

/// y[i] = function(channel of i, y[i], x[i]...) for `count` elements, n an index; the last ones one by one. A function
/// whose numbers differ by channel has a Divisor `channels`, others are told channel zero. One whose reads_result() is
/// false is not told y[i].
template <int n, class Function, class To, class... From>
struct Elementwise {
    Function function;
    std::int64_t count;
    Pack<To, n>* y;
    std::tuple<const Pack<From, n>*...> x;

    constexpr std::int64_t positions() const { return count; }

    template <class Position>
    constexpr void operator()(Position i) const {
        if constexpr (requires { function.f; }) {
            with_known_kind(function, [&](const Function& known) { apply(known, i); });
        } else {
            apply(function, i);
        }
    }

   private:
    template <class Position>
    constexpr void apply(const Function& known, Position i) const {
        const Position first = i * n;
        Position channel = 0;
        if constexpr (requires { function.channels; }) {
            channel = function.channels.rest(first);
        }
        const bool reads = known.reads_result();
        if (static_cast<std::int64_t>(first) + n > count) {
            // A number of rounds that is known before the loop: for one that is not, nvcc 12.4 searches without an end.
            const auto left = static_cast<std::size_t>(count - static_cast<std::int64_t>(first));
            for (std::size_t at = 0; at < left; ++at) {
                std::apply(
                    [&](const auto*... in) { give(known, channel, reads, y[i].values[at], in[i].values[at]...); }, x);
                channel = next(channel);
            }
            return;
        }
        Pack<To, n> result = reads ? y[i] : Pack<To, n>{};
        std::apply(
            [&](const auto*... in) {
                const std::tuple<Pack<From, n>...> read(in[i]...);
                each<n>([&]<std::size_t at>() {
                    std::apply(
                        [&](const auto&... pack) {
                            give(known, channel, reads, result.values[at], pack.values[at]...);
                        },
                        read);
                    channel = next(channel);
                });
            },
            x);
        y[i] = result;
    }

    /// Written out one by one, so that packs stay in registers.
    template <int times, class Use>
    static constexpr void each(const Use& use) {
        [&]<std::size_t... at>(std::index_sequence<at...>) { (use.template operator()<at>(), ...); }
        (std::make_index_sequence<static_cast<std::size_t>(times)>());
    }
    template <class Position>
    constexpr Position next(Position channel) const {
        if constexpr (requires { function.channels; }) {
            return channel + 1 == static_cast<Position>(function.channels.value()) ? 0 : channel + 1;
        }
        return channel;
    }
    template <class Position>
    static constexpr void give(const Function& known, Position channel, bool reads, To& result, const From&... in) {
        const Wide<To> before = reads ? static_cast<Wide<To>>(number(result)) : Wide<To>{};
        result = static_cast<To>(known(channel, before, static_cast<Wide<To>>(number(in))...));
    }
};

}  // namespace kernel

/// y[i] = function(channel of i, y[i], x[i]...) for `count` elements, in packs where all arrays begin at such.
template <class Executor, class Function, class To, class... From>
void run_elements(Executor& executor, std::int64_t count, const Function& function, To* y, const From*... x) {
    constexpr int most = static_cast<int>(16 / std::max({sizeof(To), sizeof(From)...}));
    const auto in_packs = [&]<int n>() {
        executor.run((count + n - 1) / n, kernel::Elementwise<n, Function, To, From...>{
                                              function, count, as_packs<n>(y), {as_packs<n>(x)...}});
    };
    begin_packs<most>(y, x...) ? in_packs.template operator()<most>() : in_packs.template operator()<1>();
}

}  // namespace plumecast::cuda
