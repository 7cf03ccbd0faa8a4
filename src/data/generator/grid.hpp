#pragma once

#include <vector>

#include <plumecast/data/generator/configuration.hpp>

namespace plumecast {

/// Edges of the cells of a radial grid; the same for the lattice of the geology and for the simulation.
struct RadialGrid {
    std::vector<double> r_edges;  ///< [R+1] [m]
    std::vector<double> z_edges;  ///< [Z+1] depth below the top [m]

    std::size_t rows() const { return z_edges.size() - 1; }
    std::size_t columns() const { return r_edges.size() - 1; }
};

/// `rows` equal rows and `columns` columns of the lattice's extent: edge j of R lies where a lattice edge of number
/// j * lattice.columns / R would, on the continuous map r(i) = well radius + first width (g^i - 1) / (g - 1).
RadialGrid radial_grid(const LatticeSettings& lattice, int rows, int columns);

/// Times of the snapshots [day].
std::vector<double> snapshot_times(const TimeSettings& times);

}  // namespace plumecast
