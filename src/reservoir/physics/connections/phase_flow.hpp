#pragma once

#include "reservoir/physics/connections/cell_state.hpp"

namespace plumecast::connections {

/// What crosses a connection per day, from its first cell to its second.
struct PhaseFlow {
    double co2 = 0.0;                   ///< free and dissolved [kg/day]
    double by_from = 0.0, by_to = 0.0;  ///< slopes of it by the masses per pore volume of the two cells [m3/day]
    double brine = 0.0;                 ///< [m3/day]
    bool brine_leaves_from = true;      ///< whether brine comes from the first cell
};

/// Difference of the potentials of the phases, gas less brine, over a connection from a cell that lies `below` metres
/// deeper than the other [bar].
inline double drive_of_gas(const CellState& from, const CellState& to, double below) {
    constexpr double gravity = 9.80665e-5;  // [bar m2/kg]
    const double lighter = 0.5 * (from.weight + to.weight) - 0.5 * (from.gas_density + to.gas_density);
    return from.capillary - to.capillary + lighter * gravity * below;
}

/// phase_flow() between cells without gas: all that flows is brine, from where the flow comes.
inline PhaseFlow brine_flow(const CellState& from, const CellState& to, double volume) {
    PhaseFlow flow;
    flow.brine = volume;
    flow.brine_leaves_from = volume >= 0.0;
    const CellState& brine_cell = flow.brine_leaves_from ? from : to;
    flow.co2 = brine_cell.dissolved * volume;
    (flow.brine_leaves_from ? flow.by_from : flow.by_to) = volume * brine_cell.dissolved_slope;
    return flow;
}

/// Flow of the phases at a given flow of both together, `volume` [m3/day], equation (20) in docs/physics.md: each phase
/// has the mobility of the cell that it comes from. `drive` is the transmissibility times drive_of_gas().
PhaseFlow phase_flow(const CellState& from, const CellState& to, double volume, double drive, double transmissibility);

}  // namespace plumecast::connections
