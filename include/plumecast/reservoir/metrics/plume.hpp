#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <plumecast/core/tensor.hpp>

namespace plumecast {

struct CellGeometry;

/// An area of the map, such as a licence or a storage complex.
struct MapPolygon {
    /// Closed curves of x and y on the map [m]; a point lies inside where an odd number of those of any part surrounds
    /// it, so that a hole is one more.
    std::vector<std::vector<std::array<double, 2>>> rings;
    /// Part of the area that each ring belongs to; empty where there is one.
    std::vector<std::size_t> parts = {};

    std::size_t part_of(std::size_t ring) const { return parts.empty() ? 0 : parts[ring]; }
};

/// Reads an area: GeoJSON (RFC 7946: Polygon, MultiPolygon, features and collections of them, in metres of the map), or
/// text with a point "x,y" a line and an empty line between rings. Throws InvalidData naming file, place and remedy,
/// IoError.
MapPolygon read_polygon(const std::string& path);

/// A cell belongs to the plume when its gas saturation is above this (Wen et al. 2022).
inline constexpr double plume_threshold = 0.01;

/// Extent of a plume, or of any other set of cells, at one time; all zero when there is none.
struct PlumeSize {
    double radius = 0.0;      ///< Distance from the well to the edge of the plume, interpolated within its column [m].
    double area = 0.0;        ///< Map area that holds any of it at any depth [m2].
    double thickness = 0.0;   ///< From the top of the highest cell to the bottom of the lowest [m].
    double footprint = 0.0;   ///< Map area whose uppermost active cell belongs to it [m2].
    double resolution = 0.0;  ///< Width of the column that the edge lies in, which bounds what the radius tells [m].
    double area_resolution = 0.0;  ///< Map area of that column [m2].
};

/// How the edge of a field runs through the column where it falls below a threshold.
enum class FieldEdge {
    sharp,  ///< a front, behind which the column is as full as the one nearer to the well: a gas saturation
    smooth  ///< falls with the logarithm of the distance (with the distance, in boxes): a pressure build-up
};

/// How much of the map a set of cells covers.
struct MapCover {
    std::vector<double> shares;      ///< [columns] share of the column that is covered at any depth, 0 to 1
    std::vector<double> top_shares;  ///< [columns] the same of its uppermost active cell
    double top = 0.0;                ///< depth of the highest covered cell's top [m]
    double bottom = 0.0;             ///< depth of the lowest covered cell's bottom [m]; not below `top` for none
};

/// The cover of the active cells whose value is above `threshold`, with the outermost columns in part as `edge` says;
/// NaN is not above. `values`, `active` [cells]. Throws InvalidInput when the sizes differ from the grid's.
MapCover cover_above(std::span<const float> values, std::span<const float> active, const CellGeometry& geometry,
                     double threshold, FieldEdge edge);
/// What either of two sets of cells of a grid covers.
MapCover cover_of_both(const MapCover& one, const MapCover& other);
/// Size of what is covered.
PlumeSize size_of(const MapCover& cover, const CellGeometry& geometry);

/// Size of the plume at each time, over active cells with gas saturation above `threshold`.
/// `gas_saturation` [Z, R, T] float32, `active` [Z, R] float32, edges [R + 1] and [Z + 1] [m].
/// Throws InvalidInput when the sizes differ.
std::vector<PlumeSize> plume_sizes(ConstView gas_saturation, ConstView active, std::span<const double> r_edges,
                                   std::span<const double> z_edges, double threshold = plume_threshold);

/// Marks [cells] 1 for the active cells whose value is above `threshold`; NaN is not.
std::vector<std::uint8_t> cells_above(std::span<const float> values, std::span<const float> active, double threshold);

}  // namespace plumecast
