#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <plumecast/reservoir/dataset/grid_place.hpp>

#include "reservoir/eclipse/output/pillar_grid.hpp"

namespace plumecast {

/// Cells as eight corners each, for programs that draw unstructured meshes. z points upwards (minus the depth).
struct HexMesh {
    std::vector<double> points;         ///< [P, 3] x, y, z [m]
    std::vector<std::int32_t> corners;  ///< [cells, 8], the lower face first, each face counterclockwise from above

    std::size_t cells() const { return corners.size() / 8; }
};

/// The wanted cells of a grid, in its order; `wanted` [cells] nonzero. Cells that meet at a corner share its point,
/// also where a cylinder closes.
HexMesh hexahedra(const eclipse::PillarGrid& grid, std::span<const std::int32_t> wanted);

/// Moves the points of a mesh to where they lie on the map.
void put_on_map(HexMesh& mesh, const GridPlace& place);

}  // namespace plumecast
