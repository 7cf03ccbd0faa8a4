#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <plumecast/core/shape.hpp>
#include <plumecast/reservoir/dataset/dataset_content.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "reservoir/h5/file.hpp"

namespace plumecast {

class DatasetStore;

/// The attributes of a file that make its data generic, and its axes of space: "x", "y,x" or "z,y,x".
inline constexpr const char* geometry_attribute = "geometry";
inline constexpr std::string_view generic_geometry = "generic";
inline constexpr const char* axes_attribute = "axes";

/// Extents of the axes of a data set file.
struct DatasetExtents {
    std::int64_t cases = 0;
    std::int64_t times = 0;
    std::int64_t rows = 0;     ///< Z
    std::int64_t columns = 0;  ///< R, or X of a Cartesian grid
    std::int64_t lines = 0;    ///< Y of a grid of three axes, else 0
    Geometry geometry = Geometry::radial;
    std::int64_t wells = 1;        ///< of a schedule
    std::int64_t periods = 0;      ///< of a schedule, 0 without one
    std::int64_t connections = 0;  ///< between cells that are no neighbours by their indices

    /// Extent of one axis.
    std::int64_t of(Axis axis) const;
    /// Extents of an array.
    std::vector<std::int64_t> of(const ArraySpec& spec) const;
    /// Number of values of one case in an array with an entry per case.
    std::int64_t values_per_case(const ArraySpec& spec) const;
    /// [Z, R] or [Z, Y, X].
    Shape space() const;
};

/// Extents of a data set of `cases` cases on the grid and at the times of `frame`. Throws InvalidInput when there is
/// no case, no cell or no time.
DatasetExtents extents_of(const DatasetContent& frame, std::int64_t cases);

/// The kind of grid that a file or store holds; generic where its attribute `geometry` says so.
Geometry geometry_of(const h5::File& file);
Geometry geometry_of(const DatasetStore& store);

/// Number of cases that `content` holds: of its rates. Throws InvalidInput where it has none.
std::int64_t cases_of(const DatasetContent& content);
/// The array that gives the number of cases of a store: the rate of injection, or the schedule in its place.
const ArraySpec& counting_array(const DatasetStore& store);
/// Whether a store must hold an array: of the rate of injection not where there is a schedule.
bool is_required(const ArraySpec& spec, const DatasetStore& store);
/// The version of the format that its arrays need.
int needed_version(const DatasetStore& store);
/// The first array, but those of a schedule, which the version that a store states does not have; nothing where all
/// are of it.
std::optional<Violation> version_violation(const DatasetStore& store);

/// "[1, 2]": position of a cell in a space, counted from 0.
std::string cell_text(const Shape& space, std::int64_t cell);

/// Writes format, version and further text attributes.
void write_header(h5::File& file, const FileAttributes& attributes);
/// Creates and writes the edges and times of `frame`.
void write_axes(h5::File& file, const DatasetContent& frame, const DatasetExtents& extents);
/// Creates an array of the format with its attributes and axis labels.
void create_array(h5::File& file, const ArraySpec& spec, const DatasetExtents& extents);
/// Gives an array its attributes and axis labels, and the file the version of the format that has the array; the unit
/// that its values are stated in, or its own.
void annotate_array(h5::File& file, const ArraySpec& spec);
void annotate_array(h5::File& file, const ArraySpec& spec, const std::string& unit);
/// Brings values of an array that are stated in its second unit to its own.
void convert_from(std::string_view stated_unit, const ArraySpec& spec, std::span<float> values);

}  // namespace plumecast
