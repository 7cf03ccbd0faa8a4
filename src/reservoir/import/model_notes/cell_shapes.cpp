#include "reservoir/import/model_notes/cell_shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

using eclipse::CellIndex;
using eclipse::CornerPointGrid;
using eclipse::Corners;
using eclipse::Point;

/// Mean depth of four corners from `first` on: 0 for the top, 4 for the bottom.
double mean_depth(const Corners& corners, std::size_t first) {
    double sum = 0.0;
    for (std::size_t c = first; c < first + 4; ++c) {
        sum += corners[c].z / 4;
    }
    return sum;
}

/// Twice the area of a cell on the map: negative where its y axis lies to the right of its x axis.
double turn_of(const Corners& c) {
    const Point x{c[1].x - c[0].x + c[3].x - c[2].x, c[1].y - c[0].y + c[3].y - c[2].y, 0.0};
    const Point y{c[2].x - c[0].x + c[3].x - c[1].x, c[2].y - c[0].y + c[3].y - c[1].y, 0.0};
    return x.x * y.y - x.y * y.x;
}

bool is_active(const CornerPointGrid& grid, const CellIndex& cell) {
    return grid.active()[static_cast<std::size_t>(grid.index(cell.i, cell.j, cell.k))] != 0;
}

/// Calls `see(cell, corners)` for each active cell.
void for_active_cells(const CornerPointGrid& grid, const auto& see) {
    for (std::int64_t k = 0; k < grid.nz(); ++k) {
        for (std::int64_t j = 0; j < grid.ny(); ++j) {
            for (std::int64_t i = 0; i < grid.nx(); ++i) {
                if (is_active(grid, {i, j, k})) {
                    see(CellIndex{i, j, k}, grid.corners(i, j, k));
                }
            }
        }
    }
}

std::string place_of(const CellIndex& cell) { return fmt::format("({}, {}, {})", cell.i + 1, cell.j + 1, cell.k + 1); }

/// Whether the bottom of a cell lies above its top on one of its four pillars.
bool has_crossed_corner(const Corners& corners) {
    constexpr double rounding = 1e-3;  // [m]; files hold single precision
    for (std::size_t c = 0; c < 4; ++c) {
        if (corners[c + 4].z < corners[c].z - rounding) {
            return true;
        }
    }
    return false;
}

/// Cells of a grid by the sense in which they turn on the map.
struct Turns {
    CellCount left;
    CellCount right;

    explicit Turns(const CornerPointGrid& grid) {
        for_active_cells(grid, [&](const CellIndex& cell, const Corners& corners) {
            const double turn = turn_of(corners);
            if (turn != 0.0) {
                (turn > 0.0 ? left : right).add(cell);
            }
        });
    }
    bool is_left() const { return left.count >= right.count; }
    const CellCount& fewer() const { return is_left() ? right : left; }
};

/// All cells of a grid turn the same way on the map; a few may be folded at faults.
void refuse_mixed_turns(const Turns& turns, const std::string& name) {
    constexpr double most_folded = 0.02;  // of the cells
    const std::int64_t all = turns.left.count + turns.right.count;
    const CellCount& fewer = turns.fewer();
    if (static_cast<double>(fewer.count) > most_folded * static_cast<double>(all)) {
        throw InvalidData(fmt::format(
            "{}: {} of {} active cells are turned inside out on the map, the first {} (the pillars do not stand in the "
            "order of the grid, or its extents along i and j are exchanged); correct SPECGRID or COORD",
            name, fewer.count, all, place_of(fewer.first)));
    }
}

/// What is to be said of cells whose bottom lies below the top of the cell beneath; nothing for none.
void add_overlaps(const CornerPointGrid& grid, std::vector<std::string>& notes) {
    constexpr double least_overlap = 0.01;  // of the height of the cell
    CellCount found;
    double most = 0.0;
    for_active_cells(grid, [&](const CellIndex& cell, const Corners& corners) {
        const CellIndex below{cell.i, cell.j, cell.k + 1};
        const bool has_lower =
            below.k < grid.nz() && grid.has_corners(below.i, below.j, below.k) && is_active(grid, below);
        const double overlap =
            has_lower ? mean_depth(corners, 4) - mean_depth(grid.corners(below.i, below.j, below.k), 0) : 0.0;
        const double height = height_of(corners);
        if (overlap > least_overlap * std::abs(height) && height > 0.0) {
            found.add(cell);
            most = std::max(most, overlap);
        }
    });
    if (found.count > 0) {
        notes.push_back(fmt::format(
            "{} below the top of the cell beneath, by up to {:.3g} m (layers overlap, and their volumes count twice "
            "there; simulators move such corners); the first is {}",
            found.count == 1 ? "1 cell reaches" : fmt::format("{} cells reach", found.count), most,
            place_of(found.first)));
    }
}

/// What is to be said of layers whose cells lie at different depths; nothing where all layers are level.
void add_relief(const CornerPointGrid& grid, std::vector<std::string>& notes) {
    constexpr double least_relief = 1.0;  // [m]
    struct Tops {
        double highest = std::numeric_limits<double>::infinity(), lowest = -highest;
        double relief() const { return lowest - highest; }
    };
    std::vector<Tops> layers(static_cast<std::size_t>(grid.nz()));
    for_active_cells(grid, [&](const CellIndex& cell, const Corners& corners) {
        if (height_of(corners) >= 0.0) {
            Tops& tops = layers[static_cast<std::size_t>(cell.k)];
            tops.highest = std::min(tops.highest, mean_depth(corners, 0));
            tops.lowest = std::max(tops.lowest, mean_depth(corners, 0));
        }
    });
    const auto steepest = std::ranges::max_element(layers, {}, &Tops::relief);
    if (steepest != layers.end() && steepest->relief() > least_relief) {
        notes.push_back(fmt::format(
            "the cells of layer {} have their tops at {:.6g} to {:.6g} m (the formation dips or is folded); the depth "
            "of the data set is that of the highest point, the depths of the cells are kept, and networks see level "
            "layers",
            steepest - layers.begin() + 1, steepest->highest, steepest->lowest));
    }
}

/// Cells whose volume has another sign than that of the grid's other cells, and cells that cross on a pillar only.
void add_folded(const CornerPointGrid& grid, bool is_left, std::vector<std::string>& notes) {
    CellCount negative, crossed;
    for_active_cells(grid, [&](const CellIndex& cell, const Corners& corners) {
        if (height_of(corners) < 0.0) {
            return;  // said of inverted cells
        }
        const double volume = eclipse::signed_volume(corners) * (is_left ? 1.0 : -1.0);
        if (volume < 0.0) {
            negative.add(cell);
        } else if (has_crossed_corner(corners)) {
            crossed.add(cell);
        }
    });
    if (negative.count > 0) {
        notes.push_back(fmt::format(
            "{} a negative volume (turned inside out: its pillars cross or stand in another order than the others), "
            "which counts as a positive one; correct the grid where that matters",
            negative.text() + (negative.count == 1 ? " has" : " have")));
    }
    if (crossed.count > 0) {
        notes.push_back(fmt::format(
            "{} a corner whose bottom lies above its top (simulators move such corners; the volume is that of the "
            "corners as they are)",
            crossed.text() + (crossed.count == 1 ? " has" : " have")));
    }
}

}  // namespace

std::string CellCount::text() const {
    return count == 1 ? "cell " + place_of(first) : fmt::format("{} cells, the first {},", count, place_of(first));
}

double height_of(const Corners& corners) { return mean_depth(corners, 4) - mean_depth(corners, 0); }

CellCount inverted_cells(const CornerPointGrid& grid, const std::string& name) {
    CellCount inverted, all;
    std::int64_t upright = 0;
    double first = 0.0;
    double last = 0.0;
    for_active_cells(grid, [&](const CellIndex& cell, const Corners& corners) {
        const double height = height_of(corners);
        last = eclipse::centre(corners).z;
        first = all.count == 0 ? last : first;
        all.add(cell);
        upright += height > 0.0 ? 1 : 0;
        if (height < 0.0) {
            inverted.add(cell);
        }
    });
    if (inverted.count > upright) {
        throw InvalidData(fmt::format(
            "{}: layers are numbered upwards, or depths count upwards ({} of {} active cells have their bottom above "
            "their top, the first {}; cells from {:.6g} m to {:.6g} m; rows of a data set go down); write layer 1 as "
            "the uppermost, with depths that grow downwards",
            name, inverted.count, upright + inverted.count, place_of(inverted.first), first, last));
    }
    return inverted;
}

std::vector<std::string> notes_on_shapes(const CornerPointGrid& grid, const std::string& name) {
    const CellCount inverted = inverted_cells(grid, name);
    const Turns turns(grid);
    refuse_mixed_turns(turns, name);
    std::vector<std::string> notes;
    add_overlaps(grid, notes);
    if (inverted.count > 0) {
        notes.push_back(fmt::format(
            "{} left out whose bottom lies above the top (overlapping layers): as in simulators no volume is left "
            "there; the first is {}",
            inverted.count == 1 ? "1 cell is" : fmt::format("{} cells are", inverted.count), place_of(inverted.first)));
    }
    add_folded(grid, turns.is_left(), notes);
    add_relief(grid, notes);
    return notes;
}

}  // namespace plumecast
