#include "reservoir/regridding/rock_average.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "reservoir/regridding/active_rows.hpp"
#include "reservoir/regridding/overlap.hpp"

namespace plumecast {
namespace {

double area(const Piece& ring) { return ring.end * ring.end - ring.begin * ring.begin; }

/// Logarithmic width of a ring, which may begin at the axis itself.
double log_width(const Piece& ring) { return std::log(ring.end / std::max(ring.begin, 1e-6 * ring.end)); }

/// Sums over the active height of a column of the other grid.
struct RingSums {
    double height = 0.0;
    double conductance = 0.0;  // height times horizontal permeability
    double resistance = 0.0;   // height over vertical permeability
    double pores = 0.0;        // height times porosity
    double open = 0.0;         // perforated height times horizontal permeability
};

RingSums column_sums(const RockMaps& rock, std::size_t columns, std::size_t column, const std::vector<Piece>& z) {
    RingSums sums;
    for (const Piece& piece : z) {
        const std::size_t cell = piece.cell * columns + column;
        if (rock.active[cell] == 0) {
            continue;
        }
        const double dz = piece.end - piece.begin;
        sums.height += dz;
        sums.conductance += dz * rock.permeability_r[cell];
        sums.resistance += dz / rock.permeability_z[cell];
        sums.pores += dz * rock.porosity[cell];
        sums.open += dz * rock.permeability_r[cell] * rock.perforation[cell];
    }
    return sums;
}

/// One column of cells of the new grid.
class ColumnAverage {
   public:
    ColumnAverage(const RockMaps& rock, const GridAndTimes& from, const GridAndTimes& to, std::size_t column);
    void put(RockMaps& result) const;

   private:
    double perforation(const std::vector<Piece>& z) const;

    const RockMaps& rock_;
    const GridAndTimes &from_, &to_;
    std::size_t column_;
    std::vector<Piece> rings_;
    std::vector<std::vector<Piece>> rows_;  // by row, what counts with it
    std::vector<char> active_;
};

ColumnAverage::ColumnAverage(const RockMaps& rock, const GridAndTimes& from, const GridAndTimes& to, std::size_t column)
    : rock_(rock), from_(from), to_(to), column_(column) {
    const double inner = to.r_edges[column], outer = to.r_edges[column + 1];
    std::vector<double> edges = from.r_edges;
    edges.front() = std::min(edges.front(), inner);
    edges.back() = std::max(edges.back(), outer);
    rings_ = pieces(edges, inner, outer);
    const double column_area = area({0, inner, outer});
    std::vector<double> volumes, wholes;
    for (std::size_t row = 0; row < to.rows(); ++row) {
        rows_.push_back(pieces(from.z_edges, to.z_edges[row], to.z_edges[row + 1]));
        double volume = 0.0;
        for (const Piece& ring : rings_) {
            volume += area(ring) * column_sums(rock, from.columns(), ring.cell, rows_.back()).height;
        }
        volumes.push_back(volume);
        wholes.push_back(column_area * (to.z_edges[row + 1] - to.z_edges[row]));
    }
    active_ = active_rows(volumes, wholes);
    for (std::size_t row = 0; row < to.rows(); ++row) {
        const std::size_t other = nearest_active_row(active_, row);
        if (other != no_row && other != row) {
            rows_[other].insert(rows_[other].end(), rows_[row].begin(), rows_[row].end());
        }
    }
}

/// The well opens the first column, whatever the widths; what else a file states belongs to the other columns.
double ColumnAverage::perforation(const std::vector<Piece>& z) const {
    double open = 0.0, all = 0.0;
    const auto add = [&](std::size_t cell, double weight) {
        const RingSums sums = column_sums(rock_, from_.columns(), cell, z);
        open += weight * sums.open;
        all += weight * sums.conductance;
    };
    if (column_ == 0) {
        add(0, 1.0);
    }
    for (std::size_t i = 0; column_ > 0 && i < rings_.size(); ++i) {
        if (rings_[i].cell > 0) {
            add(rings_[i].cell, log_width(rings_[i]));
        }
    }
    return all > 0.0 ? std::min(open / all, 1.0) : 0.0;
}

void ColumnAverage::put(RockMaps& result) const {
    const double ring = area({0, to_.r_edges[column_], to_.r_edges[column_ + 1]});
    for (std::size_t row = 0; row < to_.rows(); ++row) {
        const std::size_t cell = row * to_.columns() + column_, own = nearest_active_row(active_, row);
        result.active[cell] = active_[row];
        if (own == no_row) {  // no rock is known here
            result.permeability_r[cell] = result.permeability_z[cell] = 1.0;
            result.porosity[cell] = 0.1;
            continue;
        }
        double pores = 0.0, distance = 0.0, resistance = 0.0, covered = 0.0, upright = 0.0;
        for (const Piece& piece : rings_) {
            const RingSums sums = column_sums(rock_, from_.columns(), piece.cell, rows_[own]);
            if (sums.height > 0.0) {
                const double length = log_width(piece);
                distance += length;
                resistance += length * sums.height / sums.conductance;
                covered += area(piece);
                upright += area(piece) * sums.height / sums.resistance;
                pores += area(piece) * sums.pores;
            }
        }
        result.permeability_r[cell] = distance / resistance;
        result.permeability_z[cell] = upright / covered;
        const double height = to_.z_edges[own + 1] - to_.z_edges[own];
        result.porosity[cell] = std::min(pores / (ring * height), 1.0);
        result.perforation[cell] = own == row ? perforation(rows_[row]) : 0.0;
    }
}

}  // namespace

RockMaps averaged_rock(const RockMaps& rock, const GridAndTimes& from, const GridAndTimes& to) {
    const std::size_t cells = to.rows() * to.columns();
    RockMaps result;
    for (std::vector<double>* map :
         {&result.permeability_r, &result.permeability_z, &result.porosity, &result.perforation}) {
        map->resize(cells);
    }
    result.active.resize(cells);
    for (std::size_t column = 0; column < to.columns(); ++column) {
        ColumnAverage(rock, from, to, column).put(result);
    }
    return result;
}

}  // namespace plumecast
