#include "reservoir/case_model/topography.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace plumecast {
namespace {

double radians(double degrees) { return degrees * std::numbers::pi / 180.0; }

/// Depth of the top of the layers at a place, without faults [m].
double top_at(const TopographySettings& topography, double x, double y) {
    const double towards = radians(topography.dip_direction);
    double depth = std::tan(radians(topography.dip)) * (x * std::cos(towards) + y * std::sin(towards));
    for (const AnticlineSettings& rise : topography.anticlines) {
        const double axis = radians(rise.direction), dx = x - rise.x, dy = y - rise.y;
        const double along = (dx * std::cos(axis) + dy * std::sin(axis)) / rise.length;
        const double across = (dy * std::cos(axis) - dx * std::sin(axis)) / rise.width;
        depth -= rise.height * std::exp(-along * along - across * across);
    }
    return depth;
}

/// By which the side beyond a fault lies deeper at a place along it [m].
double throw_at(const FaultSettings& fault, double along) {
    if (!fault.ends) {
        return fault.displacement;
    }
    const double half = 0.5 * (fault.ends->high - fault.ends->low);
    const double part = (along - fault.ends->low - half) / half;
    return fault.displacement * std::sqrt(std::max(0.0, 1.0 - part * part));
}

/// Number of the edge nearest to a place, inside of the box.
std::size_t nearest_edge(const std::vector<double>& edges, double place) {
    const auto nearest = std::ranges::min_element(edges.begin() + 1, edges.end() - 1, {},
                                                  [&](double edge) { return std::abs(edge - place); });
    return static_cast<std::size_t>(nearest - edges.begin());
}

}  // namespace

CornerPoints box_corner_points(const BoxSettings& settings, const BoxGrid& grid) {
    const TopographySettings& topography = *settings.topography;
    const std::vector<FaultTrace> traces = fault_traces(settings, grid);
    CornerPoints shape{grid.rows(), grid.lines(), grid.columns(), {}, {}};
    std::vector<double> tops;  // [2Y, 2X]
    for (std::size_t corner_y = 0; corner_y < 2 * grid.lines(); ++corner_y) {
        for (std::size_t corner_x = 0; corner_x < 2 * grid.columns(); ++corner_x) {
            const std::size_t line = corner_y / 2, column = corner_x / 2;
            const double x = grid.x_edges[column + corner_x % 2], y = grid.y_edges[line + corner_y % 2];
            double top = top_at(topography, x, y);
            for (std::size_t i = 0; i < traces.size(); ++i) {
                const bool is_along_y = traces[i].along == FaultAxis::y;
                if ((is_along_y ? column : line) >= traces[i].at) {
                    top += throw_at(topography.faults[i], is_along_y ? y : x);
                }
            }
            tops.push_back(top);
        }
    }
    const auto [highest, lowest] = std::ranges::minmax(tops);
    for (std::size_t row = 0; row < grid.rows(); ++row) {
        for (const double edge : {grid.z_edges[row], grid.z_edges[row + 1]}) {
            std::ranges::transform(tops, std::back_inserter(shape.depths),
                                   [&, least = highest](double top) { return top - least + edge; });
        }
    }
    for (const double y : grid.y_edges) {
        for (const double x : grid.x_edges) {
            shape.pillars.insert(shape.pillars.end(), {x, y, 0.0, x, y, lowest - highest + grid.z_edges.back()});
        }
    }
    return shape;
}

std::vector<FaultTrace> fault_traces(const BoxSettings& settings, const BoxGrid& grid) {
    std::vector<FaultTrace> traces;
    for (const FaultSettings& fault : settings.topography->faults) {
        const bool is_along_y = fault.along == FaultAxis::y;
        const std::vector<double> places = centres_of(is_along_y ? grid.y_edges : grid.x_edges);
        FaultTrace trace{fault.along, nearest_edge(is_along_y ? grid.x_edges : grid.y_edges, fault.at), 0,
                         places.size()};
        if (fault.ends) {
            trace.first = static_cast<std::size_t>(std::ranges::lower_bound(places, fault.ends->low) - places.begin());
            trace.end = static_cast<std::size_t>(std::ranges::upper_bound(places, fault.ends->high) - places.begin());
        }
        traces.push_back(trace);
    }
    return traces;
}

CornerPoints first_rows(const CornerPoints& grid, std::size_t rows) {
    CornerPoints part = grid;
    part.rows = rows;
    part.depths.resize(8 * part.cells());
    return part;
}

}  // namespace plumecast
