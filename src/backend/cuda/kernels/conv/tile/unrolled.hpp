#pragma once

#include <type_traits>
#include <utility>

namespace plumecast::cuda {

/// Calls use(i) for i from 0 to count - 1, written out one by one, so that arrays indexed by i stay in registers.
template <int count, class Use>
constexpr void unrolled(const Use& use) {
    [&]<int... i>(std::integer_sequence<int, i...>) { (use(std::integral_constant<int, i>()), ...); }
    (std::make_integer_sequence<int, count>());
}

}  // namespace plumecast::cuda
