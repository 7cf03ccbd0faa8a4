#include "data/regridding/box_average.hpp"

#include <algorithm>
#include <cmath>

#include "data/regridding/active_rows.hpp"
#include "data/regridding/overlap.hpp"

namespace plumecast {
namespace {

double length(const Piece& piece) { return piece.end - piece.begin; }

/// The pieces of an interval, of an axis whose outermost cells go on.
std::vector<Piece> continued_pieces(std::vector<double> edges, double begin, double end) {
    edges.front() = std::min(edges.front(), begin);
    edges.back() = std::max(edges.back(), end);
    return pieces(edges, begin, end);
}

std::size_t cell_at(const std::vector<double>& edges, double place) {
    const auto next = std::upper_bound(edges.begin() + 1, edges.end() - 1, place);
    return static_cast<std::size_t>(next - edges.begin()) - 1;
}

/// Sums over the active height of a column of the first grid.
struct ColumnSums {
    double height = 0.0;
    double along_x = 0.0, along_y = 0.0;  // height times permeability
    double resistance = 0.0;              // height over vertical permeability
    double pores = 0.0;                   // height times porosity
    double open = 0.0, all = 0.0;         // sqrt(k_x k_y) times the perforated height, and times the height
    double rate = 0.0;                    // [Mt/year]
};

/// One column of cells of the new grid.
class BoxColumn {
   public:
    BoxColumn(const BoxMaps& maps, const GridAndTimes& from, const GridAndTimes& to, std::size_t line,
              std::size_t column);
    void put(BoxMaps& result) const;

   private:
    ColumnSums sums(std::size_t line, std::size_t column, const std::vector<Piece>& z) const;
    void put_rock(BoxMaps& result, std::size_t cell, std::size_t own) const;
    void put_wells(BoxMaps& result, std::size_t cell, std::size_t row) const;

    const BoxMaps& maps_;
    const GridAndTimes &from_, &to_;
    std::size_t line_, column_;
    std::vector<Piece> y_, x_;
    std::vector<std::pair<std::size_t, std::size_t>> wells_;  // columns with wells whose centres lie here
    std::vector<std::vector<Piece>> rows_;                    // by row, what counts with it
    std::vector<std::vector<Piece>> open_;                    // by row, without that
    std::vector<char> active_;
};

BoxColumn::BoxColumn(const BoxMaps& maps, const GridAndTimes& from, const GridAndTimes& to, std::size_t line,
                     std::size_t column)
    : maps_(maps),
      from_(from),
      to_(to),
      line_(line),
      column_(column),
      y_(continued_pieces(from.y_edges, to.y_edges[line], to.y_edges[line + 1])),
      x_(continued_pieces(from.x_edges, to.x_edges[column], to.x_edges[column + 1])) {
    for (std::size_t y = 0; y + 1 < from.y_edges.size(); ++y) {
        for (std::size_t x = 0; x < from.columns(); ++x) {
            if (cell_at(to.y_edges, 0.5 * (from.y_edges[y] + from.y_edges[y + 1])) == line &&
                cell_at(to.x_edges, 0.5 * (from.x_edges[x] + from.x_edges[x + 1])) == column) {
                wells_.emplace_back(y, x);
            }
        }
    }
    const double column_area =
        (to.y_edges[line + 1] - to.y_edges[line]) * (to.x_edges[column + 1] - to.x_edges[column]);
    std::vector<double> volumes, wholes;
    for (std::size_t row = 0; row < to.rows(); ++row) {
        rows_.push_back(pieces(from.z_edges, to.z_edges[row], to.z_edges[row + 1]));
        double volume = 0.0;
        for (const Piece& y : y_) {
            for (const Piece& x : x_) {
                volume += length(y) * length(x) * sums(y.cell, x.cell, rows_.back()).height;
            }
        }
        volumes.push_back(volume);
        wholes.push_back(column_area * (to.z_edges[row + 1] - to.z_edges[row]));
    }
    open_ = rows_;
    active_ = active_rows(volumes, wholes);
    for (std::size_t row = 0; row < to.rows(); ++row) {
        const std::size_t other = nearest_active_row(active_, row);
        if (other != no_row && other != row) {
            rows_[other].insert(rows_[other].end(), open_[row].begin(), open_[row].end());
        }
    }
}

ColumnSums BoxColumn::sums(std::size_t line, std::size_t column, const std::vector<Piece>& z) const {
    ColumnSums result;
    for (const Piece& piece : z) {
        const std::size_t cell = (piece.cell * (from_.y_edges.size() - 1) + line) * from_.columns() + column;
        if (maps_.active[cell] == 0) {
            continue;
        }
        const double dz = length(piece), whole = from_.z_edges[piece.cell + 1] - from_.z_edges[piece.cell];
        const double horizontal = std::sqrt(maps_.permeability_x[cell] * maps_.permeability_y[cell]);
        result.height += dz;
        result.along_x += dz * maps_.permeability_x[cell];
        result.along_y += dz * maps_.permeability_y[cell];
        result.resistance += dz / maps_.permeability_z[cell];
        result.pores += dz * maps_.porosity[cell];
        result.open += dz * horizontal * maps_.perforation[cell];
        result.all += dz * horizontal;
        result.rate += dz / whole * maps_.injection_rate[cell];
    }
    return result;
}

void BoxColumn::put_rock(BoxMaps& result, std::size_t cell, std::size_t own) const {
    double pores = 0.0, covered = 0.0, upright = 0.0, along_x = 0.0, width = 0.0;
    std::vector<double> resistances(x_.size(), 0.0), depths(x_.size(), 0.0);  // of strips along y, by piece in x
    for (const Piece& y : y_) {
        double distance = 0.0, resistance = 0.0;
        for (std::size_t i = 0; i < x_.size(); ++i) {
            const ColumnSums column = sums(y.cell, x_[i].cell, rows_[own]);
            if (column.height <= 0.0) {
                continue;
            }
            const double area = length(y) * length(x_[i]);
            distance += length(x_[i]);
            resistance += length(x_[i]) * column.height / column.along_x;
            depths[i] += length(y);
            resistances[i] += length(y) * column.height / column.along_y;
            covered += area;
            upright += area * column.height / column.resistance;
            pores += area * column.pores;
        }
        if (resistance > 0.0) {
            along_x += length(y) * distance / resistance;
            width += length(y);
        }
    }
    double along_y = 0.0, breadth = 0.0;
    for (std::size_t i = 0; i < x_.size(); ++i) {
        if (resistances[i] > 0.0) {
            along_y += length(x_[i]) * depths[i] / resistances[i];
            breadth += length(x_[i]);
        }
    }
    result.permeability_x[cell] = along_x / width;
    result.permeability_y[cell] = along_y / breadth;
    result.permeability_z[cell] = upright / covered;
    const double volume = (to_.y_edges[line_ + 1] - to_.y_edges[line_]) *
                          (to_.x_edges[column_ + 1] - to_.x_edges[column_]) * (to_.z_edges[own + 1] - to_.z_edges[own]);
    result.porosity[cell] = std::min(pores / volume, 1.0);
}

void BoxColumn::put_wells(BoxMaps& result, std::size_t cell, std::size_t row) const {
    double open = 0.0, all = 0.0;
    for (const auto& [line, column] : wells_) {
        const ColumnSums here = sums(line, column, open_[row]);
        if (sums(line, column, pieces(from_.z_edges, from_.z_edges.front(), from_.z_edges.back())).open > 0.0) {
            open += here.open;
            all += here.all;
        }
        result.injection_rate[cell] += sums(line, column, rows_[row]).rate;
    }
    result.perforation[cell] = all > 0.0 ? std::min(open / all, 1.0) : 0.0;
}

void BoxColumn::put(BoxMaps& result) const {
    for (std::size_t row = 0; row < to_.rows(); ++row) {
        const std::size_t cell = (row * (to_.y_edges.size() - 1) + line_) * to_.columns() + column_;
        const std::size_t own = nearest_active_row(active_, row);
        result.active[cell] = active_[row];
        if (own == no_row) {  // no rock is known here
            result.permeability_x[cell] = result.permeability_y[cell] = result.permeability_z[cell] = 1.0;
            result.porosity[cell] = 0.1;
            continue;
        }
        put_rock(result, cell, own);
        if (own == row) {
            put_wells(result, cell, row);
        }
    }
}

}  // namespace

BoxMaps averaged_box(const BoxMaps& maps, const GridAndTimes& from, const GridAndTimes& to) {
    const std::size_t lines = to.y_edges.size() - 1, cells = to.rows() * lines * to.columns();
    BoxMaps result;
    for (std::vector<double>* map : {&result.permeability_x, &result.permeability_y, &result.permeability_z,
                                     &result.porosity, &result.perforation, &result.injection_rate}) {
        map->resize(cells);
    }
    result.active.resize(cells);
    for (std::size_t line = 0; line < lines; ++line) {
        for (std::size_t column = 0; column < to.columns(); ++column) {
            BoxColumn(maps, from, to, line, column).put(result);
        }
    }
    return result;
}

}  // namespace plumecast
