#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace plumecast {

/// Cotangents of the fields, scalars and series (physics_series_names()) of the physics by their names, which are their
/// weights in a sum that is differentiated; what is left out counts 0.
struct PhysicsCotangents {
    std::map<std::string, std::vector<double>, std::less<>> fields;  ///< [T, Z, R]; inactive cells do not count
    std::map<std::string, double, std::less<>> scalars;
    /// [T] [1/bar], [1/Mt] of two phases; those of the pressure in the well do not count where nothing is injected.
    std::map<std::string, std::vector<double>, std::less<>> series = {};
};

/// Derivatives of a number by the inputs of a RadialCase, each in that number's unit per the input's.
struct RadialCaseGradient {
    std::vector<double> permeability_r;  ///< [Z, R] [1/mD]; 0 in inactive cells, as the others
    std::vector<double> permeability_z;  ///< [Z, R] [1/mD]
    std::vector<double> porosity;        ///< [Z, R]
    std::vector<double> perforation;     ///< [Z, R]; 0 beyond the first column
    double injection_rate = 0.0;         ///< [year/Mt]; 0 where a schedule takes its place
    std::vector<double> rates;           ///< [P] in the periods of the schedule [year/Mt]
    double initial_pressure = 0.0;       ///< [1/bar]
    double temperature = 0.0;            ///< [1/degC]
    double irreducible_water_saturation = 0.0;
    double van_genuchten_lambda = 0.0;  ///< of relative permeability and capillary pressure
    /// By kg NaCl per kg of brine; below 1e-4 the viscosity counts with its slope there, as it has none in fresh water.
    double salinity = 0.0;
    double residual_gas_saturation = 0.0;     ///< 0 without hysteresis
    double bottom_hole_pressure_limit = 0.0;  ///< [1/bar]; 0 without a limit, or one that is never reached
    double dissolution_rate_limit = 0.0;      ///< [m3 year/kg]; 0 without a limit, or one that is never reached
    /// Time steps of two phases that failed at first and were taken in another way: halved, in one round, or with
    /// volume beyond the pores left to later steps. Where there are any, fields jump when inputs change by as little as
    /// a thousandth, and the derivatives hold for smaller changes only.
    std::int64_t retaken_steps = 0;
};

}  // namespace plumecast
