#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reservoir/mesh/hexahedra.hpp"

/// Files of the Visualization Toolkit, which ParaView reads: XML with raw appended data (VTK file formats,
/// version 1.0).
namespace plumecast {

/// One value per cell of a mesh.
struct CellArray {
    std::string name;
    std::span<const float> values;
};

/// An unstructured grid (.vtu) of hexahedra. `time` [day] is kept as the field TimeValue. Throws IoError, as all below.
void write_vtu(const std::filesystem::path& path, const HexMesh& mesh, double time, std::span<const CellArray> arrays);

/// A rectilinear grid (.vtr) in the plane y = 0: cells between `x` [nx + 1] and `z` [nz + 1], both growing, x fastest.
/// Cells with `hidden` nonzero are not drawn.
void write_vtr(const std::filesystem::path& path, std::span<const double> x, std::span<const double> z, double time,
               std::span<const CellArray> arrays, std::span<const std::uint8_t> hidden);

/// A series in time (.pvd): file names relative to it, with their times [day].
void write_pvd(const std::filesystem::path& path, std::span<const std::pair<double, std::string>> steps);

}  // namespace plumecast
