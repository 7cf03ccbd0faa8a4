#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <plumecast/core/json.hpp>

namespace plumecast {

/// What the files of a simulator do not say about a case, or what shall hold instead.
struct CaseValues {
    std::optional<double> injection_rate;    ///< [Mt/year]
    std::optional<double> initial_pressure;  ///< at the top of the formation [bar]
    std::optional<double> temperature;       ///< [degC]
    std::optional<double> irreducible_water_saturation;
    std::optional<double> van_genuchten_lambda;
    /// Of CO2 at the surface [kg/sm3]: makes a rate of the volume that the summary says was injected.
    std::optional<double> surface_density;
    /// Top and bottom of the perforated interval, depth below the top of the formation [m].
    std::optional<std::array<double, 2>> perforation;
    double injection_start = 0.0;  ///< [day]
    std::vector<double> times;     ///< since the start of injection [day]; empty for all that were simulated
    std::string units = "METRIC";  ///< of GRDECL text
};

/// Reads the object strictly. `origin` names it in messages. Throws InvalidInput with the entry and the nearest known
/// one.
CaseValues read_case_values(const Json& object, const std::string& origin);

/// Entries of all objects; those of later ones win.
Json merged(const std::vector<Json>& objects);

}  // namespace plumecast
