#include "reservoir/mesh/hexahedra.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <unordered_map>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

/// Number of the first pillar with the same line, for each pillar.
std::vector<std::uint64_t> distinct_pillars(const eclipse::PillarGrid& grid) {
    std::map<std::array<float, 6>, std::uint64_t> first;
    std::vector<std::uint64_t> numbers;
    for (std::size_t at = 0; at + 6 <= grid.coord.size(); at += 6) {
        std::array<float, 6> line{};
        std::copy_n(grid.coord.begin() + static_cast<std::ptrdiff_t>(at), 6, line.begin());
        numbers.push_back(first.emplace(line, at / 6).first->second);
    }
    return numbers;
}

}  // namespace

HexMesh hexahedra(const eclipse::PillarGrid& grid, std::span<const std::int32_t> wanted) {
    expects(wanted.size() == grid.cells(), "one choice per cell");
    // Corners of a cell as the drawing programs count them: lower face (k + 1) first, around.
    static constexpr std::array<std::size_t, 8> order = {4, 5, 7, 6, 0, 1, 3, 2};
    const std::vector<std::uint64_t> pillars = distinct_pillars(grid);
    std::unordered_map<std::uint64_t, std::int32_t> numbers;  // of the point at a depth of a pillar
    HexMesh mesh;
    for (std::size_t cell = 0; cell < grid.cells(); ++cell) {
        if (wanted[cell] == 0) {
            continue;
        }
        const std::size_t i = cell % grid.nx;
        const std::size_t j = cell / grid.nx % grid.ny;
        const std::size_t k = cell / (grid.nx * grid.ny);
        const auto corners = cell_corners(grid, i, j, k);
        for (const std::size_t corner : order) {
            const std::size_t pillar = (j + (corner >> 1U & 1U)) * (grid.nx + 1) + i + (corner & 1U);
            const auto depth = static_cast<float>(corners[corner].z);
            const std::uint64_t key = pillars[pillar] << 32U | std::bit_cast<std::uint32_t>(depth);
            const auto [entry, is_new] = numbers.emplace(key, static_cast<std::int32_t>(mesh.points.size() / 3));
            if (is_new) {
                mesh.points.push_back(corners[corner].x);
                mesh.points.push_back(corners[corner].y);
                mesh.points.push_back(-static_cast<double>(depth));
            }
            mesh.corners.push_back(entry->second);
        }
    }
    return mesh;
}

void put_on_map(HexMesh& mesh, const GridPlace& place) {
    for (std::size_t at = 0; at < mesh.points.size(); at += 3) {
        const auto [x, y] = place.on_map(mesh.points[at], mesh.points[at + 1]);
        mesh.points[at] = x;
        mesh.points[at + 1] = y;
    }
}

}  // namespace plumecast
