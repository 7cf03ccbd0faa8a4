#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <set>

#include <plumecast/core/error.hpp>

#include "reservoir/eclipse/grid.hpp"
#include "reservoir/eclipse/record_file.hpp"

namespace plumecast::eclipse {
namespace {

constexpr std::int64_t most_values = std::numeric_limits<std::int64_t>::max();

[[noreturn]] void refuse(const RecordFile& file, const std::string& problem, const std::string& why,
                         const std::string& remedy) {
    throw InvalidData(file.path() + ": " + problem + " (" + why + "); " + remedy);
}

[[noreturn]] void refuse(const RecordFile& file, const Record& record, const std::string& why) {
    refuse(file, "byte " + std::to_string(record.offset) + ": " + description(record), why,
           "write or copy the file again");
}

/// What a grid file holds, as far as it has been read.
struct Parts {
    std::array<std::int64_t, 3> extents{};
    double metres = 0.0;
    bool is_cylindrical = false;
    std::vector<double> pillars;
    std::vector<double> depths;
    std::vector<double> corners;
    std::vector<std::int64_t> places;  ///< of the cells in `corners`, -1 for cells that the file leaves out
    std::vector<std::uint8_t> active;
    std::vector<double> map_axes;
    std::string map_axes_place;
    double map_metres = 0.0;
    bool is_on_map = false;

    std::int64_t cells() const { return extents[0] * extents[1] * extents[2]; }
    bool has_extents() const { return extents[0] > 0; }
};

std::vector<double> numbers(RecordFile& file, const Record& record, std::int64_t fewest,
                            std::int64_t most = most_values) {
    if (record.count < fewest || record.count > most) {
        refuse(file, record,
               fewest == most ? std::to_string(fewest) + " values are expected"
                              : "at least " + std::to_string(fewest) + " values are expected");
    }
    return file.numbers(record);
}

/// Values of a type that a fraction or NaN cannot hide in.
std::vector<double> whole_numbers(RecordFile& file, const Record& record, std::int64_t fewest) {
    if (record.type != RecordType::integer) {
        refuse(file, record, "its type must be INTE");
    }
    return numbers(file, record, fewest);
}

void set_extents(RecordFile& file, const Record& record, Parts& parts, const double* from) {
    double cells = 1.0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        parts.extents[axis] = static_cast<std::int64_t>(from[axis]);
        cells *= from[axis];
        if (from[axis] < 1.0) {
            refuse(file, record, "the grid has " + std::to_string(parts.extents[axis]) + " cells along an axis");
        }
    }
    if (cells > 1e12) {
        refuse(file, record, "the grid has more than 10^12 cells");
    }
}

void read_file_head(RecordFile& file, const Record& record) {
    const std::vector<double> head = whole_numbers(file, record, 7);
    if (head[4] != 0.0) {
        refuse(file, "FILEHEAD declares an unstructured grid", "only corner-point grids are read",
               "export it as a corner-point grid");
    }
    if (head[5] != 0.0) {
        refuse(file, "FILEHEAD declares dual porosity", "every cell must have one porosity",
               "import the matrix or the fractures as a model of their own");
    }
}

void read_grid_head(RecordFile& file, const Record& record, Parts& parts) {
    const std::vector<double> head = whole_numbers(file, record, 4);
    if (head[0] != 1.0) {
        refuse(file, record, "its first value is not 1, a corner-point grid");
    }
    set_extents(file, record, parts, &head[1]);
    parts.is_cylindrical = head.size() > 26 && head[26] == 1.0;
    if (head.size() > 24 && head[24] > 1.0) {
        refuse(file, "GRIDHEAD declares several coordinate systems (NUMRES)", "one is read", "write the grid with one");
    }
}

void read_unit(RecordFile& file, const Record& record, Parts& parts) {
    const std::vector<std::string> unit = file.texts(record);
    const double metres = unit.empty() ? 0.0 : metres_in(unit[0]);
    if (metres == 0.0) {
        refuse(file, record, "the unit must be METRES, FEET or CM");
    }
    (record.keyword == "MAPUNITS" ? parts.map_metres : parts.metres) = metres;
    parts.is_on_map = parts.is_on_map || (record.keyword == "GRIDUNIT" && unit.size() > 1 && unit[1] == "MAP");
}

void read_active(RecordFile& file, const Record& record, Parts& parts) {
    const std::vector<double> values = numbers(file, record, parts.cells(), parts.cells());
    parts.active.resize(values.size());
    std::ranges::transform(values, parts.active.begin(), [](double value) { return value == 0.0 ? 0 : 1; });
}

/// A cell of a GRID file: COORDS names it, the CORNERS that follow hold it.
void read_cell(RecordFile& file, const Record& record, Parts& parts, std::int64_t& cell) {
    if (record.keyword == "COORDS") {
        const std::vector<double> place = whole_numbers(file, record, 4);
        cell = 0;
        for (std::size_t axis = 3; axis-- > 0;) {
            const auto at = static_cast<std::int64_t>(place[axis]) - 1;
            if (at < 0 || at >= parts.extents[axis]) {
                refuse(file, record, "the cell lies outside the grid");
            }
            cell = cell * parts.extents[axis] + at;
        }
        if (parts.places.empty()) {
            // check_cells_fit() keeps this within a small multiple of the file's size.
            parts.active.assign(static_cast<std::size_t>(parts.cells()), 0);
            parts.places.assign(static_cast<std::size_t>(parts.cells()), -1);
        }
        parts.active[static_cast<std::size_t>(cell)] = place.size() < 5 || place[4] != 0.0 ? 1 : 0;
    } else if (cell >= 0) {
        const std::vector<double> corners = numbers(file, record, 24, 24);
        std::int64_t& place = parts.places[static_cast<std::size_t>(cell)];
        if (place < 0) {
            place = static_cast<std::int64_t>(parts.corners.size() / 24);
            parts.corners.resize(parts.corners.size() + 24);
        }
        std::ranges::copy(corners, parts.corners.begin() + 24 * place);
        cell = -1;
    }
}

void check_cells_fit(RecordFile& file, const Record& record, const Parts& parts) {
    // 'COORDS' and 'CORNERS' of one cell take 24 + 8 + 16 and 24 + 8 + 96 bytes at least. Inactive cells may be left
    // out, but not more than 99 in 100.
    constexpr std::int64_t least_bytes_per_cell = 176;
    constexpr std::int64_t most_cells_per_stored = 100;
    std::error_code error;
    const auto size = static_cast<std::int64_t>(std::filesystem::file_size(file.path(), error));
    if (error || parts.cells() / most_cells_per_stored > size / least_bytes_per_cell) {
        refuse(file, record, "the file is too short for " + std::to_string(parts.cells()) + " cells");
    }
}

/// Takes an array in; false at the end of the main grid.
bool take(RecordFile& file, const Record& record, Parts& parts, std::int64_t& cell) {
    if (record.keyword == "ENDGRID" || record.keyword == "LGR" || record.keyword == "ENDLGR") {
        return !parts.has_extents();
    }
    if (record.keyword == "FILEHEAD") {
        read_file_head(file, record);
    } else if (record.keyword == "GRIDHEAD") {
        read_grid_head(file, record, parts);
    } else if (record.keyword == "DIMENS") {
        set_extents(file, record, parts, whole_numbers(file, record, 3).data());
        check_cells_fit(file, record, parts);
    } else if (record.keyword == "RADIAL") {
        const std::vector<std::string> texts =
            record.type == RecordType::text ? file.texts(record) : std::vector<std::string>();
        parts.is_cylindrical = !texts.empty() && texts[0] == "TRUE";
    } else if (record.keyword == "GRIDUNIT" || record.keyword == "MAPUNITS") {
        read_unit(file, record, parts);
    } else if (record.keyword == "MAPAXES") {
        parts.map_axes = numbers(file, record, 6, 6);
        parts.map_axes_place = file.path() + ": byte " + std::to_string(record.offset);
    } else if (!parts.has_extents()) {
        return true;
    } else if (record.keyword == "COORD") {
        const std::int64_t count = 6 * (parts.extents[0] + 1) * (parts.extents[1] + 1);
        parts.pillars = numbers(file, record, count, count);
    } else if (record.keyword == "ZCORN") {
        parts.depths = numbers(file, record, 8 * parts.cells(), 8 * parts.cells());
    } else if (record.keyword == "ACTNUM") {
        read_active(file, record, parts);
    } else if (record.keyword == "COORDS" || record.keyword == "CORNERS") {
        read_cell(file, record, parts, cell);
    }
    return true;
}

/// Cells of the main grid that NNC1 or NNC2 names, counted from 0.
std::vector<std::int64_t> connected_cells(RecordFile& file, const Record& record, const CornerPointGrid& grid) {
    std::vector<std::int64_t> cells;
    for (const double number : whole_numbers(file, record, 0)) {
        if (number < 1.0 || number > static_cast<double>(grid.cells())) {
            refuse(file, record,
                   "cell " + std::to_string(static_cast<std::int64_t>(number)) + " lies outside the grid");
        }
        cells.push_back(static_cast<std::int64_t>(number) - 1);
    }
    return cells;
}

/// What the file says behind the main grid, `record` its first array there: local refinements, and connections between
/// cells of the main grid that are no neighbours.
void read_surroundings(RecordFile& file, std::optional<Record> record, CornerPointGrid& grid) {
    std::vector<LocalGrid> local_grids;
    std::vector<std::int64_t> from;
    std::vector<CellPair> connections;
    for (; record; record = file.next()) {
        if (record->keyword == "LGR") {
            const std::vector<std::string> name =
                record->type == RecordType::text ? file.texts(*record) : std::vector<std::string>();
            local_grids.push_back({name.empty() ? "" : name[0], 0, 0});
        } else if (record->keyword == "NNC1" && local_grids.empty()) {
            from = connected_cells(file, *record, grid);
        } else if (record->keyword == "NNC2" && local_grids.empty()) {
            const std::vector<std::int64_t> to = connected_cells(file, *record, grid);
            if (to.size() != from.size()) {
                refuse(file, *record, "NNC1 names " + std::to_string(from.size()) + " cells");
            }
            std::ranges::transform(from, to, std::back_inserter(connections),
                                   [](std::int64_t one, std::int64_t other) { return CellPair(one, other); });
        } else if (!local_grids.empty() && (record->keyword == "GRIDHEAD" || record->keyword == "DIMENS")) {
            Parts of_local;
            const std::int64_t first = record->keyword == "GRIDHEAD" ? 1 : 0;
            set_extents(file, *record, of_local, whole_numbers(file, *record, 3 + first).data() + first);
            local_grids.back().cells = of_local.cells();
        } else if (!local_grids.empty() && record->keyword == "HOSTNUM") {
            const std::vector<double> hosts = whole_numbers(file, *record, 0);
            local_grids.back().hosts = static_cast<std::int64_t>(std::set<double>(hosts.begin(), hosts.end()).size());
        }
    }
    grid.set_local_grids(std::move(local_grids));
    grid.set_distant_connections(std::move(connections));
}

/// The grid as its parts say, in metres.
CornerPointGrid grid_of(Parts& parts) {
    if (parts.places.empty()) {
        return CornerPointGrid::of_pillars(parts.extents, std::move(parts.pillars), std::move(parts.depths));
    }
    return CornerPointGrid::of_some_corners(parts.extents, std::move(parts.corners), std::move(parts.places));
}

/// Brings lengths to metres; the second coordinate of a cylindrical grid is an angle.
void scale(std::vector<double>& points, double metres, bool is_cylindrical) {
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!is_cylindrical || i % 3 != 1) {
            points[i] *= metres;
        }
    }
}

}  // namespace

double metres_in(const std::string& unit) {
    if (unit == "METRES" || unit == "METERS") {
        return 1.0;
    }
    return unit == "FEET" ? 0.3048 : unit == "CM" ? 0.01 : 0.0;
}

CornerPointGrid read_grid(const std::filesystem::path& path, double metres) {
    RecordFile file(path);
    Parts parts;
    std::int64_t cell = -1;
    std::optional<Record> record = file.next();
    while (record && take(file, *record, parts, cell)) {
        record = file.next();
    }
    if (!parts.has_extents() || (parts.corners.empty() && (parts.pillars.empty() || parts.depths.empty()))) {
        refuse(file, "the grid is incomplete", "GRIDHEAD, COORD and ZCORN, or DIMENS, COORDS and CORNERS must be there",
               "give an EGRID or GRID file that the simulator finished");
    }
    const double unit = parts.metres > 0.0 ? parts.metres : metres;
    scale(parts.pillars, unit, parts.is_cylindrical);
    scale(parts.corners, unit, parts.is_cylindrical);
    std::ranges::transform(parts.depths, parts.depths.begin(), [&](double depth) { return unit * depth; });
    CornerPointGrid grid = grid_of(parts);
    for (std::size_t at = 0; at < parts.active.size(); ++at) {
        parts.active[at] = parts.active[at] != 0 && grid.active()[at] != 0 ? 1 : 0;
    }
    if (!parts.active.empty()) {
        grid.set_active(std::move(parts.active));
    }
    grid.set_cylindrical(parts.is_cylindrical);
    if (!parts.map_axes.empty() && !parts.is_on_map) {
        grid.set_map_axes(
            map_axes_of(parts.map_axes, parts.map_metres > 0.0 ? parts.map_metres : unit, parts.map_axes_place));
    }
    read_surroundings(file, record, grid);
    return grid;
}

}  // namespace plumecast::eclipse
