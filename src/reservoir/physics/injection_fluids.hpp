#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <plumecast/reservoir/physics/radial_case.hpp>

namespace plumecast {

/// Fluids at the depth of a perforation, before injection.
struct InjectionFluids {
    double pressure = 0.0;         ///< hydrostatic [bar]
    double co2_density = 0.0;      ///< [kg/m3]
    double co2_viscosity = 0.0;    ///< [cP]
    double brine_viscosity = 0.0;  ///< [cP]
    double volume_rate = 0.0;      ///< injected volume of CO2 [m3/day]

    double viscosity_ratio() const { return brine_viscosity / co2_viscosity; }
};

/// Fluids at a pressure [bar] and a temperature [degC], in brine of a salinity [kg/kg], injected at a rate [Mt/year].
InjectionFluids injection_fluids(double pressure, double temperature, double salinity, double rate);

/// At the largest rate of a case that RadialCase::check() has passed.
InjectionFluids injection_fluids(const RadialCase& radial);

/// The scalars of PhysicsFields for a pressure build-up [T, cells] [bar] that is 0 where `active` [cells] is.
std::map<std::string, double, std::less<>> physics_scalars(const InjectionFluids& fluids,
                                                           const std::vector<char>& active,
                                                           const std::vector<float>& pressure_buildup);

}  // namespace plumecast
