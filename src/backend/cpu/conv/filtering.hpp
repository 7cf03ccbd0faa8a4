#pragma once

#include <cstdint>
#include <span>

namespace plumecast::cpu {

/// Minimal filtering F(tile, kernel) along one axis (Winograd 1980): `tile` outputs of a correlation with `kernel`
/// weights from `places` products instead of tile * kernel, where places = tile + kernel - 1 is also the number of
/// inputs: outputs = A ((G weights) * (B inputs)). Row-major factors, all exact in binary but G of F(4, 3).
struct Filtering {
    std::int64_t tile;
    std::int64_t kernel;
    std::int64_t places;
    std::span<const float> inputs;   ///< B [places, places]
    std::span<const float> weights;  ///< G [places, kernel]
    std::span<const float> outputs;  ///< A [tile, places]
};

/// F(2, 2): 3 products instead of 4.
const Filtering& filtering_2_2();
/// F(2, 3): 4 products instead of 6.
const Filtering& filtering_2_3();
/// F(4, 3): 6 products instead of 12, with some loss of precision.
const Filtering& filtering_4_3();

}  // namespace plumecast::cpu
