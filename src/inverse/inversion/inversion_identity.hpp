#pragma once

#include <string>

#include <plumecast/core/json.hpp>

#include "inverse/inversion/inversion_config.hpp"

namespace plumecast {

class Predictor;

/// All that decides what an inversion finds: its configuration without the paths, the hashes of its files and of its
/// model, the model's arithmetic, and the versions of library and physics. Throws IoError.
Json identity_of(const InversionConfig& config, const Predictor* predictor);

/// Throws InvalidInput naming the first entry in which the inversion that left the state in `path` was another.
void require_same_identity(const std::string& path, const Json& kept, const Json& now);

}  // namespace plumecast
