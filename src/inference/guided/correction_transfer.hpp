#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <plumecast/reservoir/regridding/grid_and_times.hpp>

#include "inference/guided/axis_stencils.hpp"
#include "inference/guided/volume_average.hpp"

namespace plumecast {

/// Brings what a network says from the grid and times it knows to others, both radial or both boxes, which lie on each
/// other as aligned_with() says: linear in depth, in x and y of the network or the logarithm of the radius, and in that
/// of time. Beyond the outer edges and the depth that the network knows it is 0.
class CorrectionTransfer {
   public:
    CorrectionTransfer(const GridAndTimes& from, const GridAndTimes& to);

    /// A field of one case [Z, R, T] (or [Z, Y, X, T]) on the other grid. Cells that are not `active` [Z, R] count with
    /// the nearest active one of their column.
    std::vector<float> brought(std::span<const float> field, std::span<const float> active) const;

    /// The same for what fills pores: the volume that it takes of them is kept at each time of the network, as
    /// VolumeAverage says, and interpolated between these.
    std::vector<float> brought_by_volume(std::span<const float> field, std::span<const float> active,
                                         const PoreSpace& to) const;

    /// The adjoint of brought(), where the two have the same cells: of cotangents [cells, T of the other, F], those at
    /// the times of the network [cells, T, F], of so many fields F.
    std::vector<float> taken_back(std::span<const float> cotangents, std::size_t fields) const;

    /// Times of the other grid.
    std::size_t times() const { return times_.size(); }

   private:
    /// On the cells of the other grid, at the times of the network.
    std::vector<double> on_cells(std::span<const float> field, std::span<const float> active) const;
    /// At the times of the other.
    std::vector<float> at_times(const std::vector<double>& values) const;

    GridAndTimes from_;
    std::vector<Stencil> rows_;
    std::vector<Stencil> lines_, columns_;  // by column of the other grid
    std::vector<Stencil> times_;
    std::size_t known_lines_;
    VolumeAverage volumes_;
};

}  // namespace plumecast
