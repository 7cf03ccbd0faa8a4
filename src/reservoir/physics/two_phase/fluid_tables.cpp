#include "reservoir/physics/two_phase/fluid_tables.hpp"

#include <algorithm>

#include <plumecast/reservoir/physics/co2_density.hpp>

#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/co2_solubility.hpp"
#include "reservoir/physics/co2_viscosity.hpp"
#include "reservoir/physics/radial_connections.hpp"
#include "reservoir/physics/temperature_profile.hpp"

namespace plumecast::two_phase {
namespace {

/// CO2 per volume of brine without it, then per volume of the brine that has swollen with it [kg/m3].
double dissolved_limit(double solubility, double brine, double dissolved) {
    const double in_brine = std::max(0.0, solubility / (1.0 - solubility)) * brine;
    return in_brine / (1.0 + in_brine / dissolved);
}

}  // namespace

FluidTable::FluidTable(double temperature, double salinity, double initial_pressure)
    : brine_density(plumecast::brine_density(initial_pressure, temperature, salinity)),
      brine_viscosity(plumecast::brine_viscosity(temperature, salinity)),
      brine_compressibility(
          plumecast::brine_compressibility(initial_pressure, temperature, salinity, compressibility_span)),
      dissolved_density(dissolved_co2_density(initial_pressure, temperature, salinity)) {
    constexpr double highest_pressure = lowest_pressure + pressure_step * static_cast<double>(pressure_steps);
    const Co2DensityTable density(temperature, lowest_pressure, highest_pressure);
    const std::vector<double> densities =
        co2_densities(temperature, lowest_pressure, pressure_step, pressure_steps + 1);
    for (std::size_t i = 0; i <= pressure_steps; ++i) {
        const double pressure = pressure_of(i), rho = density.at(pressure);
        const double solubility = co2_solubility(pressure, temperature, salinity, densities[i]);
        rows_.push_back(
            {rho, co2_viscosity(rho, temperature), dissolved_limit(solubility, brine_density, dissolved_density)});
    }
}

RowFluids::RowFluids(const RadialCase& radial)
    : rows_(active_rows(radial)), grow_warmer_(radial.temperatures().grows_warmer()) {
    const TemperatureProfile temperatures = radial.temperatures();
    for (std::size_t row = 0; row < (grow_warmer_ ? rows_ : 1); ++row) {
        tables_.emplace_back(temperatures.at(0.5 * (radial.z_edges[row] + radial.z_edges[row + 1])), radial.salinity,
                             radial.initial_pressure);
    }
    for (std::size_t row = 0; row < rows_; ++row) {
        brine_fluidity_.push_back(1.0 / (*this)[row].brine_viscosity);
    }
}

DissolvedLimits::DissolvedLimits(double temperature, double salinity, double initial_pressure, double usual_buildup,
                                 double least, double largest)
    : first_(FluidTable::place(least).below) {
    const double brine = brine_density(initial_pressure + usual_buildup, temperature, salinity);
    const double dissolved = dissolved_co2_density(temperature);
    // Densities from the first row of the table on, which each lead to the next.
    const std::vector<double> densities = co2_densities(
        temperature, FluidTable::pressure_of(0), FluidTable::pressure_step, FluidTable::place(largest).below + 2);
    for (std::size_t row = first_; row < densities.size(); ++row) {
        const double solubility = co2_solubility(FluidTable::pressure_of(row), temperature, salinity, densities[row]);
        limits_.push_back(dissolved_limit(solubility, brine, dissolved));
    }
}

namespace {

/// Shape of the imbibition curve over even steps from the trapped to the largest saturation.
std::vector<double> imbibition_shape(const std::vector<SaturationRow>& table, std::size_t steps) {
    const std::size_t last = table.size() - 2;  // the first row has no gas, the next the trapped one
    std::vector<double> shape;
    for (std::size_t i = 0; i <= steps; ++i) {
        const TablePlace<> at(static_cast<double>(i) / static_cast<double>(steps) * static_cast<double>(last), last);
        const double low = table[at.below + 1].gas_permeability, high = table[at.below + 2].gas_permeability;
        shape.push_back(low + at.part * (high - low));
    }
    return shape;
}

}  // namespace

SaturationCurves::SaturationCurves(const RadialCase& radial)
    : SaturationCurves(saturation_table(radial.irreducible_water_saturation, radial.van_genuchten_lambda,
                                        radial.rock_fluid.residual_gas_saturation, radial.rock_fluid.entry_pressure)) {
    land_ = LandTrapping(radial.rock_fluid.residual_gas_saturation, radial.residual_gas_saturation,
                         1.0 - radial.irreducible_water_saturation);
    if (has_hysteresis()) {
        shape_ = imbibition_shape(
            imbibition_table(radial.irreducible_water_saturation, radial.van_genuchten_lambda,
                             radial.residual_gas_saturation, radial.rock_fluid.residual_gas_saturation),
            saturation_steps);
    }
}

SaturationCurves::SaturationCurves(const std::vector<SaturationRow>& drainage, const LandTrapping& land,
                                   const std::vector<SaturationRow>& imbibition)
    : SaturationCurves(drainage) {
    land_ = land;
    if (has_hysteresis()) {
        shape_ = imbibition_shape(imbibition, saturation_steps);
    }
}

SaturationCurves::SaturationCurves(const std::vector<SaturationRow>& table) {
    std::size_t row = 0;
    for (std::size_t i = 0; i <= saturation_steps; ++i) {
        const double saturation = static_cast<double>(i) / static_cast<double>(saturation_steps);
        while (row + 2 < table.size() && table[row + 1].gas_saturation < saturation) {
            ++row;
        }
        const SaturationRow& low = table[row];
        const SaturationRow& high = table[row + 1];
        const double part =
            std::clamp((saturation - low.gas_saturation) / (high.gas_saturation - low.gas_saturation), 0.0, 1.0);
        const auto between = [&](double from, double to) { return from + part * (to - from); };
        gas_.push_back(between(low.gas_permeability, high.gas_permeability));
        brine_.push_back(between(low.water_permeability, high.water_permeability));
        capillary_.push_back(between(low.capillary_pressure, high.capillary_pressure));
        rows_.push_back({gas_.back(), brine_.back(), capillary_.back()});
    }
}

ScannedGas SaturationCurves::scan(const GasSaturation& gas) const {
    const double trapped = land_.trapped(gas.peak), along = scanning_place(gas.now, gas.peak, trapped);
    if (along <= 0.0) {
        return {};
    }
    const double drained = at(gas.peak).gas;
    const auto [below, part] = place(along);
    const double step = shape_[below + 1] - shape_[below];
    return {drained * (shape_[below] + part * step),
            drained * (step * static_cast<double>(saturation_steps)) / (gas.peak - trapped)};
}

}  // namespace plumecast::two_phase
