#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <plumecast/reservoir/regridding/grid_and_times.hpp>

#include "reservoir/regridding/overlap.hpp"
#include "reservoir/regridding/rotated_overlap.hpp"

namespace plumecast {

/// Maps [Z, R] or [Z, Y, X] of a case on a grid that fields are brought to.
struct PoreSpace {
    std::span<const float> active;
    std::span<const float> porosity;
};

/// Cells of a grid that stand for others: by cell the place of the nearest active one of its column, the upper of two;
/// its own without any. `active` [rows, columns...].
std::vector<std::size_t> nearest_active(std::span<const float> active, std::size_t rows);

/// Averages of cells over their volumes, from one grid to another of the same kind, such that what the pores of a cell
/// hold is what the pores of the other grid hold where the two overlap.
class VolumeAverage {
   public:
    /// Boxes lie on each other as aligned_with() says.
    VolumeAverage(const GridAndTimes& from, const GridAndTimes& to);

    /// Makes of values [cells, T] interpolated on the other grid averages that keep sum(field * pore volume) at each
    /// time. `field` [cells, T] and `active` are on the first grid, the pores of a cell that is not active there belong
    /// to the nearest active one of its column. Cells of the other grid that are not active, or beyond the first grid,
    /// become 0; cells in part beyond it hold what the rest does.
    ///
    /// In each cell of the first grid the interpolated values are moved up or down together until their mean is the
    /// cell's own value. Their deviations from it are scaled down, where needed, such that none leaves the range of
    /// the values of the cell and its neighbours.
    void apply(std::span<const float> field, std::span<const float> active, const PoreSpace& to,
               std::vector<double>& values) const;

   private:
    /// What a cell of the other grid shares with one of the first.
    struct Part {
        std::size_t to, from;
        double volume;  // over that of the cell
        double pores;
    };
    struct Deviations;
    struct Range;

    std::size_t cells() const { return rows_ * lines_ * columns_; }
    std::vector<Part> parts(std::span<const float> active, const PoreSpace& to) const;
    Deviations deviations(const std::vector<Part>& parts, const std::vector<double>& values, std::size_t times) const;
    /// By cell and time what deviations are multiplied by to stay in range.
    std::vector<double> kept_shares(std::span<const float> field, std::span<const float> active,
                                    const Deviations& deviations) const;
    Range range_around(std::size_t cell, std::span<const float> field, std::span<const float> active,
                       const std::vector<std::size_t>& nearest, std::size_t times) const;

    std::size_t rows_, lines_, columns_;         // of the first grid
    std::vector<std::vector<Piece>> z_;          // by row of the other
    std::vector<std::vector<AreaShare>> areas_;  // by column of the other, as they count for the volume
    std::vector<double> heights_;                // of the other
    std::vector<Rectangle> columns_seen_;        // of the other, from above
};

}  // namespace plumecast
