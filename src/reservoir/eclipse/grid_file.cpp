#include <algorithm>
#include <limits>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/eclipse/grid.hpp>
#include <plumecast/reservoir/eclipse/record_file.hpp>

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
    std::vector<std::uint8_t> active;

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
    parts.metres = unit.empty() ? 0.0 : metres_in(unit[0]);
    if (parts.metres == 0.0) {
        refuse(file, record, "the unit must be METRES, FEET or CM");
    }
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
        if (parts.corners.empty()) {
            // Each cell of the file takes at least 100 bytes, so this cannot be more than a small multiple of it.
            parts.active.assign(static_cast<std::size_t>(parts.cells()), 0);
            parts.corners.assign(static_cast<std::size_t>(24 * parts.cells()), 0.0);
        }
        parts.active[static_cast<std::size_t>(cell)] = place.size() < 5 || place[4] != 0.0 ? 1 : 0;
    } else if (cell >= 0) {
        const std::vector<double> corners = numbers(file, record, 24, 24);
        std::ranges::copy(corners, parts.corners.begin() + 24 * cell);
        cell = -1;
    }
}

void check_cells_fit(RecordFile& file, const Record& record, const Parts& parts) {
    // 'COORDS' and 'CORNERS' of one cell take 24 + 8 + 16 and 24 + 8 + 96 bytes at least.
    constexpr std::int64_t least_bytes_per_cell = 176;
    std::error_code error;
    const auto size = static_cast<std::int64_t>(std::filesystem::file_size(file.path(), error));
    if (error || parts.cells() > size / least_bytes_per_cell) {
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
    } else if (record.keyword == "GRIDUNIT") {
        read_unit(file, record, parts);
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
    for (auto record = file.next(); record && take(file, *record, parts, cell); record = file.next()) {
    }
    if (!parts.has_extents() || (parts.corners.empty() && (parts.pillars.empty() || parts.depths.empty()))) {
        refuse(file, "the grid is incomplete", "GRIDHEAD, COORD and ZCORN, or DIMENS, COORDS and CORNERS must be there",
               "give an EGRID or GRID file that the simulator finished");
    }
    const double unit = parts.metres > 0.0 ? parts.metres : metres;
    scale(parts.pillars, unit, parts.is_cylindrical);
    scale(parts.corners, unit, parts.is_cylindrical);
    std::ranges::transform(parts.depths, parts.depths.begin(), [&](double depth) { return unit * depth; });
    CornerPointGrid grid = parts.corners.empty() ? CornerPointGrid::of_pillars(parts.extents, std::move(parts.pillars),
                                                                               std::move(parts.depths))
                                                 : CornerPointGrid::of_corners(parts.extents, std::move(parts.corners));
    if (!parts.active.empty()) {
        grid.set_active(std::move(parts.active));
    }
    grid.set_cylindrical(parts.is_cylindrical);
    return grid;
}

}  // namespace plumecast::eclipse
