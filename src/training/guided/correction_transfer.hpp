#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <plumecast/data/regridding/grid_and_times.hpp>

#include "training/guided/axis_stencils.hpp"

namespace plumecast {

/// Brings what a network adds to the physics from the grid and times it knows to others, both radial: linear in depth,
/// in the logarithm of the radius and in that of time. Beyond the outer edge and the depth that the network knows there
/// is no correction.
class CorrectionTransfer {
   public:
    CorrectionTransfer(const GridAndTimes& from, const GridAndTimes& to);

    /// A field of one case [Z, R, T] on the other grid. Cells that are not `active` [Z, R] count with the nearest
    /// active one of their column.
    std::vector<float> brought(std::span<const float> field, std::span<const float> active) const;

    /// Marks [Z, R, T], 1 in cells of the other grid near those whose saturation is above the threshold at the same
    /// time, else 0: within `reach` cells of the network's own grid. `saturation` [Z, R, T] on the other grid.
    std::vector<float> near_plume(std::span<const float> saturation, float threshold, int reach) const;

    /// Times of the other grid.
    std::size_t times() const { return times_.size(); }

   private:
    GridAndTimes from_, to_;
    std::vector<Stencil> rows_, columns_, times_;
};

}  // namespace plumecast
