#include "reservoir/metrics/polygon_share.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace plumecast {
namespace {

/// A line of the polygon that rises from `low` to `high` in coordinates in which the parallelogram is the square from 0
/// to 1.
struct RisingLine {
    std::array<double, 2> low, high;
    std::size_t part = 0;  ///< of the area, which it bounds

    double u_at(double v) const { return low[0] + (v - low[1]) / (high[1] - low[1]) * (high[0] - low[0]); }
    /// Where it is at some u, if it is.
    std::optional<double> v_at(double u) const {
        if ((low[0] < u) == (high[0] < u)) {
            return std::nullopt;
        }
        return low[1] + (u - low[0]) / (high[0] - low[0]) * (high[1] - low[1]);
    }
    bool is_left() const { return low[0] <= 0.0 && high[0] <= 0.0; }
};

/// What bounds the area within the square or left of it.
struct Boundary {
    std::vector<RisingLine> lines;  ///< from the lowest beginning on
    std::vector<double> levels;     ///< heights of level lines, which do not rise
};

Boundary boundary_beside(const Parallelogram& column, const MapPolygon& polygon) {
    const auto& [corner, a, b] = column;
    const double area = a[0] * b[1] - a[1] * b[0];
    Boundary boundary;
    for (std::size_t of = 0; of < polygon.rings.size(); ++of) {
        const auto& ring = polygon.rings[of];
        std::vector<std::array<double, 2>> points;
        for (const auto& point : ring) {
            const double x = point[0] - corner[0], y = point[1] - corner[1];
            points.push_back({(x * b[1] - y * b[0]) / area, (a[0] * y - a[1] * x) / area});
        }
        for (std::size_t i = 0; i < points.size(); ++i) {
            RisingLine line{points[i], points[(i + 1) % points.size()], polygon.part_of(of)};
            if (line.low[1] > line.high[1]) {
                std::swap(line.low, line.high);
            }
            const bool passes = line.high[1] > 0.0 && line.low[1] < 1.0;
            if (!passes || std::min(line.low[0], line.high[0]) >= 1.0) {
                continue;
            }
            if (line.low[1] < line.high[1]) {
                boundary.lines.push_back(line);
            } else {
                boundary.levels.push_back(line.low[1]);
            }
        }
    }
    std::ranges::sort(boundary.lines, {}, [](const RisingLine& line) { return line.low[1]; });
    return boundary;
}

/// Where two lines cross, if they do.
std::optional<double> crossing(const RisingLine& one, const RisingLine& other) {
    const double from = std::max(one.low[1], other.low[1]), to = std::min(one.high[1], other.high[1]);
    if (!(from < to)) {
        return std::nullopt;
    }
    const double before = one.u_at(from) - other.u_at(from), behind = one.u_at(to) - other.u_at(to);
    if ((before < 0.0) == (behind < 0.0)) {
        return std::nullopt;
    }
    return from + before / (before - behind) * (to - from);
}

/// Heights between which no line begins, ends, enters or leaves the square or crosses another one.
std::vector<double> heights(const Boundary& boundary) {
    const std::vector<RisingLine>& lines = boundary.lines;
    std::vector<double> all = {0.0, 1.0};
    const auto add = [&](std::optional<double> v) {
        if (v && *v > 0.0 && *v < 1.0) {
            all.push_back(*v);
        }
    };
    for (const double level : boundary.levels) {
        add(level);
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].is_left()) {  // another one begins where it ends, or a level line does
            continue;
        }
        add(lines[i].low[1]);
        add(lines[i].high[1]);
        add(lines[i].v_at(0.0));
        add(lines[i].v_at(1.0));
        for (std::size_t j = i + 1; j < lines.size() && lines[j].low[1] < lines[i].high[1]; ++j) {
            if (!lines[j].is_left()) {
                add(crossing(lines[i], lines[j]));
            }
        }
    }
    std::ranges::sort(all);
    return all;
}

/// How much of the square is inside at a height: of any part of the area of which an odd number of lines lies to the
/// left.
double width_inside(const std::vector<RisingLine>& passing, double v) {
    std::vector<std::pair<double, std::size_t>> places;  // with the part
    for (const RisingLine& line : passing) {
        places.emplace_back(std::clamp(line.u_at(v), 0.0, 1.0), line.part);
    }
    std::ranges::sort(places);
    std::set<std::size_t> inside;  // the parts that a point is within
    double width = 0.0, before = 0.0;
    for (const auto& [place, part] : places) {
        width += inside.empty() ? 0.0 : place - before;
        before = place;
        if (!inside.insert(part).second) {
            inside.erase(part);
        }
    }
    return width + (inside.empty() ? 0.0 : 1.0 - before);  // the next line is beyond the square
}

}  // namespace

double share_within(const Parallelogram& column, const MapPolygon& polygon) {
    const Boundary boundary = boundary_beside(column, polygon);
    const std::vector<RisingLine>& lines = boundary.lines;
    const std::vector<double> all = heights(boundary);
    std::vector<RisingLine> passing;
    auto next = lines.begin();
    double share = 0.0;
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
        const double middle = 0.5 * (all[i] + all[i + 1]);
        for (; next != lines.end() && next->low[1] <= middle; ++next) {
            passing.push_back(*next);
        }
        std::erase_if(passing, [middle](const RisingLine& line) { return line.high[1] <= middle; });
        share +=
            width_inside(passing, middle) * (all[i + 1] - all[i]);  // lines are straight, so that widths are linear
    }
    return std::clamp(share, 0.0, 1.0);
}

}  // namespace plumecast
