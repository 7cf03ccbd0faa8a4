#include "reservoir/regridding/box_average.hpp"

#include <algorithm>
#include <cmath>

#include <plumecast/reservoir/regridding/grid_and_times.hpp>

#include "reservoir/regridding/active_rows.hpp"
#include "reservoir/regridding/overlap.hpp"
#include "reservoir/regridding/rotated_overlap.hpp"

namespace plumecast {
namespace {

std::size_t cell_at(const std::vector<double>& edges, double place) {
    const auto next = std::upper_bound(edges.begin() + 1, edges.end() - 1, place);
    return static_cast<std::size_t>(next - edges.begin()) - 1;
}

/// With permeabilities along axes that a turn leads to.
BoxMaps with_turned_permeability(BoxMaps maps, const Turn& turn) {
    const double along = turn.cos * turn.cos, across = turn.sin * turn.sin;
    for (std::size_t cell = 0; cell < maps.permeability_x.size(); ++cell) {
        const double x = maps.permeability_x[cell], y = maps.permeability_y[cell];
        maps.permeability_x[cell] = along * x + across * y;
        maps.permeability_y[cell] = across * x + along * y;
    }
    return maps;
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
    /// Maps with permeabilities along the axes of `to`, and the turn from there to those of `from`.
    BoxColumn(const BoxMaps& maps, const GridAndTimes& from, const GridAndTimes& to, const Turn& turn, std::size_t line,
              std::size_t column);
    void put(BoxMaps& result) const;

   private:
    void find_wells(const Turn& turn);
    void find_rows();
    ColumnSums sums(std::size_t column, const std::vector<Piece>& z) const;
    double permeability(const std::vector<Lane>& lanes, double ColumnSums::*along, const std::vector<Piece>& z) const;
    void put_rock(BoxMaps& result, std::size_t cell, std::size_t own) const;
    void put_wells(BoxMaps& result, std::size_t cell, std::size_t row) const;

    const BoxMaps& maps_;
    const GridAndTimes &from_, &to_;
    std::size_t line_, column_;
    double area_;
    std::vector<AreaShare> shares_;
    std::vector<Lane> along_x_, along_y_;
    std::vector<std::size_t> wells_;        // columns with wells whose centres lie here
    std::vector<std::vector<Piece>> rows_;  // by row, what counts with it
    std::vector<std::vector<Piece>> open_;  // by row, without that
    std::vector<char> active_;
};

BoxColumn::BoxColumn(const BoxMaps& maps, const GridAndTimes& from, const GridAndTimes& to, const Turn& turn,
                     std::size_t line, std::size_t column)
    : maps_(maps), from_(from), to_(to), line_(line), column_(column) {
    const Rectangle own = PlanView::of(to).cell(line, column);
    const PlanView continued = PlanView::of(from).reaching(turn.around(own));
    area_ = own.area();
    shares_ = shared_areas(continued, own, turn);
    along_x_ = lanes_along_x(continued, own, turn);
    along_y_ = lanes_along_y(continued, own, turn);
    find_wells(turn.back());
    find_rows();
}

void BoxColumn::find_wells(const Turn& turn) {
    const PlanView from = PlanView::of(from_);
    for (std::size_t y = 0; y < from.lines(); ++y) {
        for (std::size_t x = 0; x < from.columns(); ++x) {
            const MapPoint centre = turn.of(from.cell(y, x).centre());
            if (cell_at(to_.y_edges, centre.y) == line_ && cell_at(to_.x_edges, centre.x) == column_) {
                wells_.push_back(y * from.columns() + x);
            }
        }
    }
}

void BoxColumn::find_rows() {
    std::vector<double> volumes, wholes;
    for (std::size_t row = 0; row < to_.rows(); ++row) {
        rows_.push_back(pieces(from_.z_edges, to_.z_edges[row], to_.z_edges[row + 1]));
        double volume = 0.0;
        for (const AreaShare& share : shares_) {
            volume += share.area() * sums(share.column, rows_.back()).height;
        }
        volumes.push_back(volume);
        wholes.push_back(area_ * (to_.z_edges[row + 1] - to_.z_edges[row]));
    }
    open_ = rows_;
    active_ = active_rows(volumes, wholes);
    for (std::size_t row = 0; row < to_.rows(); ++row) {
        const std::size_t other = nearest_active_row(active_, row);
        if (other != no_row && other != row) {
            rows_[other].insert(rows_[other].end(), open_[row].begin(), open_[row].end());
        }
    }
}

ColumnSums BoxColumn::sums(std::size_t column, const std::vector<Piece>& z) const {
    ColumnSums result;
    const std::size_t plane = (from_.y_edges.size() - 1) * from_.columns();
    for (const Piece& piece : z) {
        const std::size_t cell = piece.cell * plane + column;
        if (maps_.active[cell] == 0) {
            continue;
        }
        const double dz = piece.length(), whole = from_.z_edges[piece.cell + 1] - from_.z_edges[piece.cell];
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

/// In series along lanes, then side by side [mD].
double BoxColumn::permeability(const std::vector<Lane>& lanes, double ColumnSums::*along,
                               const std::vector<Piece>& z) const {
    double sum = 0.0, width = 0.0;
    for (const Lane& lane : lanes) {
        double distance = 0.0, resistance = 0.0;
        for (std::size_t i = 0; i < lane.columns.size(); ++i) {
            const ColumnSums column = sums(lane.columns[i], z);
            if (column.height > 0.0) {
                distance += lane.lengths[i];
                resistance += lane.lengths[i] * column.height / column.*along;
            }
        }
        if (resistance > 0.0) {
            sum += lane.width * distance / resistance;
            width += lane.width;
        }
    }
    return sum / width;
}

void BoxColumn::put_rock(BoxMaps& result, std::size_t cell, std::size_t own) const {
    double pores = 0.0, covered = 0.0, upright = 0.0;
    for (const AreaShare& share : shares_) {
        const ColumnSums column = sums(share.column, rows_[own]);
        if (column.height > 0.0) {
            covered += share.area();
            upright += share.area() * column.height / column.resistance;
            pores += share.area() * column.pores;
        }
    }
    result.permeability_x[cell] = permeability(along_x_, &ColumnSums::along_x, rows_[own]);
    result.permeability_y[cell] = permeability(along_y_, &ColumnSums::along_y, rows_[own]);
    result.permeability_z[cell] = upright / covered;
    result.porosity[cell] = std::min(pores / (area_ * (to_.z_edges[own + 1] - to_.z_edges[own])), 1.0);
}

void BoxColumn::put_wells(BoxMaps& result, std::size_t cell, std::size_t row) const {
    double open = 0.0, all = 0.0;
    for (const std::size_t column : wells_) {
        const ColumnSums here = sums(column, open_[row]);
        if (sums(column, pieces(from_.z_edges, from_.z_edges.front(), from_.z_edges.back())).open > 0.0) {
            open += here.open;
            all += here.all;
        }
        result.injection_rate[cell] += sums(column, rows_[row]).rate;
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
    const Turn turn = turn_between(to.place, from.place);
    const BoxMaps seen = with_turned_permeability(maps, turn);
    for (std::size_t line = 0; line < lines; ++line) {
        for (std::size_t column = 0; column < to.columns(); ++column) {
            BoxColumn(seen, from, to, turn, line, column).put(result);
        }
    }
    return result;
}

}  // namespace plumecast
