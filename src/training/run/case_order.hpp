#pragma once

#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/random.hpp"

namespace plumecast {

/// 0, 1, 2 ...
inline std::vector<std::int64_t> first_cases(std::int64_t count) {
    std::vector<std::int64_t> cases(static_cast<std::size_t>(count));
    std::iota(cases.begin(), cases.end(), std::int64_t{0});
    return cases;
}

/// Fisher-Yates with numbers that depend on seed, epoch and the name of what is shuffled alone.
inline std::vector<std::int64_t> shuffled(std::vector<std::int64_t> cases, std::uint64_t seed, int epoch,
                                          const std::string& name = "") {
    const std::string of_what = name.empty() ? "" : " of " + name;
    const RandomStream random(seed, "shuffle" + of_what + " of epoch " + std::to_string(epoch));
    for (std::size_t i = cases.size(); i > 1; --i) {
        std::swap(cases[i - 1], cases[static_cast<std::size_t>(random.bits(i) % i)]);
    }
    return cases;
}

}  // namespace plumecast
