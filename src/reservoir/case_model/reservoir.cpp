#include "reservoir.hpp"

#include <algorithm>
#include <cmath>

#include "reservoir/regridding/overlap.hpp"

namespace plumecast {
namespace {

/// Rock of one cell.
struct CellRock {
    double permeability_r = 0.0;
    double permeability_z = 0.0;
    double porosity = 0.0;
};

/// Rock of one column of pieces, over its height.
CellRock column_rock(const Geology& rock, std::size_t columns, std::size_t column, const std::vector<Piece>& z) {
    double height = 0.0;
    double resistance = 0.0;
    CellRock sum;
    for (const Piece& piece : z) {
        const std::size_t cell = piece.cell * columns + column;
        const double dz = piece.end - piece.begin;
        height += dz;
        sum.permeability_r += dz * rock.permeability_r[cell];
        resistance += dz / rock.permeability_z[cell];
        sum.porosity += dz * rock.porosity[cell];
    }
    return {sum.permeability_r / height, height / resistance, sum.porosity / height};
}

CellRock cell_rock(const Geology& rock, std::size_t columns, const std::vector<Piece>& z, const std::vector<Piece>& r) {
    double area = 0.0;
    double distance = 0.0;
    double resistance = 0.0;
    CellRock sum;
    for (const Piece& piece : r) {
        const CellRock column = column_rock(rock, columns, piece.cell, z);
        const double a = piece.end * piece.end - piece.begin * piece.begin;
        const double length = std::log(piece.end / piece.begin);
        area += a;
        distance += length;
        resistance += length / column.permeability_r;
        sum.permeability_z += a * column.permeability_z;
        sum.porosity += a * column.porosity;
    }
    return {distance / resistance, sum.permeability_z / area, sum.porosity / area};
}

}  // namespace

Geology averaged(const Geology& rock, const RadialGrid& from, const RadialGrid& to, std::size_t rows) {
    std::vector<std::vector<Piece>> columns;
    for (std::size_t j = 0; j < to.columns(); ++j) {
        columns.push_back(pieces(from.r_edges, to.r_edges[j], to.r_edges[j + 1]));
    }
    Geology result;
    for (std::size_t row = 0; row < rows; ++row) {
        const std::vector<Piece> z = pieces(from.z_edges, to.z_edges[row], to.z_edges[row + 1]);
        for (const std::vector<Piece>& r : columns) {
            const CellRock cell = cell_rock(rock, from.columns(), z, r);
            result.permeability_r.push_back(cell.permeability_r);
            result.permeability_z.push_back(cell.permeability_z);
            result.porosity.push_back(cell.porosity);
        }
    }
    return result;
}

Reservoir make_reservoir(const SampledCase& sampled, const Geology& rock, const RadialGrid& lattice,
                         const RadialGrid& grid) {
    Reservoir reservoir;
    reservoir.inputs = sampled;
    reservoir.grid = grid;
    reservoir.active_rows = whole_rows(grid.z_edges, sampled.thickness);
    reservoir.rock = averaged(rock, lattice, grid, reservoir.active_rows);
    reservoir.perforation =
        covered_fractions(grid.z_edges, reservoir.active_rows, sampled.perforation_top, sampled.perforation_length);
    return reservoir;
}

}  // namespace plumecast
