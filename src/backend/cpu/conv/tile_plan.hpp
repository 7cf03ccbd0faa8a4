#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <plumecast/backend/backend.hpp>

#include "backend/cpu/conv/kernels.hpp"
#include "backend/cpu/conv/taps.hpp"
#include "backend/cpu/conv/tile_lines.hpp"
#include "backend/cpu/conv/winograd/winograd_transform.hpp"

namespace plumecast::cpu {

/// How a convolution is cut into tiles for Winograd's algorithm along axes 1 and 2: results that share their weights,
/// run by run, every one a sum over phases of the source that are filtered alike.
struct TilePlan {
    std::vector<PhasedRun> axis_1, axis_2;
    std::vector<RowRun> axis_3;
    const WinogradTransform* filter_1;
    const WinogradTransform* filter_2;

    /// Nothing where a result sums over another number than two or three weights of a phase along axis 1 or 2, or where
    /// there is none.
    static std::optional<TilePlan> make(const ConvGeometry& geometry, bool backward, const Shape& result,
                                        const Shape& source, Winograd tiles);
    /// For the weight's gradient, from the larger grid and the one each of whose points is multiplied by all weights;
    /// nothing where a weight is multiplied by no input along axis 3, because no tile would give it the gradient zero.
    static std::optional<TilePlan> make_gradient(const ConvGeometry& geometry, const Shape& wide, const Shape& narrow,
                                                 Winograd tiles);

    /// Time that convolving `depth` to `channels` channels is expected to take, in multiply-adds.
    double cost(const ConvKernels& kernels, std::int64_t batch, std::int64_t depth, std::int64_t channels) const;
    /// The same for the weight's gradient.
    double gradient_cost(const ConvKernels& kernels, std::int64_t batch, std::int64_t depth,
                         std::int64_t channels) const;
    /// The same for DirectConv, of either.
    double direct_cost(const ConvKernels& kernels, std::int64_t batch, std::int64_t depth, std::int64_t channels) const;

   private:
    std::int64_t tiles() const;
    std::int64_t phases() const;
};

/// The fields as tiles read them, phase by phase, and the zero rows before them. The transforms have to outlive it.
TileLines::Layout tile_layout(const WinogradTransform& filter_1, const WinogradTransform& filter_2,
                              const PhasedRun& axis_1, const PhasedRun& axis_2, std::span<const RowRun> axis_3,
                              std::span<const ConstView> fields);

}  // namespace plumecast::cpu
