#include "inverse/inversion/inversion_identity.hpp"

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/version.hpp>
#include <plumecast/inference/bundle.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/physics/reduced_physics.hpp>

#include "io/hash.hpp"

namespace plumecast {

Json identity_of(const InversionConfig& config, const Predictor* predictor) {
    Json identity = config.to_json();
    for (const char* path : {"model", "case", "prior", "observations", "output", "model_error"}) {
        identity[path] = "";  // what lies there counts, from wherever it is named
    }
    identity["content of case"] = sha256_of_file(config.case_file);
    identity["content of prior"] = sha256_of_file(config.prior);
    identity["content of observations"] = sha256_of_file(config.observations);
    identity["content of model_error"] = config.model_error == "off" ? "" : sha256_of_file(config.model_error);
    identity["weights of model"] = predictor == nullptr ? "" : predictor->bundle().hash();
    identity["arithmetic of model"] = predictor == nullptr ? "" : predictor->arithmetic();
    identity["version"] = std::string(version());
    identity["version of physics"] = physics_version;
    return identity;
}

void require_same_identity(const std::string& path, const Json& kept, const Json& now) {
    for (const auto& [key, value] : *now.get_if<Json::Object>()) {
        const Json* before = kept.find(key);
        if (before == nullptr || !(*before == value)) {
            throw InvalidInput(fmt::format(
                "{}: was left by another inversion ({} has changed since); begin anew, or put back what it was", path,
                key));
        }
    }
}

}  // namespace plumecast
