#include <plumecast/physics/brine.hpp>
#include <plumecast/physics/cylinder.hpp>
#include <plumecast/physics/saturation_functions.hpp>

#include "physics/two_phase/simulation.hpp"

namespace plumecast::two_phase {
namespace {

std::size_t rows_in_use(const RadialCase& radial) {
    std::size_t rows = 0;
    for (std::size_t cell = 0; cell < radial.cells(); ++cell) {
        if (radial.active[cell] != 0) {
            rows = cell / radial.columns() + 1;
        }
    }
    return rows;
}

}  // namespace

Reservoir::Reservoir(const RadialCase& radial_case, double brine_density)
    : columns(radial_case.columns()),
      rows(rows_in_use(radial_case)),
      rock_compressibility(radial_case.rock_fluid.rock_compressibility) {
    const RadialCase& from = radial_case;
    for (auto* part : {&radial, &vertical, &capillary}) {
        part->assign(cells(), 0.0);
    }
    pore_volume.assign(cells(), 1.0);
    well.assign(rows, 0.0);
    active.assign(cells(), false);
    const auto ring = [&](std::size_t c) { return cylinder::Ring{from.r_edges[c], from.r_edges[c + 1]}; };
    const auto height = [&](std::size_t row) { return from.z_edges[row + 1] - from.z_edges[row]; };
    const auto is_active = [&](std::size_t row, std::size_t c) { return from.active[row * columns + c] != 0; };
    double weighted_depth = 0.0, weights = 0.0;
    for (std::size_t row = 0; row < rows; ++row) {
        depth.push_back(0.5 * (from.z_edges[row] + from.z_edges[row + 1]));
        initial_pressure.push_back(from.initial_pressure + brine_density * 9.80665e-5 * depth[row]);
        for (std::size_t c = 0; c < columns; ++c) {
            if (!is_active(row, c)) {
                continue;
            }
            const std::size_t cell = c * rows + row, at = row * columns + c;
            active[cell] = true;
            pore_volume[cell] = from.porosity[at] * ring(c).area() * height(row);
            capillary[cell] = leverett_factor(from.permeability_r[at], from.porosity[at]);
            if (c + 1 < columns && is_active(row, c + 1)) {
                radial[cell] = cylinder::radial_transmissibility(ring(c), from.permeability_r[at], ring(c + 1),
                                                                 from.permeability_r[at + 1], height(row));
            }
            if (row + 1 < rows && is_active(row + 1, c)) {
                vertical[cell] =
                    cylinder::vertical_transmissibility(ring(c), height(row), from.permeability_z[at], height(row + 1),
                                                        from.permeability_z[at + columns]);
            }
        }
        if (active[row]) {
            const std::size_t at = row * columns;
            well[row] = from.perforation[at] *
                        cylinder::well_connection_factor(ring(0), from.permeability_r[at], height(row));
            weighted_depth += well[row] * depth[row];
            weights += well[row];
        }
    }
    well_depth = weighted_depth / weights;
}

}  // namespace plumecast::two_phase
