#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <plumecast/core/json.hpp>
#include <plumecast/reservoir/dataset/grid_place.hpp>

namespace plumecast {

class Dataset;

/// Where and when the values of a data set stand; a model records those of its training.
struct GridAndTimes {
    std::vector<double> r_edges;  ///< [R+1] [m]; empty for a Cartesian grid
    std::vector<double> x_edges;  ///< [X+1] [m]; empty for a radial grid
    std::vector<double> y_edges;  ///< [Y+1] [m]; empty for a radial grid
    std::vector<double> z_edges;  ///< [Z+1] depth below the top of the formation [m]
    std::vector<double> times;    ///< [T] [day]
    GridPlace place = {};         ///< of a Cartesian grid

    static GridAndTimes of(const Dataset& dataset);

    bool is_radial() const { return !r_edges.empty(); }
    std::size_t rows() const { return z_edges.size() - 1; }
    std::size_t columns() const { return (is_radial() ? r_edges : x_edges).size() - 1; }
    /// "32 x 64 x 24": rows, the other cells, times.
    std::string text() const;

    /// Whether edges and times are equal but for rounding: within 1e-6 of their size. Grids that both state their
    /// rotation, or both their origin, differ where these do.
    bool has_grid_of(const GridAndTimes& other) const;
    bool has_times_of(const GridAndTimes& other) const;

    Json to_json() const;
    /// Reads such an object under `key`. Throws InvalidInput with the dotted path, also for edges or times that do not
    /// increase and for a place that is not admissible.
    static GridAndTimes read(JsonReader& object, std::string_view key);

    friend bool operator==(const GridAndTimes&, const GridAndTimes&) = default;
};

/// A grid as it lies on another; a radial one as it is. Its edges become such that a rotation about x = y = 0 leads
/// from its axes to those of the other, by the difference of the rotations, or none where not both state one. Where
/// both state their origin they lie as on the map; else the least x and y of its corners, in the axes of the other, are
/// those of the other.
GridAndTimes aligned_with(GridAndTimes grid, const GridAndTimes& other);

/// Whether a place or a time lies beyond the last of some by more than a thousandth, which is too little to matter.
bool is_beyond(double value, const std::vector<double>& known);

/// Whether a place lies before the first by more than a thousandth of the extent.
bool is_before(double value, const std::vector<double>& known);

}  // namespace plumecast
