#include "physics/two_phase/fluid_tables.hpp"

#include <algorithm>

#include <plumecast/physics/brine.hpp>
#include <plumecast/physics/co2_density.hpp>
#include <plumecast/physics/co2_solubility.hpp>
#include <plumecast/physics/co2_viscosity.hpp>
#include <plumecast/physics/saturation_functions.hpp>

namespace plumecast::two_phase {
namespace {

constexpr double lowest_pressure = 1.0;  // [bar]
constexpr double highest_pressure = 999.0;
constexpr std::size_t pressure_steps = 499;  // of 2 bar
constexpr double pressure_step = (highest_pressure - lowest_pressure) / static_cast<double>(pressure_steps);
constexpr std::size_t saturation_steps = 800;

struct Place {
    std::size_t below;
    double part;
};

Place place_in(double position, std::size_t steps) {
    const double inside = std::clamp(position, 0.0, static_cast<double>(steps));
    const auto below = std::min(static_cast<std::size_t>(inside), steps - 1);
    return {below, inside - static_cast<double>(below)};
}

}  // namespace

FluidTable::FluidTable(double temperature, double initial_pressure, double usual_buildup)
    : brine_density(water_density(initial_pressure + usual_buildup, temperature)),
      brine_viscosity(water_viscosity(temperature)),
      brine_compressibility(water_compressibility(initial_pressure, temperature)),
      dissolved_density(dissolved_co2_density(temperature)) {
    const Co2DensityTable density(temperature, lowest_pressure, highest_pressure);
    for (std::size_t i = 0; i <= pressure_steps; ++i) {
        const double pressure = lowest_pressure + pressure_step * static_cast<double>(i);
        const double rho = density.at(pressure);
        // CO2 per volume of water, then per volume of the brine that has swollen with it.
        const double x = co2_solubility(pressure, temperature);
        const double in_water = std::max(0.0, x / (1.0 - x)) * brine_density;
        rows_.push_back({rho, co2_viscosity(rho, temperature), in_water / (1.0 + in_water / dissolved_density)});
    }
}

Co2State FluidTable::at(double pressure) const {
    const auto [below, part] = place_in((pressure - lowest_pressure) / pressure_step, pressure_steps);
    const Row& low = rows_[below];
    const Row& high = rows_[below + 1];
    return {low.density + part * (high.density - low.density), (high.density - low.density) / pressure_step,
            low.viscosity + part * (high.viscosity - low.viscosity), low.limit + part * (high.limit - low.limit),
            (high.limit - low.limit) / pressure_step};
}

SaturationCurves::SaturationCurves(const RadialCase& radial) {
    const std::vector<SaturationRow> table =
        saturation_table(radial.irreducible_water_saturation, radial.van_genuchten_lambda,
                         radial.rock_fluid.residual_gas_saturation, radial.rock_fluid.entry_pressure);
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
        rows_.push_back({between(low.gas_permeability, high.gas_permeability),
                         between(low.water_permeability, high.water_permeability),
                         between(low.capillary_pressure, high.capillary_pressure)});
    }
}

FlowState SaturationCurves::at(double saturation) const {
    constexpr auto steps = static_cast<double>(saturation_steps);
    const auto [below, part] = place_in(saturation * steps, saturation_steps);
    const Row& low = rows_[below];
    const Row& high = rows_[below + 1];
    const double gas = high.gas - low.gas, brine = high.brine - low.brine, capillary = high.capillary - low.capillary;
    return {
        low.gas + part * gas, gas * steps, low.brine + part * brine, brine * steps, low.capillary + part * capillary,
        capillary * steps};
}

}  // namespace plumecast::two_phase
