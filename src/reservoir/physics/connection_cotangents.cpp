#include "reservoir/physics/connection_cotangents.hpp"

#include <cstddef>
#include <numbers>

#include "reservoir/physics/cylinder.hpp"

namespace plumecast {
namespace {

/// A case with the places of its cells.
struct Rings {
    const RadialCase& radial;

    cylinder::Ring ring(std::size_t column) const { return {radial.r_edges[column], radial.r_edges[column + 1]}; }
    double height(std::size_t row) const { return radial.z_edges[row + 1] - radial.z_edges[row]; }
};

/// Equation (1): T = 2 pi C dz / (d / k + d' / k'), so dT = T^2 / (2 pi C dz) (d / k^2 dk + d' / k'^2 dk').
void add_radial(const RadialCase& radial, const RadialConnections& connections, const RadialConnections& cotangents,
                RadialCaseGradient& gradient) {
    const Rings rings{radial};
    const std::size_t columns = radial.columns();
    for (std::size_t row = 0; row < radial.rows(); ++row) {
        for (std::size_t column = 0; column + 1 < columns; ++column) {
            const std::size_t cell = row * columns + column;
            const double t = connections.radial[row * (columns - 1) + column];
            if (t > 0.0) {
                const double factor = cotangents.radial[row * (columns - 1) + column] * t * t /
                                      (2.0 * std::numbers::pi * cylinder::darcy * rings.height(row));
                const double k = radial.permeability_r[cell], next = radial.permeability_r[cell + 1];
                gradient.permeability_r[cell] += factor * rings.ring(column).outer_distance() / (k * k);
                gradient.permeability_r[cell + 1] += factor * rings.ring(column + 1).inner_distance() / (next * next);
            }
        }
    }
}

/// Equation (2): T = C A / (dz / (2 k) + dz' / (2 k')), so dT = T^2 / (C A) (dz / (2 k^2) dk + dz' / (2 k'^2) dk').
void add_vertical(const RadialCase& radial, const RadialConnections& connections, const RadialConnections& cotangents,
                  RadialCaseGradient& gradient) {
    const Rings rings{radial};
    const std::size_t columns = radial.columns();
    for (std::size_t cell = 0; cell + columns < radial.cells(); ++cell) {
        const double t = connections.vertical[cell];
        if (t > 0.0) {
            const double factor =
                0.5 * cotangents.vertical[cell] * t * t / (cylinder::darcy * rings.ring(cell % columns).area());
            const double k = radial.permeability_z[cell], below = radial.permeability_z[cell + columns];
            gradient.permeability_z[cell] += factor * rings.height(cell / columns) / (k * k);
            gradient.permeability_z[cell + columns] += factor * rings.height(cell / columns + 1) / (below * below);
        }
    }
}

}  // namespace

void add_connection_cotangents(const RadialCase& radial, const RadialConnections& connections,
                               const RadialConnections& cotangents, RadialCaseGradient& gradient) {
    add_radial(radial, connections, cotangents, gradient);
    add_vertical(radial, connections, cotangents, gradient);
    const Rings rings{radial};
    const std::size_t columns = radial.columns();
    for (std::size_t cell = 0; cell < radial.cells(); ++cell) {
        if (radial.active[cell] != 0) {
            const double volume = rings.ring(cell % columns).area() * rings.height(cell / columns);
            gradient.porosity[cell] += cotangents.pore_volume[cell] * volume;
        }
    }
    for (std::size_t row = 0; row < radial.rows(); ++row) {
        const std::size_t cell = row * columns;
        if (radial.active[cell] != 0) {
            const double k = radial.permeability_r[cell];
            gradient.permeability_r[cell] += cotangents.well[row] * connections.well[row] / k;
            gradient.perforation[cell] +=
                cotangents.well[row] * cylinder::well_connection_factor(rings.ring(0), k, rings.height(row));
        }
    }
}

void add_depth_cotangent(const RadialCase& radial, double cotangent, RadialCaseGradient& gradient) {
    const Rings rings{radial};
    const double depth = perforation_depth(radial);
    double height = 0.0;
    for (std::size_t row = 0; row < radial.rows(); ++row) {
        const std::size_t cell = row * radial.columns();
        height += radial.active[cell] != 0 ? radial.perforation[cell] * rings.height(row) : 0.0;
    }
    for (std::size_t row = 0; row < radial.rows(); ++row) {
        const std::size_t cell = row * radial.columns();
        if (radial.active[cell] != 0) {
            const double middle = 0.5 * (radial.z_edges[row] + radial.z_edges[row + 1]);
            gradient.perforation[cell] += cotangent * (middle - depth) * rings.height(row) / height;
        }
    }
}

}  // namespace plumecast
