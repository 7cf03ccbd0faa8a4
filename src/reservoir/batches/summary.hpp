#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <plumecast/reservoir/dataset/cases/data_notes.hpp>
#include <plumecast/reservoir/dataset/grid_place.hpp>
#include <plumecast/reservoir/dataset/ranges.hpp>

namespace plumecast {

/// What `plumecast info` tells about a data file.
struct DataSummary {
    /// "data set" or "ready-made channels".
    std::string kind;
    std::string title;
    std::string source;
    std::int64_t cases = 0;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t snapshots = 0;
    /// Cells along y of a Cartesian grid, whose rows run along z and columns along x; 0 for a radial one.
    std::int64_t lines = 0;
    /// Outer radius and depth [m], first and last time [day]; 0 for ready-made channels.
    double radius = 0.0;
    /// Extent of a Cartesian grid along x and y [m]; 0 for others.
    double length_x = 0.0;
    double length_y = 0.0;
    /// Where a Cartesian grid lies on the map.
    GridPlace place;
    /// Cells have volumes and centres of their own, as those of a corner-point grid.
    bool has_cell_volumes = false;
    /// Cells are not those between the edges of a box.
    bool is_corner_point = false;
    std::int64_t connections = 0;  ///< between cells that are no neighbours by their indices
    double depth = 0.0;
    double first_time = 0.0;
    double last_time = 0.0;
    std::int64_t periods = 0;  ///< of a schedule of rates; 0 without one
    /// Ranges of scalars and maps over active cells, by name.
    std::map<std::string, Range> inputs;
    std::vector<std::string> outputs;
    std::vector<std::string> channels;
    /// What the sources of the cases say and the data set cannot carry.
    std::vector<DataNote> notes;
    /// Bytes on disk, and bytes of the same values unpacked.
    std::uint64_t file_bytes = 0;
    std::uint64_t unpacked_bytes = 0;
};

/// Describes a data set or a file with ready-made channels. Throws IoError or InvalidData.
DataSummary describe(const std::string& path);

}  // namespace plumecast
