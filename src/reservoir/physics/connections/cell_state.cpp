#include "reservoir/physics/connections/cell_state.hpp"

#include <algorithm>

#include "reservoir/physics/saturation_functions.hpp"

namespace plumecast::connections {

CellProperties::CellProperties(const FlowModel& model) : model_(model) {
    for (const double temperature : model.temperatures.empty() ? std::vector{model.temperature} : model.temperatures) {
        fluids_.emplace_back(temperature, model.salinity, model.reference_pressure);
    }
    if (model.saturation_tables.empty()) {
        const double critical = model.rock_fluid.residual_gas_saturation;
        const double water = model.irreducible_water_saturation, lambda = model.van_genuchten_lambda;
        add_curves(saturation_table(water, lambda, critical, model.rock_fluid.entry_pressure), critical,
                   [&](const LandTrapping&) {
                       return imbibition_table(water, lambda, model.residual_gas_saturation, critical);
                   });
    }
    for (const std::vector<SaturationRow>& table : model.saturation_tables) {
        add_curves(table, critical_gas_saturation(table),
                   [&](const LandTrapping& land) { return imbibition_table(table, land); });
    }
}

/// `imbibition` makes the table of brine that returns, where it traps more than drainage leaves.
template <class Imbibition>
void CellProperties::add_curves(const std::vector<SaturationRow>& drainage, double critical,
                                const Imbibition& imbibition) {
    const double largest = drainage.back().gas_saturation;
    const LandTrapping land(critical, model_.residual_gas_saturation, largest);
    curves_.emplace_back(drainage, land, land.is_active() ? imbibition(land) : std::vector<SaturationRow>());
    largest_saturations_.push_back(largest);
}

void CellProperties::set_pressure(CellState& state, std::size_t cell, double pressure) const {
    const two_phase::FluidTable& fluids = fluids_of(cell);
    const two_phase::Co2State co2 = fluids.at(pressure);
    const double above = pressure - model_.reference_pressure;
    const double strain = model_.rock_fluid.rock_compressibility * above;
    state.pore_volume = model_.pore_volume[cell] * (1.0 + strain + 0.5 * strain * strain);
    state.gas_density = co2.density;
    state.gas_viscosity = co2.viscosity;
    state.brine_density = fluids.brine_density * (1.0 + fluids.brine_compressibility * above);
    state.swelling = 1.0 / fluids.dissolved_density;
    state.limit = co2.dissolved_limit;
}

// Equation (9) in docs/physics.md.
void CellProperties::set_mass(CellState& state, std::size_t cell, double mass) const {
    const bool is_set = state.brine > 0.0 && state.dissolved == 0.0 && state.saturation == 0.0;
    if (mass <= 0.0 && is_set) {
        return;  // without CO2 as before: nothing of this depends on the pressure
    }
    const bool has_gas = mass > state.limit;
    const double by_mass = has_gas ? 1.0 / (state.gas_density - state.limit) : 0.0;
    state.saturation = has_gas ? (mass - state.limit) * by_mass : 0.0;
    state.dissolved = has_gas ? state.limit : std::max(mass, 0.0);
    state.dissolved_slope = has_gas ? 0.0 : 1.0;
    const two_phase::FlowState flow = curves_[table_of(cell)].at({state.saturation, state.peak});
    state.gas = flow.gas / state.gas_viscosity;
    state.gas_slope = flow.gas_slope / state.gas_viscosity * by_mass;
    const double brine_viscosity = fluids_of(cell).brine_viscosity;
    state.brine = flow.brine / brine_viscosity;
    state.brine_slope = flow.brine_slope / brine_viscosity * by_mass;
    state.capillary = model_.capillary[cell] * flow.capillary;
    state.capillary_slope = model_.capillary[cell] * flow.capillary_slope * by_mass;
}

double CellProperties::compressibility(const CellState& state, std::size_t cell, double pressure, double co2_mass,
                                       double brine_mass) const {
    constexpr double step = 0.5;  // [bar]
    const double least =
        state.pore_volume * (model_.rock_fluid.rock_compressibility + fluids_of(cell).brine_compressibility);
    if (co2_mass <= 0.0) {
        return least;
    }
    CellState other;
    set_pressure(other, cell, pressure + step);
    const double mass = co2_mass / other.pore_volume;
    other.saturation = mass > other.limit ? (mass - other.limit) / (other.gas_density - other.limit) : 0.0;
    other.dissolved = std::min(mass, other.limit);
    const double slope = (excess_volume(state, brine_mass) - excess_volume(other, brine_mass)) / step;
    return std::max(slope, 0.5 * least);
}

}  // namespace plumecast::connections
