#include "reservoir/physics/radial_connections.hpp"

#include "reservoir/physics/cylinder.hpp"

namespace plumecast {

RadialConnections::RadialConnections(const RadialCase& radial_case)
    : radial(radial_case.rows() * (radial_case.columns() - 1)),
      vertical((radial_case.rows() - 1) * radial_case.columns()),
      well(radial_case.rows()),
      pore_volume(radial_case.cells()) {
    const std::size_t rows = radial_case.rows();
    const std::size_t columns = radial_case.columns();
    const auto& r = radial_case.r_edges;
    const auto& z = radial_case.z_edges;
    const auto& active = radial_case.active;
    for (std::size_t row = 0; row < rows; ++row) {
        const double dz = z[row + 1] - z[row];
        for (std::size_t column = 0; column < columns; ++column) {
            const std::size_t cell = row * columns + column;
            if (active[cell] == 0) {
                continue;
            }
            const cylinder::Ring ring{r[column], r[column + 1]};
            pore_volume[cell] = radial_case.porosity[cell] * ring.area() * dz;
            if (column == 0) {
                well[row] = radial_case.perforation[cell] *
                            cylinder::well_connection_factor(ring, radial_case.permeability_r[cell], dz);
            }
            if (column + 1 < columns && active[cell + 1] != 0) {
                radial[row * (columns - 1) + column] = cylinder::radial_transmissibility(
                    ring, radial_case.permeability_r[cell], {r[column + 1], r[column + 2]},
                    radial_case.permeability_r[cell + 1], dz);
            }
            if (row + 1 < rows && active[cell + columns] != 0) {
                vertical[cell] = cylinder::vertical_transmissibility(ring, dz, radial_case.permeability_z[cell],
                                                                     z[row + 2] - z[row + 1],
                                                                     radial_case.permeability_z[cell + columns]);
            }
        }
    }
}

double perforation_depth(const RadialCase& radial_case) {
    double height = 0.0;
    double moment = 0.0;
    for (std::size_t row = 0; row < radial_case.rows(); ++row) {
        const std::size_t cell = row * radial_case.columns();
        if (radial_case.active[cell] != 0) {
            const double open =
                radial_case.perforation[cell] * (radial_case.z_edges[row + 1] - radial_case.z_edges[row]);
            height += open;
            moment += open * 0.5 * (radial_case.z_edges[row + 1] + radial_case.z_edges[row]);
        }
    }
    return moment / height;
}

std::size_t active_rows(const RadialCase& radial_case) {
    for (std::size_t cell = radial_case.cells(); cell > 0; --cell) {
        if (radial_case.active[cell - 1] != 0) {
            return (cell - 1) / radial_case.columns() + 1;
        }
    }
    return 0;
}

}  // namespace plumecast
