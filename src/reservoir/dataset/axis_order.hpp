#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Data sets have fields as [T, space...], batches and results as [space..., T].
namespace plumecast {

/// A field of a case [T, cells] as [cells, T].
inline std::vector<float> times_last(std::span<const float> field, std::int64_t cells) {
    const auto count = static_cast<std::size_t>(cells), times = field.size() / count;
    std::vector<float> turned(field.size());
    for (std::size_t cell = 0; cell < count; ++cell) {
        for (std::size_t t = 0; t < times; ++t) {
            turned[cell * times + t] = field[t * count + cell];
        }
    }
    return turned;
}

/// A field of a case [cells, T] as [T, cells].
inline std::vector<float> times_first(std::span<const float> field, std::int64_t times) {
    return times_last(field, times);  // the two axes change places again
}

}  // namespace plumecast
