#include "reservoir/regridding/rotated_overlap.hpp"

#include <algorithm>
#include <cmath>

#include "reservoir/regridding/overlap.hpp"

namespace plumecast {
namespace {

constexpr std::size_t lane_count = 8;

using Polygon = std::vector<MapPoint>;

/// The part of a convex polygon where a distance is 0 or more; `distance` is linear.
template <class Distance>
Polygon clipped(const Polygon& polygon, const Distance& distance) {
    Polygon kept;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const MapPoint &here = polygon[i], &next = polygon[(i + 1) % polygon.size()];
        const double a = distance(here), b = distance(next);
        if (a >= 0.0) {
            kept.push_back(here);
        }
        if ((a >= 0.0) != (b >= 0.0)) {
            const double share = a / (a - b);
            kept.push_back({here.x + share * (next.x - here.x), here.y + share * (next.y - here.y)});
        }
    }
    return kept;
}

Polygon within(const Polygon& polygon, const Rectangle& cell) {
    const Polygon right = clipped(polygon, [&](const MapPoint& p) { return p.x - cell.low_x; });
    const Polygon between = clipped(right, [&](const MapPoint& p) { return cell.high_x - p.x; });
    const Polygon above = clipped(between, [&](const MapPoint& p) { return p.y - cell.low_y; });
    return clipped(above, [&](const MapPoint& p) { return cell.high_y - p.y; });
}

/// Of a polygon whose corners go anticlockwise; counted from one of them, so that no digits are lost far from 0.
double area_of(const Polygon& polygon) {
    double twice = 0.0;
    for (std::size_t i = 1; i + 1 < polygon.size(); ++i) {
        const MapPoint &o = polygon[0], &a = polygon[i], &b = polygon[i + 1];
        twice += (a.x - o.x) * (b.y - o.y) - (b.x - o.x) * (a.y - o.y);
    }
    return 0.5 * twice;
}

std::vector<AreaShare> clipped_areas(const PlanView& grid, const Rectangle& rectangle, const Turn& turn) {
    const auto& [low_x, high_x, low_y, high_y] = rectangle;
    const Polygon whole = {turn.of({low_x, low_y}), turn.of({high_x, low_y}), turn.of({high_x, high_y}),
                           turn.of({low_x, high_y})};
    const Rectangle around = turn.around(rectangle);
    std::vector<AreaShare> shares;
    for (const Piece& y : pieces(grid.y_edges, around.low_y, around.high_y)) {
        for (const Piece& x : pieces(grid.x_edges, around.low_x, around.high_x)) {
            const double area = area_of(within(whole, grid.cell(y.cell, x.cell)));
            if (area > 1e-9 * rectangle.area()) {
                shares.push_back({y.cell * grid.columns() + x.cell, 1.0, area});
            }
        }
    }
    return shares;
}

/// Lanes between the edges of the grid: along its x axis, or its y axis.
std::vector<Lane> lanes_of(const PlanView& grid, const Rectangle& rectangle, bool along_x) {
    const std::vector<Piece> y = pieces(grid.y_edges, rectangle.low_y, rectangle.high_y),
                             x = pieces(grid.x_edges, rectangle.low_x, rectangle.high_x);
    std::vector<Lane> lanes;
    for (const Piece& across : along_x ? y : x) {
        Lane lane{across.length(), {}, {}};
        for (const Piece& along : along_x ? x : y) {
            const Piece &line = along_x ? across : along, &column = along_x ? along : across;
            lane.columns.push_back(line.cell * grid.columns() + column.cell);
            lane.lengths.push_back(along.length());
        }
        lanes.push_back(std::move(lane));
    }
    return lanes;
}

Lane lane_of(const PlanView& grid, const Rectangle& part, const Turn& turn, double width) {
    Lane lane{width, {}, {}};
    for (const AreaShare& share : shared_areas(grid, part, turn)) {
        lane.columns.push_back(share.column);
        lane.lengths.push_back(share.area() / width);
    }
    return lane;
}

}  // namespace

Rectangle PlanView::cell(std::size_t line, std::size_t column) const {
    return {x_edges[column], x_edges[column + 1], y_edges[line], y_edges[line + 1]};
}

PlanView PlanView::reaching(const Rectangle& rectangle) const {
    PlanView result = *this;
    result.x_edges.front() = std::min(x_edges.front(), rectangle.low_x);
    result.x_edges.back() = std::max(x_edges.back(), rectangle.high_x);
    result.y_edges.front() = std::min(y_edges.front(), rectangle.low_y);
    result.y_edges.back() = std::max(y_edges.back(), rectangle.high_y);
    return result;
}

Turn turn_between(const GridPlace& from, const GridPlace& to) {
    return from.rotation && to.rotation ? Turn::by(*from.rotation - *to.rotation) : Turn();
}

std::vector<AreaShare> shared_areas(const PlanView& grid, const Rectangle& rectangle, const Turn& turn) {
    if (!turn.is_parallel()) {
        return clipped_areas(grid, rectangle, turn);
    }
    const Rectangle seen = turn.around(rectangle);
    const std::vector<Piece> columns = pieces(grid.x_edges, seen.low_x, seen.high_x);
    std::vector<AreaShare> shares;
    for (const Piece& y : pieces(grid.y_edges, seen.low_y, seen.high_y)) {
        for (const Piece& x : columns) {
            shares.push_back({y.cell * grid.columns() + x.cell, y.length(), x.length()});
        }
    }
    return shares;
}

std::vector<Lane> lanes_along_x(const PlanView& grid, const Rectangle& rectangle, const Turn& turn) {
    if (turn.is_parallel()) {
        return lanes_of(grid, turn.around(rectangle), turn.sin == 0.0);
    }
    std::vector<Lane> lanes;
    const double width = (rectangle.high_y - rectangle.low_y) / lane_count;
    for (std::size_t i = 0; i < lane_count; ++i) {
        Rectangle part = rectangle;
        part.low_y = rectangle.low_y + static_cast<double>(i) * width;
        part.high_y = part.low_y + width;
        lanes.push_back(lane_of(grid, part, turn, width));
    }
    return lanes;
}

/// Those along x of the rectangle seen from a quarter further.
std::vector<Lane> lanes_along_y(const PlanView& grid, const Rectangle& rectangle, const Turn& turn) {
    if (turn.is_parallel()) {
        return lanes_of(grid, turn.around(rectangle), turn.sin != 0.0);
    }
    const Turn quarter{0.0, -1.0};
    const Turn further{-turn.sin, turn.cos};
    return lanes_along_x(grid, quarter.around(rectangle), further);
}

}  // namespace plumecast
