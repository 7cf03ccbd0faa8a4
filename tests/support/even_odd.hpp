#pragma once

#include <cstddef>
#include <set>

#include <plumecast/reservoir/metrics/plume.hpp>

namespace plumecast::testing {

/// Whether a point of the map lies in an area, by the rings of each part that a ray to its right crosses.
inline bool is_inside(const MapPolygon& polygon, double x, double y) {
    std::set<std::size_t> inside;
    for (std::size_t of = 0; of < polygon.rings.size(); ++of) {
        const auto& ring = polygon.rings[of];
        for (std::size_t i = 0, before = ring.size() - 1; i < ring.size(); before = i++) {
            const auto& [x1, y1] = ring[before];
            const auto& [x2, y2] = ring[i];
            if ((y1 > y) != (y2 > y) && x < x1 + (y - y1) / (y2 - y1) * (x2 - x1) &&
                !inside.insert(polygon.part_of(of)).second) {
                inside.erase(polygon.part_of(of));
            }
        }
    }
    return !inside.empty();
}

}  // namespace plumecast::testing
