#pragma once

namespace plumecast {

/// Mass fraction of CO2 in pure water that is in equilibrium with CO2 at a pressure [bar] and a temperature [degC]:
/// Spycher, Pruess and Ennis-King (2003), with the mixing of Spycher and Pruess (2005); stated for 12 to 100 degC and
/// up to 600 bar, used by the simulator beyond.
double co2_solubility(double pressure, double temperature);

}  // namespace plumecast
