#include "reservoir/physics/injection_fluids.hpp"

#include <algorithm>
#include <cmath>

#include <plumecast/reservoir/physics/co2_density.hpp>

#include "core/units.hpp"
#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/co2_viscosity.hpp"
#include "reservoir/physics/radial_connections.hpp"

namespace plumecast {

InjectionFluids injection_fluids(double pressure, double temperature, double salinity, double rate) {
    InjectionFluids fluids;
    fluids.pressure = pressure;
    fluids.co2_density = co2_density(pressure, temperature);
    fluids.co2_viscosity = co2_viscosity(fluids.co2_density, temperature);
    fluids.brine_viscosity = brine_viscosity(temperature, salinity);
    fluids.volume_rate = rate * kilograms_per_megatonne / days_per_year / fluids.co2_density;
    return fluids;
}

InjectionFluids injection_fluids(const RadialCase& radial) {
    const double pressure =
        hydrostatic_pressure(radial.initial_pressure, radial.temperature, radial.salinity, perforation_depth(radial));
    return injection_fluids(pressure, radial.temperature, radial.salinity, radial.injection().largest_rate());
}

std::map<std::string, double, std::less<>> physics_scalars(const InjectionFluids& fluids,
                                                           const std::vector<char>& active,
                                                           const std::vector<float>& pressure_buildup) {
    const std::size_t times = pressure_buildup.size() / active.size();
    const auto cells = static_cast<std::size_t>(std::ranges::count_if(active, [](char cell) { return cell != 0; }));
    double sum = 0.0;
    for (const float value : pressure_buildup) {
        sum += static_cast<double>(value) * static_cast<double>(value);
    }
    return {{"physics_buildup_rms", std::sqrt(sum / static_cast<double>(cells * times))},
            {"physics_viscosity_ratio", fluids.viscosity_ratio()},
            {"physics_co2_density", fluids.co2_density}};
}

}  // namespace plumecast
