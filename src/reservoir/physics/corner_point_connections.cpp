#include "reservoir/physics/corner_point_connections.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "reservoir/physics/cylinder.hpp"

namespace plumecast {
namespace {

constexpr double touching = 1e-3;     // between cells above each other [m]
constexpr double least_share = 1e-6;  // of a face that two cells must share, below which rounding made it

struct Vector {
    double x = 0.0, y = 0.0, z = 0.0;
};

Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vector operator*(double factor, Vector a) { return {factor * a.x, factor * a.y, factor * a.z}; }
double dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vector cross(Vector a, Vector b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
double length(Vector a) { return std::sqrt(dot(a, a)); }

/// Area vector of a quadrilateral with these corners, one after the other around it.
Vector area_of(Vector a, Vector b, Vector c, Vector d) { return 0.5 * cross(c - a, d - b); }

/// Corners of a face, one after the other around it; those of a cell are counted by bits: 1 the next along x, 2 the
/// next along y, 4 below.
using Face = std::array<std::size_t, 4>;
constexpr Face to_x = {1, 3, 7, 5}, from_x = {0, 2, 6, 4}, to_y = {2, 3, 7, 6}, from_y = {0, 1, 5, 4},
               below = {4, 5, 7, 6}, above = {0, 1, 3, 2};

/// Where a cell lies in its grid.
struct Cell {
    std::size_t row = 0, line = 0, column = 0;
};

/// Geometry of the cells.
class Cells {
   public:
    explicit Cells(const CornerPoints& grid) : grid_(grid) {}

    std::size_t place(Cell cell) const { return (cell.row * grid_.lines + cell.line) * grid_.columns + cell.column; }
    double depth(Cell cell, std::size_t corner) const {
        const std::size_t row = 2 * cell.row + (corner >> 2U), line = 2 * cell.line + ((corner >> 1U) & 1U);
        return grid_.depths[(row * 2 * grid_.lines + line) * 2 * grid_.columns + 2 * cell.column + (corner & 1U)];
    }
    /// The point at a depth of the pillar of a corner.
    Vector on_pillar(Cell cell, std::size_t corner, double depth) const {
        const std::size_t line = cell.line + ((corner >> 1U) & 1U), column = cell.column + (corner & 1U);
        const double* ends = &grid_.pillars[6 * (line * (grid_.columns + 1) + column)];
        const double span = ends[5] - ends[2];
        const double part = span != 0.0 ? (depth - ends[2]) / span : 0.0;
        return {ends[0] + part * (ends[3] - ends[0]), ends[1] + part * (ends[4] - ends[1]), depth};
    }
    Vector corner(Cell cell, std::size_t which) const { return on_pillar(cell, which, depth(cell, which)); }
    Vector centre(Cell cell) const {
        Vector sum;
        for (std::size_t which = 0; which < 8; ++which) {
            sum = sum + corner(cell, which);
        }
        return 0.125 * sum;
    }
    Vector centre(Cell cell, const Face& face) const {
        return 0.25 * (corner(cell, face[0]) + corner(cell, face[1]) + corner(cell, face[2]) + corner(cell, face[3]));
    }
    Vector area(Cell cell, const Face& face) const {
        return area_of(corner(cell, face[0]), corner(cell, face[1]), corner(cell, face[2]), corner(cell, face[3]));
    }

   private:
    const CornerPoints& grid_;
};

/// A line between two pillars, by the depths at which it leaves the one and meets the other.
struct Line {
    double from = 0.0, to = 0.0;

    double at(double share) const { return (1.0 - share) * from + share * to; }
};

/// Where two lines cross between the pillars, as a share of the way; 1 where they do not.
double crossing(const Line& a, const Line& b) {
    const double before = a.from - b.from, after = a.to - b.to;
    return before * after < 0.0 ? before / (before - after) : 1.0;
}

/// Upper and lower edge of the side of a cell, between the two pillars of the side.
struct Side {
    Line top, bottom;

    Side(const Cells& cells, Cell cell, const Face& face)
        : top{cells.depth(cell, face[0]), cells.depth(cell, face[1])},
          bottom{cells.depth(cell, face[3]), cells.depth(cell, face[2])} {}
    bool is_above(const Side& other) const { return bottom.from <= other.top.from && bottom.to <= other.top.to; }
};

/// Area vector that the sides of two cells share between the pillars of `face` of the first: piece by piece between the
/// places where their edges cross.
Vector shared_area(const Cells& cells, Cell cell, const Face& face, const Side& one, const Side& other) {
    std::array<double, 6> shares = {0.0,
                                    crossing(one.top, other.top),
                                    crossing(one.top, other.bottom),
                                    crossing(one.bottom, other.top),
                                    crossing(one.bottom, other.bottom),
                                    1.0};
    std::ranges::sort(shares);
    const auto point = [&](const Line& line, double share) {
        return (1.0 - share) * cells.on_pillar(cell, face[0], line.from) +
               share * cells.on_pillar(cell, face[1], line.to);
    };
    Vector area;
    for (std::size_t i = 0; i + 1 < shares.size(); ++i) {
        const double from = shares[i], to = shares[i + 1], middle = 0.5 * (from + to);
        const Line& top = one.top.at(middle) > other.top.at(middle) ? one.top : other.top;
        const Line& bottom = one.bottom.at(middle) < other.bottom.at(middle) ? one.bottom : other.bottom;
        if (to > from && top.at(middle) < bottom.at(middle)) {
            area = area + area_of(point(top, from), point(top, to), point(bottom, to), point(bottom, from));
        }
    }
    return area;
}

class Connector {
   public:
    Connector(const CornerPoints& grid, const CellPermeabilities& rock) : grid_(grid), rock_(rock), cells_(grid) {
        found_.x = found_.y = found_.z = std::vector<double>(grid.cells(), 0.0);
    }

    CellConnections connections() && {
        for (std::size_t line = 0; line < grid_.lines; ++line) {
            for (std::size_t column = 0; column < grid_.columns; ++column) {
                connect_downwards(line, column);
                if (column + 1 < grid_.columns) {
                    connect_columns({0, line, column}, {0, line, column + 1}, to_x, from_x, rock_.permeability_x,
                                    found_.x);
                }
                if (line + 1 < grid_.lines) {
                    connect_columns({0, line, column}, {0, line + 1, column}, to_y, from_y, rock_.permeability_y,
                                    found_.y);
                }
            }
        }
        std::ranges::sort(found_.apart, {}, [](const BoxConnection& one) { return std::pair(one.first, one.second); });
        return std::move(found_);
    }

   private:
    bool is_active(Cell cell) const { return rock_.active[cells_.place(cell)] != 0; }

    /// Of one half, over Darcy's constant.
    double half(Cell cell, const Face& face, Vector area, const std::vector<double>& permeability) const {
        const Vector way = cells_.centre(cell, face) - cells_.centre(cell);
        const double square = dot(way, way);
        return square > 0.0 ? permeability[cells_.place(cell)] * std::abs(dot(area, way)) / square : 0.0;
    }
    double transmissibility(Cell one, const Face& from, Cell other, const Face& to, Vector area,
                            const std::vector<double>& permeability) const {
        const double a = half(one, from, area, permeability), b = half(other, to, area, permeability);
        return a > 0.0 && b > 0.0 ? cylinder::darcy / (1.0 / a + 1.0 / b) : 0.0;
    }

    bool touches(Cell upper, Cell lower) const {
        for (std::size_t i = 0; i < 4; ++i) {
            if (std::abs(cells_.depth(upper, below[i]) - cells_.depth(lower, above[i])) > touching) {
                return false;
            }
        }
        return true;
    }
    /// Each active cell with the next active one below, where they touch.
    void connect_downwards(std::size_t line, std::size_t column) {
        Cell upper{grid_.rows, line, column};
        for (std::size_t row = 0; row < grid_.rows; ++row) {
            const Cell cell{row, line, column};
            if (!is_active(cell)) {
                continue;
            }
            if (upper.row < grid_.rows && touches(upper, cell)) {
                const double value =
                    transmissibility(upper, below, cell, above, cells_.area(upper, below), rock_.permeability_z);
                if (upper.row + 1 == row) {
                    found_.z[cells_.place(upper)] = value;
                } else if (value > 0.0) {
                    found_.apart.push_back({cells_.place(upper), cells_.place(cell), value});
                }
            }
            upper = cell;
        }
    }

    /// The cells of two neighbouring columns, given by their uppermost ones, wherever their sides overlap.
    void connect_columns(Cell one, Cell other, const Face& from, const Face& to,
                         const std::vector<double>& permeability, std::vector<double>& neighbours) {
        std::size_t first = 0;  // rows of the other column above it end above all that follows
        for (one.row = 0; one.row < grid_.rows; ++one.row) {
            const Side side(cells_, one, from);
            for (other.row = first; other.row < grid_.rows; ++other.row) {
                const Side beside(cells_, other, to);
                if (beside.is_above(side)) {
                    first = other.row + 1;
                    continue;
                }
                if (side.is_above(beside)) {
                    break;
                }
                if (is_active(one) && is_active(other)) {
                    connect_sides(one, other, from, to, shared_area(cells_, one, from, side, beside), permeability,
                                  neighbours);
                }
            }
        }
    }
    void connect_sides(Cell one, Cell other, const Face& from, const Face& to, Vector area,
                       const std::vector<double>& permeability, std::vector<double>& neighbours) {
        const double smaller = std::min(length(cells_.area(one, from)), length(cells_.area(other, to)));
        if (length(area) <= least_share * smaller) {
            return;
        }
        const double value = transmissibility(one, from, other, to, area, permeability);
        if (one.row == other.row) {
            neighbours[cells_.place(one)] = value;
        } else if (value > 0.0) {
            const auto [first, second] = std::minmax({cells_.place(one), cells_.place(other)});
            found_.apart.push_back({first, second, value});
        }
    }

    const CornerPoints& grid_;
    const CellPermeabilities& rock_;
    Cells cells_;
    CellConnections found_;
};

void require_sizes(const CornerPoints& grid, const CellPermeabilities& rock) {
    const auto require = [](std::size_t size, std::size_t wanted, const char* what) {
        if (size != wanted) {
            throw InvalidInput(
                fmt::format("{} has {} values (the corner-point grid asks for {}); complete it", what, size, wanted));
        }
    };
    require(grid.pillars.size(), 6 * (grid.lines + 1) * (grid.columns + 1), "pillars");
    require(grid.depths.size(), 8 * grid.cells(), "corner_depths");
    require(rock.permeability_x.size(), grid.cells(), "permeability_x");
    require(rock.permeability_y.size(), grid.cells(), "permeability_y");
    require(rock.permeability_z.size(), grid.cells(), "permeability_z");
    require(rock.active.size(), grid.cells(), "active");
}

}  // namespace

double CornerPoints::centre_depth(std::size_t cell) const {
    return Cells(*this).centre({cell / (lines * columns), cell % (lines * columns) / columns, cell % columns}).z;
}

CellConnections corner_point_connections(const CornerPoints& grid, const CellPermeabilities& rock) {
    require_sizes(grid, rock);
    return Connector(grid, rock).connections();
}

}  // namespace plumecast
