#pragma once

#include <vector>

#include "reservoir/physics/two_phase/simulation.hpp"

namespace plumecast::two_phase {

/// How the slope of the density of CO2, by which gas expands, changes with pressure: it is constant between two rows of
/// the table and jumps at them. `smooth` has the mean of those jumps over the pressure between rows, as a change of
/// inputs that takes cells across rows feels it; `piecewise` none, as one does that takes no cell across a row.
enum class TableSlopes { smooth, piecewise };

/// Cotangents of the constants of a simulation (the derivatives of a sum by them), added up over steps and stages.
struct SimulationCotangents {
    explicit SimulationCotangents(const Simulation& simulation, TableSlopes table_slopes = TableSlopes::smooth);

    /// Of the members of Reservoir.
    std::vector<double> radial, vertical, pore_volume, capillary;  // per cell
    std::vector<double> well, initial_pressure;                    // per row
    double well_depth = 0.0, initial_density = 0.0, limit = 0.0;
    /// Of the members and the rows of FluidTable.
    double brine_density = 0.0, brine_viscosity = 0.0, brine_compressibility = 0.0, dissolved_density = 0.0;
    std::vector<FluidTable::Row> fluids;
    /// Of the rows of SaturationCurves.
    std::vector<SaturationCurves::Row> curves;
    /// Of the shape of the imbibition curve and of Land's constant.
    std::vector<double> shape;
    double land = 0.0;
    double largest_saturation = 0.0;
    double mass_rate = 0.0;         ///< asked for [kg/day]
    double dissolution_rate = 0.0;  ///< at most [kg/m3 of brine per day]
    TableSlopes slopes;             ///< of `fluids`
};

/// Adjoint of the lookup of CO2 at a pressure [bar]: adds the cotangents of the rows of the table to `by`; returns that
/// of the pressure.
double add_co2_cotangents(const FluidTable& fluids, double pressure, const Co2State& cotangents,
                          SimulationCotangents& by);

/// Cotangents of the mobilities and of capillary pressure of a cell.
struct MobilityCotangents {
    double gas_mobility = 0.0, brine_mobility = 0.0, capillary = 0.0;
};
/// Adjoint of the mobilities and the capillary pressure of a cell: adds the cotangents of curves, factors and
/// viscosities to `by` and `by_viscosity`; returns those of the saturations.
GasSaturation add_mobility_cotangents(const Simulation& simulation, std::size_t cell, const GasSaturation& gas,
                                      double viscosity, const MobilityCotangents& cotangents, double& by_viscosity,
                                      SimulationCotangents& by);

}  // namespace plumecast::two_phase
