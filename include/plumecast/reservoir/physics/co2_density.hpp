#pragma once

#include <cstddef>
#include <vector>

namespace plumecast {

/// Density [kg/m3] of pure CO2 at a pressure [bar] and a temperature [degC]: the 12-term equation of state of Span and
/// Wagner (2003, part III), within 0.5 % of their reference equation (1996) away from the critical point. Below the
/// critical temperature, liquid above the vapour pressure and gas below it. Valid from 0 to 1000 bar and 0 to 400 degC;
/// throws InvalidInput outside.
double co2_density(double pressure, double temperature);
/// The same, to 1e-12 of it, found sooner from the density [kg/m3] of a pressure nearby; NaN where none is known.
double co2_density_near(double pressure, double temperature, double nearby);

/// co2_density() at so many pressures [bar], at least one, each a step above the one before; throws as that does.
std::vector<double> co2_densities(double temperature, double first, double step, std::size_t count);

/// Whether co2_density() knows a pressure [bar] of a formation: above 0, up to 1000.
bool has_co2_density(double pressure);

/// co2_density() at one temperature, tabulated between two pressures [bar] and interpolated; for whole fields.
class Co2DensityTable {
   public:
    Co2DensityTable(double temperature, double low, double high);
    /// Density [kg/m3]; the nearest end of the table outside.
    double at(double pressure) const;

   private:
    double low_;
    double step_;
    std::vector<double> values_;
};

}  // namespace plumecast
