
#include <limits>

#include "core/units.hpp"
#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/radial_connections.hpp"
#include "reservoir/physics/saturation_functions.hpp"
#include "reservoir/physics/temperature_profile.hpp"
#include "reservoir/physics/two_phase/simulation.hpp"

namespace plumecast::two_phase {

Reservoir::Reservoir(const RadialCase& from)
    : columns(from.columns()), rows(active_rows(from)), rock_compressibility(from.rock_fluid.rock_compressibility) {
    const TemperatureProfile temperatures = from.temperatures();
    const auto initial_brine = [&](double temperature) {
        return brine_density(from.initial_pressure, temperature, from.salinity);
    };
    initial_density = initial_brine(temperatures.initial_brine(0.0));
    const RadialConnections connections(from);
    for (auto* part : {&radial, &vertical, &capillary}) {
        part->assign(cells(), 0.0);
    }
    pore_volume.assign(cells(), 1.0);
    active.assign(cells(), false);
    double weighted_depth = 0.0, weights = 0.0;
    for (std::size_t row = 0; row < rows; ++row) {
        depth.push_back(0.5 * (from.z_edges[row] + from.z_edges[row + 1]));
        const double mean_density = initial_brine(temperatures.initial_brine_above(depth[row]));
        initial_pressure.push_back(from.initial_pressure + mean_density * gravity * depth[row]);
        added_pressure.push_back((mean_density - initial_density) * gravity * depth[row]);
        well.push_back(connections.well[row]);
        weighted_depth += well[row] * depth[row];
        weights += well[row];
        for (std::size_t column = 0; column < columns; ++column) {
            const std::size_t cell = column * rows + row, at = row * columns + column;
            if (from.active[at] == 0) {
                continue;
            }
            active[cell] = true;
            pore_volume[cell] = connections.pore_volume[at];
            capillary[cell] = leverett_factor(from.permeability_r[at], from.porosity[at]);
            radial[cell] = column + 1 < columns ? connections.radial[row * (columns - 1) + column] : 0.0;
            vertical[cell] = row + 1 < rows ? connections.vertical[at] : 0.0;
        }
    }
    for (std::size_t row = 0; row + 1 < rows; ++row) {
        head.push_back(gravity * (depth[row + 1] - depth[row]));
        face_density.push_back(0.5 * (initial_brine(temperatures.initial_brine(depth[row])) +
                                      initial_brine(temperatures.initial_brine(depth[row + 1]))));
    }
    well_depth = weighted_depth / weights;
    while (well[highest] == 0.0) {
        ++highest;
    }
    dissolution_rate = from.dissolution_rate_limit / days_per_year;
    limit = from.has_pressure_limit() ? from.bottom_hole_pressure_limit - initial_pressure[highest]
                                      : std::numeric_limits<double>::infinity();
}

}  // namespace plumecast::two_phase
