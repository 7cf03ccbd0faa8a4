#pragma once

namespace plumecast {

/// Viscosity [cP] of pure CO2 at a density [kg/m3] and a temperature [degC] after Fenghour, Wakeham and Vesovic (1998),
/// without the enhancement near the critical point; stated for 200 to 1500 K and up to 300 MPa.
double co2_viscosity(double density, double temperature);

}  // namespace plumecast
