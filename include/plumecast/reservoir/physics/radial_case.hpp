#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace plumecast {

class TemperatureProfile;

/// What the simulator's cases assume and a data set need not state.
struct RockFluidSettings {
    double residual_gas_saturation = 0.05;  ///< of the Corey curve
    double entry_pressure = 0.1961;         ///< capillary, of rock of 100 mD and porosity 0.2 [bar]
    double rock_compressibility = 4.5e-5;   ///< [1/bar]
    /// Temperature of the brine whose weight makes the initial pressures [degC], where it is not that of the reservoir,
    /// as in OPM Flow 2022.10, which takes 15.56; NaN for that of the reservoir.
    double initial_brine_temperature = std::numeric_limits<double>::quiet_NaN();
    /// What the pore volume of the cells at the four sides of a box is multiplied by, where they stand for the aquifer
    /// around; NaN for a box that is closed as it is.
    double aquifer_factor = std::numeric_limits<double>::quiet_NaN();
    /// By how much a formation grows warmer with depth [degC/m], from the temperature of the case in the middle between
    /// its top and its base, on a cylinder that of the lowest active cell; NaN for one temperature.
    double temperature_gradient = std::numeric_limits<double>::quiet_NaN();
};

/// Injection at rates that are constant over periods, which follow each other from time 0 on. Nothing is injected after
/// the last of them.
struct InjectionSchedule {
    std::vector<double> ends;   ///< [P] of the periods [day], increasing
    std::vector<double> rates;  ///< [P] in the periods [Mt/year]

    /// Rate [Mt/year] of the period that a day lies in or ends.
    double rate(double day) const;
    /// Mass injected until a day [Mt].
    double injected(double day) const;
    double largest_rate() const;  ///< of all periods [Mt/year]
    /// The same with the fewest periods: neighbours of equal rates are one, and rates of 0 after the last injection are
    /// left out.
    InjectionSchedule joined() const;
};

/// One case of CO2 injection through a well in the axis of a radial grid, as a data set holds it. The boundary is
/// closed at top, bottom and the outer edge.
struct RadialCase {
    std::vector<double> r_edges;  ///< [R+1] [m], increasing; the first is the well's radius
    std::vector<double> z_edges;  ///< [Z+1] depth below the top of the formation [m], increasing
    std::vector<double> times;    ///< [T] of the snapshots [day], increasing

    std::vector<double> permeability_r;  ///< [Z, R] [mD]
    std::vector<double> permeability_z;  ///< [Z, R] [mD]
    std::vector<double> porosity;        ///< [Z, R]
    std::vector<double> perforation;  ///< [Z, R] share of the height that is open to the well; the first column counts
    std::vector<char> active;         ///< [Z, R] cells that belong to the formation

    double injection_rate = 0.0;    ///< [Mt/year], at all times where there is no schedule
    InjectionSchedule schedule;     ///< in the place of injection_rate where it has periods
    double initial_pressure = 0.0;  ///< at the top [bar]
    double temperature = 0.0;       ///< [degC]
    double irreducible_water_saturation = 0.0;
    double van_genuchten_lambda = 0.0;
    double salinity = 0.0;  ///< NaCl per brine [kg/kg], 0 to 0.25
    /// Gas that brine traps where it returns after gas had filled all but the irreducible water (Land 1968), 0 to 0.5;
    /// no hysteresis where it is not above `rock_fluid.residual_gas_saturation`, which drainage leaves.
    double residual_gas_saturation = 0.0;
    /// Of the pressure in the well at the centre of its uppermost perforated cell [bar]: while it would be exceeded,
    /// less than the rates above is injected. NaN without a limit.
    double bottom_hole_pressure_limit = std::numeric_limits<double>::quiet_NaN();
    /// By which the CO2 dissolved in a cubic metre of brine may grow at most [kg/(m3 year)], 0 or more; infinite where
    /// brine dissolves all it can at once.
    double dissolution_rate_limit = std::numeric_limits<double>::infinity();
    RockFluidSettings rock_fluid;

    double initial_brine_temperature() const {
        const double stated = rock_fluid.initial_brine_temperature;
        return std::isnan(stated) ? temperature : stated;
    }
    /// Temperatures of its depths; the class is internal.
    TemperatureProfile temperatures() const;
    /// The schedule with the fewest periods, or one period of `injection_rate` without an end.
    InjectionSchedule injection() const;
    bool has_pressure_limit() const { return !std::isnan(bottom_hole_pressure_limit); }
    bool has_dissolution_limit() const { return dissolution_rate_limit < std::numeric_limits<double>::infinity(); }
    /// Whether brine that returns traps more gas than drainage leaves.
    bool has_hysteresis() const { return residual_gas_saturation > rock_fluid.residual_gas_saturation; }
    std::size_t rows() const { return z_edges.size() - 1; }
    std::size_t columns() const { return r_edges.size() - 1; }
    std::size_t cells() const { return rows() * columns(); }

    /// Throws InvalidInput that begins with `name` and states cell, value and remedy when the physics cannot take the
    /// case: no perforated active cell, permeability or porosity not positive, a schedule whose ends do not increase, a
    /// temperature or pressure outside the tables of CO2 (12 to 170 degC, 1 to 1000 bar). A schedule may end before or
    /// after the last time.
    void check(const std::string& name) const;
};

}  // namespace plumecast
