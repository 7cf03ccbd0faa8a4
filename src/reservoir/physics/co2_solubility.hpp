#pragma once

namespace plumecast {

/// Mass fraction of CO2 in brine of a salinity [kg NaCl per kg of brine without CO2] that is in equilibrium with CO2 at
/// a pressure [bar] and a temperature [degC]: Spycher, Pruess and Ennis-King (2003), with the mixing and the salting
/// out of Spycher and Pruess (2005), whose activity coefficient is that of Duan and Sun (2003); stated for 12 to 100
/// degC, up to 600 bar and 6 mol/kg of NaCl, used by the simulator beyond.
double co2_solubility(double pressure, double temperature, double salinity);
/// The same where the density of CO2 [kg/m3] is known.
double co2_solubility(double pressure, double temperature, double salinity, double density);

}  // namespace plumecast
