#pragma once

#include <vector>

#include "reservoir/case_model/configuration.hpp"

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

/// Edges of the equal cells of a box.
struct BoxGrid {
    std::vector<double> x_edges;  ///< [X+1] [m]
    std::vector<double> y_edges;  ///< [Y+1] [m]
    std::vector<double> z_edges;  ///< [Z+1] depth below the top [m]

    std::size_t rows() const { return z_edges.size() - 1; }
    std::size_t lines() const { return y_edges.size() - 1; }
    std::size_t columns() const { return x_edges.size() - 1; }
    std::size_t cells() const { return rows() * lines() * columns(); }
};

BoxGrid box_grid(const BoxSettings& settings);

/// The middle between neighbouring edges.
std::vector<double> centres_of(const std::vector<double>& edges);

/// Number of whole rows of a grid of equal rows within a thickness, one at least.
std::size_t whole_rows(const std::vector<double>& z_edges, double thickness);

/// Share of the height of each of the first `rows` rows that lies in the interval of some length from a depth on [m];
/// one that would reach below them is moved up.
std::vector<double> covered_fractions(const std::vector<double>& z_edges, std::size_t rows, double top, double length);

/// Times of the snapshots [day].
std::vector<double> snapshot_times(const TimeSettings& times);

}  // namespace plumecast
