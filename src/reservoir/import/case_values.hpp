#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <plumecast/core/json.hpp>

namespace plumecast {

/// A vertical injector; places count from 1, as in a deck.
struct WellValues {
    std::int64_t i = 1;
    std::int64_t j = 1;
    std::int64_t first = 1;  ///< uppermost and lowest layer it reaches
    std::int64_t last = std::numeric_limits<std::int64_t>::max();
    double rate = 0.0;  ///< [Mt/year]
};

/// What the files of a simulator do not say about a case, or what shall hold instead.
struct CaseValues {
    std::optional<double> injection_rate;    ///< [Mt/year]
    std::optional<double> initial_pressure;  ///< at the top of the formation [bar]
    std::optional<double> temperature;       ///< [degC]
    std::optional<double> irreducible_water_saturation;
    std::optional<double> van_genuchten_lambda;
    std::optional<double> temperature_gradient;     ///< by which a formation grows warmer with depth [degC/m]
    std::optional<double> rock_compressibility;     ///< of the pore volume [1/bar]
    std::optional<double> salinity;                 ///< of the brine [kg NaCl per kg]
    std::optional<double> dissolution_rate_limit;   ///< of CO2 in a volume of brine [kg/(m3 year)]
    std::optional<double> residual_gas_saturation;  ///< that returning brine traps at most (Land)
    /// Of CO2 at the surface [kg/sm3]: makes a rate of the volume that the summary says was injected.
    std::optional<double> surface_density;
    /// Top and bottom of the perforated interval, depth below the top of the formation [m].
    std::optional<std::array<double, 2>> perforation;
    std::vector<WellValues> wells;  ///< of a model without wells, or instead of its own
    double injection_start = 0.0;   ///< [day]
    std::vector<double> times;      ///< since the start of injection [day]; empty for all that were simulated
    std::string units;              ///< of GRDECL text; empty for those that it states, else METRIC
};

/// Reads the object strictly. `origin` names it in messages. Throws InvalidInput with the entry and the nearest known
/// one.
CaseValues read_case_values(const Json& object, const std::string& origin);

/// Entries of all objects; those of later ones win.
Json merged(const std::vector<Json>& objects);

}  // namespace plumecast
