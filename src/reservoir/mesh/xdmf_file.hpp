#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reservoir/mesh/hexahedra.hpp"

namespace plumecast {

/// What an XDMF file says about a data set file that stays as it is.
struct XdmfSeries {
    std::filesystem::path fields;  ///< the data set file
    std::filesystem::path mesh;    ///< the file that write_mesh() made
    std::size_t points = 0;
    std::size_t cells = 0;
    std::size_t which = 0;            ///< the case
    std::vector<double> times;        ///< [day]
    std::vector<std::string> arrays;  ///< names of maps and outputs of the file
};

/// Writes points, corners and bulk volumes [m3] of a mesh as HDF5. Throws IoError.
void write_mesh(const std::filesystem::path& path, const HexMesh& mesh, const std::vector<float>& volumes);

/// Writes an XDMF file (version 2) of one case: a series in time whose values are slabs of the data set file. Files are
/// named relative to the XDMF file. Throws IoError, InvalidData for an array that the file lacks.
void write_xdmf(const std::filesystem::path& path, const XdmfSeries& series);

}  // namespace plumecast
