#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <plumecast/core/tensor.hpp>
#include <plumecast/reservoir/metrics/cell_geometry.hpp>

namespace plumecast {

/// A cell belongs to the plume when its gas saturation is above this (Wen et al. 2022).
inline constexpr double plume_threshold = 0.01;

/// Extent of a plume, or of any other set of cells, at one time; all zero when there is none.
struct PlumeSize {
    double radius = 0.0;     ///< Distance from the well to the far edge of the outermost cell [m].
    double area = 0.0;       ///< Map area of the columns that hold a cell of it at any depth [m2].
    double thickness = 0.0;  ///< From the top of the highest cell to the bottom of the lowest [m].
    double footprint = 0.0;  ///< Map area of the columns whose uppermost active cell belongs to it [m2].
};

/// Size of the plume at each time, over active cells with gas saturation above `threshold`.
/// `gas_saturation` [Z, R, T] float32, `active` [Z, R] float32, edges [R + 1] and [Z + 1] [m].
/// Throws InvalidInput when the sizes differ.
std::vector<PlumeSize> plume_sizes(ConstView gas_saturation, ConstView active, std::span<const double> r_edges,
                                   std::span<const double> z_edges, double threshold = plume_threshold);

/// Marks [cells] 1 for the active cells whose value is above `threshold`; NaN is not.
std::vector<std::uint8_t> cells_above(std::span<const float> values, std::span<const float> active, double threshold);

/// Size of a marked set of active cells. Throws InvalidInput when the sizes differ from the grid's.
PlumeSize extent_of(std::span<const std::uint8_t> marks, std::span<const float> active, const CellGeometry& geometry);

}  // namespace plumecast
