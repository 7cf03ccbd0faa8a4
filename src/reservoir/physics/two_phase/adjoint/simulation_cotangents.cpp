#include "reservoir/physics/two_phase/adjoint/simulation_cotangents.hpp"

namespace plumecast::two_phase {

SimulationCotangents::SimulationCotangents(const Simulation& simulation, TableSlopes table_slopes)
    : fluids(simulation.fluids().rows().size()),
      curves(simulation.curves().rows().size()),
      shape(simulation.curves().shape().size()),
      slopes(table_slopes) {
    for (auto* part : {&radial, &vertical, &pore_volume, &capillary}) {
        part->resize(simulation.reservoir().cells());
    }
    well.resize(simulation.reservoir().rows);
    initial_pressure.resize(simulation.reservoir().rows);
}

double add_co2_cotangents(const FluidTable& fluids, double pressure, const Co2State& cotangents,
                          SimulationCotangents& by) {
    const auto [below, part] = FluidTable::place(pressure);
    const double by_slope = cotangents.density_slope / FluidTable::pressure_step;
    const FluidTable::Row& low = fluids.rows()[below];
    const FluidTable::Row& high = fluids.rows()[below + 1];
    by.fluids[below].density += cotangents.density * (1.0 - part) - by_slope;
    by.fluids[below + 1].density += cotangents.density * part + by_slope;
    by.fluids[below].viscosity += cotangents.viscosity * (1.0 - part);
    by.fluids[below + 1].viscosity += cotangents.viscosity * part;
    by.fluids[below].limit += cotangents.dissolved_limit * (1.0 - part);
    by.fluids[below + 1].limit += cotangents.dissolved_limit * part;
    const double by_part = cotangents.density * (high.density - low.density) +
                           cotangents.viscosity * (high.viscosity - low.viscosity) +
                           cotangents.dissolved_limit * (high.limit - low.limit);
    if (part <= 0.0 || part >= 1.0) {
        return 0.0;
    }
    const double curvature = by.slopes == TableSlopes::smooth ? fluids.density_curvature(below) : 0.0;
    return by_part / FluidTable::pressure_step + cotangents.density_slope * curvature;
}

namespace {

/// Adjoint of the relative permeability of gas.
GasSaturation add_gas_cotangent(const SaturationCurves& curves, const GasSaturation& gas, double by_permeability,
                                SimulationCotangents& by) {
    const auto add_drained = [&](double saturation, double cotangent) {
        const auto [below, part] = SaturationCurves::place(saturation);
        by.curves[below].gas += cotangent * (1.0 - part);
        by.curves[below + 1].gas += cotangent * part;
    };
    if (!curves.has_hysteresis() || !curves.is_scanning(gas)) {
        add_drained(gas.now, by_permeability);
        return {by_permeability * curves.at(gas.now).gas_slope, 0.0};
    }
    const ScanningPoint point = curves.scan(gas);
    add_drained(gas.peak, by_permeability * point.shape);
    if (point.along <= 0.0) {
        return {};
    }
    const auto [below, part] = SaturationCurves::place(point.along);
    by.shape[below] += by_permeability * point.drained * (1.0 - part);
    by.shape[below + 1] += by_permeability * point.drained * part;
    by.land += by_permeability * point.by_trapped() * curves.land().slope_by_constant(gas.peak);
    return {by_permeability * point.by_saturation(), by_permeability * point.by_peak()};
}

}  // namespace

GasSaturation add_mobility_cotangents(const Simulation& simulation, std::size_t cell, const GasSaturation& gas,
                                      double viscosity, const MobilityCotangents& cotangents, double& by_viscosity,
                                      SimulationCotangents& by) {
    const SaturationCurves& curves = simulation.curves();
    const FlowState flow = curves.has_hysteresis() ? curves.at(gas) : curves.at(gas.now);
    const double brine_viscosity = simulation.fluids().brine_viscosity;
    const double by_gas = cotangents.gas_mobility / viscosity, by_brine = cotangents.brine_mobility / brine_viscosity;
    const double factor = simulation.reservoir().capillary[cell];
    const double by_capillary = cotangents.capillary * factor;
    by_viscosity -= by_gas * flow.gas / viscosity;
    by.brine_viscosity -= by_brine * flow.brine / brine_viscosity;
    by.capillary[cell] += cotangents.capillary * flow.capillary;
    const auto [below, part] = SaturationCurves::place(gas.now);
    SaturationCurves::Row& low = by.curves[below];
    SaturationCurves::Row& high = by.curves[below + 1];
    low.brine += by_brine * (1.0 - part);
    high.brine += by_brine * part;
    low.capillary += by_capillary * (1.0 - part);
    high.capillary += by_capillary * part;
    GasSaturation by_saturation = add_gas_cotangent(curves, gas, by_gas, by);
    by_saturation.now += by_brine * flow.brine_slope + by_capillary * flow.capillary_slope;
    return by_saturation;
}

}  // namespace plumecast::two_phase
