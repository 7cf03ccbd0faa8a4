#pragma once

#include <cstddef>
#include <vector>

#include <plumecast/physics/radial_case.hpp>

namespace plumecast::two_phase {

/// Properties of CO2 and of brine saturated with it at one pressure.
struct Co2State {
    double density = 0.0;          ///< [kg/m3]
    double density_slope = 0.0;    ///< by pressure [kg/(m3 bar)]
    double viscosity = 0.0;        ///< [cP]
    double dissolved_limit = 0.0;  ///< CO2 that a cubic metre of brine takes up [kg/m3]
    double limit_slope = 0.0;      ///< by pressure [kg/(m3 bar)]
};

/// Properties at the temperature of a case, by linear interpolation over pressure.
class FluidTable {
   public:
    /// Temperature [degC] and initial pressure at the top [bar], which brine is described at, with the density that it
    /// has at a usual build-up [bar].
    FluidTable(double temperature, double initial_pressure, double usual_buildup);

    /// Properties at a pressure [bar]; those of the nearest end of the table outside 1 to 1000 bar.
    Co2State at(double pressure) const;

    double brine_density = 0.0;          ///< [kg/m3]
    double brine_viscosity = 0.0;        ///< [cP]
    double brine_compressibility = 0.0;  ///< [1/bar]
    double dissolved_density = 0.0;      ///< apparent, of CO2 in brine [kg/m3]

   private:
    struct Row {
        double density, viscosity, limit;
    };
    std::vector<Row> rows_;
};

/// Relative permeabilities and capillary pressure at a gas saturation, with their slopes.
struct FlowState {
    double gas = 0.0, gas_slope = 0.0;
    double brine = 0.0, brine_slope = 0.0;
    double capillary = 0.0, capillary_slope = 0.0;  ///< of rock with the entry pressure of the case [bar]
};

/// Saturation functions of a case, by linear interpolation on even steps of saturation.
class SaturationCurves {
   public:
    explicit SaturationCurves(const RadialCase& radial);
    FlowState at(double saturation) const;

   private:
    struct Row {
        double gas, brine, capillary;
    };
    std::vector<Row> rows_;
};

}  // namespace plumecast::two_phase
