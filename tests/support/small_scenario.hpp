#pragma once

#include <plumecast/core/json.hpp>

#include "service/scenario.hpp"

namespace plumecast::testing {

/// Two columns, three rows and two times.
inline service::Axes small_axes() {
    return {{"r_edges", {0.1, 10.0, 100.0}}, {"z_edges", {0.0, 10.0, 20.0, 30.0}}, {"times", {1.0, 100.0}}};
}

/// A case of a request, with a formation of two rows.
inline Json small_case() {
    return Json::Object{{"injection_rate", 0.01},
                        {"initial_pressure", 150.0},
                        {"temperature", 60.0},
                        {"irreducible_water_saturation", 0.2},
                        {"van_genuchten_lambda", 0.5},
                        {"thickness", 20.0},
                        {"permeability_r", 100.0},
                        {"permeability_z", 10.0},
                        {"porosity", 0.2}};
}

}  // namespace plumecast::testing
