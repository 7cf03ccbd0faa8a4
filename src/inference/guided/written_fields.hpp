#pragma once

#include <string>
#include <vector>

#include <plumecast/inference/bundle.hpp>

namespace plumecast {

/// Names of the fields that the networks of a bundle predict.
std::vector<std::string> field_names(const Bundle& bundle);

/// Names of the outputs of a result file: those fields, and those of the physics that are written as they are.
std::vector<std::string> written_fields(const Bundle& bundle);

/// By network, fields of its physics that a result file holds as they are: the dissolved CO2, once, unless predicted.
std::vector<std::vector<std::string>> written_physics(const Bundle& bundle);

/// The output that such a field becomes: "dissolved_co2" for "physics_dissolved_co2".
std::string output_of(const std::string& source);

}  // namespace plumecast
