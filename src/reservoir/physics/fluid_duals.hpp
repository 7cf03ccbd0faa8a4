#pragma once

#include <cstddef>

#include <plumecast/reservoir/physics/co2_density.hpp>

#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/co2_viscosity.hpp"
#include "reservoir/physics/fluid_slopes.hpp"
#include "reservoir/physics/scalars/dual.hpp"

/// Properties of fluids that carry derivatives along, so that a formula of them can be stated once for any number.
namespace plumecast {

/// brine_density() [kg/m3].
template <std::size_t N>
Dual<N> brine_density(const Dual<N>& pressure, const Dual<N>& temperature, const Dual<N>& salinity) {
    const FluidSlopes slopes = brine_density_slopes(pressure.value, temperature.value, salinity.value);
    const double density = brine_density(pressure.value, temperature.value, salinity.value);
    return Dual<N>::combined(density, slopes.pressure, pressure, slopes.temperature, temperature) +
           salinity.scaled(0.0, slopes.salinity);
}

/// brine_viscosity() [cP].
template <std::size_t N>
Dual<N> brine_viscosity(const Dual<N>& temperature, const Dual<N>& salinity) {
    const BrineViscositySlopes slopes = brine_viscosity_slopes(temperature.value, salinity.value);
    return Dual<N>::combined(brine_viscosity(temperature.value, salinity.value), slopes.temperature, temperature,
                             slopes.salinity, salinity);
}

/// co2_density_near() [kg/m3].
template <std::size_t N>
Dual<N> co2_density_near(const Dual<N>& pressure, const Dual<N>& temperature, double nearby) {
    const double density = co2_density_near(pressure.value, temperature.value, nearby);
    const FluidSlopes slopes = co2_density_slopes_at(density, temperature.value);
    return Dual<N>::combined(density, slopes.pressure, pressure, slopes.temperature, temperature);
}

/// co2_viscosity() [cP].
template <std::size_t N>
Dual<N> co2_viscosity(const Dual<N>& density, const Dual<N>& temperature) {
    const Co2ViscositySlopes slopes = co2_viscosity_slopes(density.value, temperature.value);
    return Dual<N>::combined(co2_viscosity(density.value, temperature.value), slopes.density, density,
                             slopes.temperature, temperature);
}

}  // namespace plumecast
