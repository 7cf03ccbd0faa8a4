#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The arrays of a `plumecast-dataset` file, versions 1 to 6.
namespace plumecast {

inline constexpr std::string_view dataset_format = "plumecast-dataset";  ///< attribute `format` of a data set file
/// The newest `format_version`; a file states the version that its arrays need.
inline constexpr int dataset_format_version = 6;

/// Text attributes of a file by name: title, source, history, model_hash, network ...
using FileAttributes = std::map<std::string, std::string>;

/// The kinds of grids: columns around one well, [Z, R], a box of cells, [Z, Y, X], or any points of one to three axes
/// with inputs and outputs of any names (`generic`, as the attribute `geometry` says). A file with `/grid/x_edges` is
/// Cartesian.
enum class Geometry { radial, cartesian, generic };

/// What an axis of an array counts.
enum class Axis {
    cases,
    times,
    z,
    r,
    z_edges,
    r_edges,
    y,
    x,
    y_edges,
    x_edges,
    wells,
    periods,
    connections,
    pillar_ends,  ///< x, y and depth of the upper and of the lower end of a pillar
    z_corners,    ///< those of the cells along z, two each, as the next two
    y_corners,
    x_corners
};

/// The part an array plays; `cell` is for what cells are known by in all cases, such as their volume, `schedule` for
/// the rates of wells in periods, `connection` for what flows between pairs of cells that are no neighbours by their
/// indices. Inputs of generic data may vary in time: `series` alone, `varying` in space too.
enum class Role { grid, map, scalar, output, cell, schedule, series, varying, connection };

/// Element type an array is written with; any real or integer type is accepted on reading.
enum class Storage { float32, float64, uint8 };

/// One array of the format.
struct ArraySpec {
    /// Path in the file, "/inputs/porosity".
    std::string path;
    Role role = Role::map;
    /// Axes on disk, slowest first.
    std::vector<Axis> axes;
    std::string unit;
    std::string long_name;
    Storage storage = Storage::float32;
    /// Admissible range of a value, in `unit`, in active cells.
    double low = 0.0;
    double high = 0.0;
    bool required = true;
    /// What every case has where the array is not there; nothing where it is then not known.
    std::optional<double> otherwise = {};
    /// A second unit that the array may be stated in, and what makes `unit` of it; most arrays have none.
    std::string other_unit = {};
    double (*from_other_unit)(double) = nullptr;
    /// Its name, where that is not the last part of the path.
    std::string called = {};
    /// The first version of the format that has it.
    int since = 1;

    /// The name channels, fields and arrays in memory use: the last part of the path for most.
    std::string_view name() const {
        return called.empty() ? std::string_view(path).substr(path.rfind('/') + 1) : called;
    }
    /// Whether values may be stated in it.
    bool accepts(std::string_view stated) const {
        return stated == unit || (from_other_unit != nullptr && stated == other_unit);
    }
};

/// All arrays of a file with such a grid; of a generic one those that have a meaning in all of them, Dataset::arrays()
/// knows the others.
std::span<const ArraySpec> dataset_arrays(Geometry geometry = Geometry::radial);

/// The array of that name in files with such a grid; nullptr when the format has none.
const ArraySpec* find_array(std::string_view name, Geometry geometry);
/// The array of that name in files of any grid, for what does not depend on it: path, role and unit.
const ArraySpec* find_array(std::string_view name);

/// The array at that path in files with such a grid; nullptr when the format has none there.
const ArraySpec* find_array_at(std::string_view path, Geometry geometry);

/// The output whose band an output of that name is an end of: "gas_saturation" of "gas_saturation_low" and "..._high";
/// empty for every other name.
std::string_view banded_field(std::string_view name);

/// Names of all arrays of any grid that play a part, in the order of the tables.
std::vector<std::string> array_names(Role role);

/// "N", "T", "Z", "R", "Z+1", "R+1", "Y", "X", "Y+1", "X+1", "W", "P", "K", "6", "2Z", "2Y", "2X".
std::string_view symbol_of(Axis axis);
/// Symbols of the axes of an array, slowest first: "N,Z,R".
std::string axes_text(const ArraySpec& spec);

/// One way in which a file, or cases in memory, departs from the data set format.
struct Violation {
    /// The array or attribute, "/inputs/porosity"; "/" for the file.
    std::string path;
    std::string problem;
    std::string remedy;
    /// False for what a reader may ignore, such as an array the format does not know.
    bool is_error = true;

    friend bool operator==(const Violation&, const Violation&) = default;
};

}  // namespace plumecast
