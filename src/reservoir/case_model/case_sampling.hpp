#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "core/random.hpp"
#include "reservoir/case_model/configuration.hpp"

namespace plumecast {

/// A well in a box.
struct SampledWell {
    double x = 0.0;                      ///< [m]
    double y = 0.0;                      ///< [m]
    double injection_rate = 0.0;         ///< [Mt/year]; the mean until all wells have stopped, with a schedule
    double perforation_top = 0.0;        ///< below the top of the formation [m]
    double perforation_length = 0.0;     ///< [m]
    std::vector<double> schedule_rates;  ///< [P] [Mt/year]; empty where the rate is constant
};

/// Everything drawn for a case but its fields.
struct SampledCase {
    std::int64_t number = 0;
    double injection_rate = 0.0;         ///< of all wells together [Mt/year]; the mean over the injection of a schedule
    std::vector<double> schedule_ends;   ///< [P] of periods of constant rates [day]; empty where the rate is constant
    std::vector<double> schedule_rates;  ///< [P] of all wells together [Mt/year]
    double initial_pressure = 0.0;       ///< at the top [bar]
    double temperature = 0.0;            ///< [degC]
    double temperature_gradient = 0.0;   ///< of a described case [degC/m]
    double irreducible_water_saturation = 0.0;
    double van_genuchten_lambda = 0.0;
    double salinity = 0.0;                    ///< of the brine [kg NaCl per kg]
    double residual_gas_saturation = 0.0;     ///< that returning brine traps at most (Land); 0 without hysteresis
    double bottom_hole_pressure_limit = 0.0;  ///< [bar]; 0 without one
    /// Of the CO2 dissolved in a cubic metre of brine [kg/(m3 year)]; infinite without one.
    double dissolution_rate_limit = std::numeric_limits<double>::infinity();
    double thickness = 0.0;           ///< [m]; a grid takes the whole rows within it
    double perforation_top = 0.0;     ///< below the top of the formation [m]
    double perforation_length = 0.0;  ///< [m]
    Medium medium = Medium::homogeneous;
    double log_mean = 0.0;       ///< of the natural logarithm of the permeability in mD
    double log_deviation = 0.0;  ///< 0 in a homogeneous medium
    double correlation_r = 0.0;  ///< [m]
    double correlation_z = 0.0;  ///< [m]
    double hurst = 0.5;
    int facies = 1;
    std::vector<double> ratios;      ///< horizontal over vertical permeability of each material
    std::vector<SampledWell> wells;  ///< of a box; a radial case has the one in the axis

    /// The largest rate at any time [Mt/year].
    double largest_rate() const {
        return schedule_rates.empty() ? injection_rate : *std::ranges::max_element(schedule_rates);
    }
};

/// Random numbers of one quantity of one case: a function of seed, case number and name.
RandomStream case_stream(std::uint64_t seed, std::int64_t number, std::string_view name);

/// Draws a case; the grid plays no part.
SampledCase sample_case(const GeneratorConfiguration& configuration, std::int64_t number);

}  // namespace plumecast
