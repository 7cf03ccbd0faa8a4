#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "reservoir/physics/connections/flow_model.hpp"
#include "reservoir/physics/two_phase/fluid_tables.hpp"

namespace plumecast::connections {

/// What a cell is at its pressure and its mass of CO2, with slopes by the mass per pore volume.
struct CellState {
    double pore_volume = 0.0;    ///< [m3]
    double gas_density = 0.0;    ///< [kg/m3]
    double gas_viscosity = 0.0;  ///< [cP]
    double brine_density = 0.0;  ///< without CO2 [kg/m3]
    double swelling = 0.0;       ///< volume that a mass of CO2 adds to brine [m3/kg]
    double limit = 0.0;          ///< CO2 that a volume of brine dissolves [kg/m3]
    double weight = 0.0;         ///< density of the brine with the CO2 in it, at which the flow was computed [kg/m3]

    double peak = 0.0;  ///< largest saturation that a step ended with; 0 without hysteresis

    double saturation = 0.0;                        ///< of gas
    double dissolved = 0.0, dissolved_slope = 0.0;  ///< CO2 per volume of brine [kg/m3]
    double gas = 0.0, gas_slope = 0.0;              ///< mobility [1/cP]
    double brine = 0.0, brine_slope = 0.0;          ///< mobility [1/cP]
    double capillary = 0.0, capillary_slope = 0.0;  ///< pressure [bar]
};

/// Fluids and rock of the cells of a model, which must outlive this: the tables and saturation functions of the
/// two-phase physics, brine of one compressibility, and pores of another.
class CellProperties {
   public:
    explicit CellProperties(const FlowModel& model);

    /// Sets what depends on the pressure [bar] alone.
    void set_pressure(CellState& state, std::size_t cell, double pressure) const;
    /// Sets the rest, for CO2 per pore volume [kg/m3]; after set_pressure(). Leaves `weight` and `peak` alone.
    void set_mass(CellState& state, std::size_t cell, double mass) const;
    /// Mass of brine without CO2 in a volume of brine [kg/m3].
    double brine_content(const CellState& state) const {
        return state.brine_density * (1.0 - state.dissolved * state.swelling);
    }
    /// Density of brine with the CO2 in it [kg/m3].
    double brine_weight(const CellState& state) const { return brine_content(state) + state.dissolved; }
    /// Volume that masses [kg] of CO2 and of brine take up beyond the pores of a cell [m3].
    double excess_volume(const CellState& state, double brine_mass) const {
        return brine_mass / brine_content(state) - (1.0 - state.saturation) * state.pore_volume;
    }
    /// How fast that falls when the pressure rises, at least half of what brine and pores give [m3/bar].
    double compressibility(const CellState& state, std::size_t cell, double pressure, double co2_mass,
                           double brine_mass) const;

    /// What hysteresis remembers of a cell at the end of a step, equation (19) in docs/physics.md.
    void remember(CellState& state, std::size_t cell) const {
        if (curves_[table_of(cell)].has_hysteresis()) {
            state.peak = std::max(state.peak, state.saturation);
        }
    }
    /// Part of the saturation of a cell that would stay if brine returned; without hysteresis what drainage leaves.
    double trapped(const CellState& state, std::size_t cell) const {
        return curves_[table_of(cell)].trapped({state.saturation, state.peak});
    }

    /// Of gas, which leaves the irreducible water of the cell.
    double largest_saturation(std::size_t cell) const { return largest_saturations_[table_of(cell)]; }

   private:
    template <class Imbibition>
    void add_curves(const std::vector<SaturationRow>& drainage, double critical, const Imbibition& imbibition);
    const two_phase::FluidTable& fluids_of(std::size_t cell) const {
        return fluids_[model_.warmth.empty() ? 0 : model_.warmth[cell]];
    }
    std::size_t table_of(std::size_t cell) const { return model_.table.empty() ? 0 : model_.table[cell]; }

    const FlowModel& model_;
    std::vector<two_phase::FluidTable> fluids_;        // of the temperatures, or one for all cells
    std::vector<two_phase::SaturationCurves> curves_;  // of the saturation tables, or one for all cells
    std::vector<double> largest_saturations_;
};

}  // namespace plumecast::connections
