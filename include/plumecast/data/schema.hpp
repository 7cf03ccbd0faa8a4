#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The arrays of a `plumecast-dataset` file, version 1.
namespace plumecast {

inline constexpr std::string_view dataset_format = "plumecast-dataset";
inline constexpr int dataset_format_version = 1;

/// What an axis of an array counts.
enum class Axis { cases, times, z, r, z_edges, r_edges };

/// The part an array plays.
enum class Role { grid, map, scalar, output };

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

    /// Last part of the path, the name channels and fields use.
    std::string_view name() const { return std::string_view(path).substr(path.rfind('/') + 1); }
};

/// All arrays of the format; further geometries are further rows.
std::span<const ArraySpec> dataset_arrays();

/// The array of that name; nullptr when the format has none.
const ArraySpec* find_array(std::string_view name);

/// Names of all arrays that play a part, in the order of the table.
std::vector<std::string> array_names(Role role);

/// "N", "T", "Z", "R", "Z+1", "R+1".
std::string_view symbol_of(Axis axis);

}  // namespace plumecast
