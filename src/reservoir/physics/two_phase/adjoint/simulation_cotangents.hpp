#pragma once

#include <vector>

#include <plumecast/reservoir/physics/radial_case_gradient.hpp>

#include "reservoir/physics/two_phase/simulation.hpp"

namespace plumecast::two_phase {

/// How the slope of the density of CO2, by which gas expands, changes with pressure: it is constant between two rows of
/// the table and jumps at them. `smooth` has the mean of those jumps over the pressure between rows, as a change of
/// inputs that takes cells across rows feels it; `piecewise` none, as one does that takes no cell across a row.
enum class TableSlopes { smooth, piecewise };

/// Cotangents of the members and the rows of a FluidTable.
struct FluidCotangents {
    double brine_density = 0.0, brine_viscosity = 0.0, brine_compressibility = 0.0, dissolved_density = 0.0;
    std::vector<FluidTable::Row> rows;
};

/// Cotangents of the constants of a simulation (the derivatives of a sum by them), added up over steps and stages.
struct SimulationCotangents {
    explicit SimulationCotangents(const Simulation& simulation)
        : radial(simulation.reservoir().cells()),
          vertical(radial.size()),
          pore_volume(radial.size()),
          capillary(radial.size()),
          well(simulation.reservoir().rows),
          initial_pressure(well.size()),
          face_density(simulation.reservoir().face_density.size()),
          added_pressure(well.size()),
          fluids(simulation.fluids().tables().size()),
          curves(simulation.curves().rows().size()),
          shape(simulation.curves().shape().size()) {
        for (FluidCotangents& table : fluids) {
            table.rows.resize(simulation.fluids().tables().front().rows().size());
        }
    }

    /// Of the members of Reservoir.
    std::vector<double> radial, vertical, pore_volume, capillary, well, initial_pressure, face_density, added_pressure;
    double well_depth = 0.0, initial_density = 0.0, limit = 0.0, dissolution_rate = 0.0;
    std::vector<FluidCotangents> fluids;  ///< of the tables of RowFluids
    /// Of the rows of SaturationCurves, of the shape of imbibition and of Land's constant.
    std::vector<SaturationCurves::Row> curves;
    std::vector<double> shape;
    double land = 0.0;
    double mass_rate = 0.0;  ///< of Simulation
};

/// Adds what these leave for the inputs of the case to `gradient`, but for `mass_rate`.
void add_input_cotangents(const RadialCase& radial, const Simulation& simulation, const SimulationCotangents& by,
                          RadialCaseGradient& gradient);

}  // namespace plumecast::two_phase
