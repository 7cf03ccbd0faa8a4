#include <plumecast/reservoir/metrics/plume.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <plumecast/core/error.hpp>

#include "reservoir/metrics/cell_geometry.hpp"

namespace plumecast {

namespace {

void check_sizes(const Shape& field, const Shape& active, std::size_t r_edges, std::size_t z_edges) {
    const bool fits = field.rank() == 3 && active == field.slice(0, 2) &&
                      z_edges == static_cast<std::size_t>(field[0]) + 1 &&
                      r_edges == static_cast<std::size_t>(field[1]) + 1;
    if (!fits) {
        throw InvalidInput("gas saturation " + field.text() + ", active " + active.text() + ", " +
                           std::to_string(r_edges) + " r_edges and " + std::to_string(z_edges) +
                           " z_edges do not fit (they are [Z, R, T], [Z, R], R + 1 and Z + 1); give one grid");
    }
}

void check_cells(std::size_t values, std::size_t active, std::size_t cells) {
    if (values != cells || active != cells) {
        throw InvalidInput(std::to_string(values) + " values and " + std::to_string(active) +
                           " activities do not fit the grid (it has " + std::to_string(cells) +
                           " cells); give maps of one grid");
    }
}

/// A layer of cells of a field.
struct RowOfCells {
    std::span<const float> values;
    std::span<const float> active;
    double threshold;

    double at(std::size_t column) const { return static_cast<double>(values[column]); }
    bool is_above(std::size_t column) const { return active[column] != 0.0F && at(column) > threshold; }
};

/// The largest value, in the layer, of the active columns for which each column is the next one towards the well; minus
/// infinity where there is none.
std::vector<double> values_beyond(const RowOfCells& cells, const CellGeometry& geometry) {
    std::vector<double> beyond(geometry.columns, -std::numeric_limits<double>::infinity());
    for (std::size_t column = 0; column < geometry.columns; ++column) {
        const std::size_t inner = geometry.inner[column];
        if (inner != column && cells.active[column] != 0.0F) {
            beyond[inner] = std::max(beyond[inner], cells.at(column));
        }
    }
    return beyond;
}

/// A front stands in the outermost cell of a row: behind it saturation is that of the cell nearer to the well, before
/// it none. The share grows to one as the cell beyond fills up to the threshold, so that the edge moves without a jump.
double sharp_share(const RowOfCells& cells, const CellGeometry& geometry, std::size_t column, double beyond) {
    const double threshold = cells.threshold;
    const std::size_t inner = geometry.inner[column];
    const double behind = inner != column && cells.is_above(inner) ? cells.at(inner) : 0.0;
    const double here = cells.at(column);
    if (!(behind > here) || beyond > threshold) {
        return 1.0;
    }
    const double share = (here - threshold) / (behind - threshold);
    const double begun = threshold > 0.0 ? std::clamp(beyond / threshold, 0.0, 1.0) : 0.0;
    return share + (1.0 - share) * begun;
}

/// Distance from the well at which a smooth field meets the threshold between the centres of two columns.
double smooth_edge(const RowOfCells& cells, const CellGeometry& geometry, std::size_t column, std::size_t next) {
    const double part = (cells.at(column) - cells.threshold) / (cells.at(column) - cells.at(next));
    const double from = geometry.centres[column];
    const double to = geometry.centres[next];
    return geometry.is_radial && from > 0.0 ? from * std::pow(to / from, part) : from + part * (to - from);
}

/// The share of each column of a layer that is above the threshold.
std::vector<double> shares_of(const RowOfCells& cells, const CellGeometry& geometry, FieldEdge edge) {
    std::vector<double> shares(geometry.columns, 0.0);
    const std::vector<double> beyond = values_beyond(cells, geometry);
    for (std::size_t column = 0; column < geometry.columns; ++column) {
        if (cells.is_above(column)) {
            shares[column] = edge == FieldEdge::sharp ? sharp_share(cells, geometry, column, beyond[column]) : 1.0;
        }
    }
    for (std::size_t next = 0; edge == FieldEdge::smooth && next < geometry.columns; ++next) {
        const std::size_t column = geometry.inner[next];
        if (column == next || cells.active[next] == 0.0F || cells.is_above(next) || !cells.is_above(column) ||
            !(cells.at(next) >=
              beyond[column])) {  // of several columns beyond, the one that is nearest to the threshold
            continue;
        }
        const double distance = smooth_edge(cells, geometry, column, next);
        shares[column] = geometry.share_within(column, distance);
        shares[next] = geometry.share_within(next, distance);
    }
    return shares;
}

}  // namespace

std::vector<std::uint8_t> cells_above(std::span<const float> values, std::span<const float> active, double threshold) {
    check_cells(values.size(), active.size(), values.size());
    std::vector<std::uint8_t> marks(values.size());
    for (std::size_t cell = 0; cell < marks.size(); ++cell) {
        marks[cell] = active[cell] != 0.0F && static_cast<double>(values[cell]) > threshold ? 1 : 0;
    }
    return marks;
}

MapCover cover_above(std::span<const float> values, std::span<const float> active, const CellGeometry& geometry,
                     double threshold, FieldEdge edge) {
    check_cells(values.size(), active.size(), geometry.cells());
    constexpr double infinity = std::numeric_limits<double>::infinity();
    MapCover cover{std::vector<double>(geometry.columns), std::vector<double>(geometry.columns), infinity, -infinity};
    std::vector<char> is_below_top(geometry.columns, 0);  // an active cell lies above in this column
    for (std::size_t row = 0; row < geometry.rows; ++row) {
        const std::size_t begin = row * geometry.columns;
        const RowOfCells cells{values.subspan(begin, geometry.columns), active.subspan(begin, geometry.columns),
                               threshold};
        const std::vector<double> shares = shares_of(cells, geometry, edge);
        for (std::size_t column = 0; column < geometry.columns; ++column) {
            cover.shares[column] = std::max(cover.shares[column], shares[column]);
            if (active[begin + column] == 0.0F) {
                continue;
            }
            cover.top_shares[column] = is_below_top[column] != 0 ? cover.top_shares[column] : shares[column];
            is_below_top[column] = 1;
            if (cells.is_above(column)) {
                const auto [top, bottom] = geometry.depths_of(begin + column);
                cover.top = std::min(cover.top, top);
                cover.bottom = std::max(cover.bottom, bottom);
            }
        }
    }
    return cover;
}

MapCover cover_of_both(const MapCover& one, const MapCover& other) {
    const auto larger = [](std::vector<double> a, const std::vector<double>& b) {
        std::ranges::transform(a, b, a.begin(), [](double x, double y) { return std::max(x, y); });
        return a;
    };
    return {larger(one.shares, other.shares), larger(one.top_shares, other.top_shares), std::min(one.top, other.top),
            std::max(one.bottom, other.bottom)};
}

PlumeSize size_of(const MapCover& cover, const CellGeometry& geometry) {
    PlumeSize size;
    for (std::size_t column = 0; column < geometry.columns; ++column) {
        const double share = cover.shares[column];
        size.area += share * geometry.areas[column];
        size.footprint += cover.top_shares[column] * geometry.areas[column];
        const double radius = geometry.within(column, share);
        if (share > 0.0 && radius > size.radius) {
            size.radius = radius;
            size.resolution = geometry.reaches[column] - geometry.nears[column];
            size.area_resolution = geometry.areas[column];
        }
    }
    size.thickness = std::max(0.0, cover.bottom - cover.top);
    return size;
}

std::vector<PlumeSize> plume_sizes(ConstView gas_saturation, ConstView active, std::span<const double> r_edges,
                                   std::span<const double> z_edges, double threshold) {
    const Shape& shape = gas_saturation.shape;
    check_sizes(shape, active.shape, r_edges.size(), z_edges.size());
    const CellGeometry geometry = radial_geometry(r_edges, z_edges);
    const std::span<const float> inside(active.as<float>(), geometry.cells());
    std::vector<float> snapshot(geometry.cells());
    std::vector<PlumeSize> sizes;
    for (std::int64_t t = 0; t < shape[2]; ++t) {
        for (std::size_t cell = 0; cell < snapshot.size(); ++cell) {
            snapshot[cell] = gas_saturation.as<float>()[static_cast<std::int64_t>(cell) * shape[2] + t];
        }
        sizes.push_back(size_of(cover_above(snapshot, inside, geometry, threshold, FieldEdge::sharp), geometry));
    }
    return sizes;
}

}  // namespace plumecast
