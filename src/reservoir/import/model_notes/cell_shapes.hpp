#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reservoir/eclipse/grid.hpp"

namespace plumecast {

/// How many cells are of one kind, and the first of them.
struct CellCount {
    std::int64_t count = 0;
    eclipse::CellIndex first;

    void add(const eclipse::CellIndex& cell) {
        first = count == 0 ? cell : first;
        ++count;
    }
    /// "3 cells, the first (2, 1, 1)", counted from 1 as in a deck; for one cell "cell (2, 1, 1)".
    std::string text() const;
};

/// How far the mean bottom of a cell lies below its mean top [m].
double height_of(const eclipse::Corners& corners);

/// Rows of a data set go downwards. Returns the active cells that have their bottom above their top, as overlapping
/// layers have; throws InvalidData naming `name` where these are most, because layers are numbered upwards.
CellCount inverted_cells(const eclipse::CornerPointGrid& grid, const std::string& name);

/// What is to be said of the active cells of a box whose shape is none of a cell: inverted ones, those that reach below
/// the cell beneath, those of negative volume, and those with a corner whose bottom lies above its top; and of columns
/// that begin at different depths. Throws InvalidData naming `name` where layers are numbered upwards, or pillars stand
/// in another order than the grid's.
std::vector<std::string> notes_on_shapes(const eclipse::CornerPointGrid& grid, const std::string& name);

}  // namespace plumecast
