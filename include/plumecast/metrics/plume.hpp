#pragma once

#include <span>
#include <vector>

#include <plumecast/core/tensor.hpp>

namespace plumecast {

/// A cell belongs to the plume when its gas saturation is above this (Wen et al. 2022).
inline constexpr double plume_threshold = 0.01;

/// Extent of a plume at one time; all zero when there is none.
struct PlumeSize {
    double radius = 0.0;     ///< Outer edge of the outermost plume cell [m].
    double area = 0.0;       ///< Map area of the rings that hold a plume cell at any depth [m2].
    double thickness = 0.0;  ///< From the top of the highest plume cell to the bottom of the lowest [m].
};

/// Size of the plume at each time, over active cells with gas saturation above `threshold`.
/// `gas_saturation` [Z, R, T] float32, `active` [Z, R] float32, edges [R + 1] and [Z + 1] [m].
/// Throws InvalidInput when the sizes differ.
std::vector<PlumeSize> plume_sizes(ConstView gas_saturation, ConstView active, std::span<const double> r_edges,
                                   std::span<const double> z_edges, double threshold = plume_threshold);

}  // namespace plumecast
