#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace plumecast::cpu {

/// F(2, 2), F(2, 3), F(4, 2), F(4, 3): position in TileKernels::filters.
enum class WinogradName : std::size_t { f22, f23, f42, f43 };

/// Winograd's minimal algorithm F(tile, kernel) along one axis (Winograd 1980): `tile` outputs of a correlation with
/// `kernel` weights from `points` products instead of tile * kernel, where points = tile + kernel - 1 is also the
/// number of inputs: outputs = A ((G weights) * (B inputs)). All factors are exact in binary but some of G.
struct WinogradTransform {
    WinogradName name;
    std::int64_t tile;
    std::int64_t kernel;
    std::int64_t points;
    std::span<const float> weights;  ///< G [points, kernel]

    /// Tiles that cover `rows` outputs.
    std::int64_t tiles(std::int64_t rows) const { return (rows + tile - 1) / tile; }
};

const WinogradTransform& winograd_transform(WinogradName name);

}  // namespace plumecast::cpu
