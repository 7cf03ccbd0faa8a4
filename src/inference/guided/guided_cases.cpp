#include <plumecast/inference/guided/guided_cases.hpp>

#include <string>
#include <utility>

namespace plumecast {

PhysicsSettings known_physics(const NetworkPhysics& physics) {
    PhysicsSettings settings = physics.settings;
    settings.version = is_known_physics(settings.version) ? settings.version : physics_version;
    return settings;
}

std::shared_ptr<CasePhysics> physics_for(const NetworkDescription& description, const Dataset& dataset,
                                         PhysicsOptions options) {
    if (!description.physics) {
        return nullptr;
    }
    const int trained = description.physics->settings.version;
    if (options.log && !is_known_physics(trained)) {
        options.log(Severity::warning, "the network was trained on version " + std::to_string(trained) +
                                           " of the reduced physics (this program has versions " +
                                           std::to_string(oldest_physics_version) + " to " +
                                           std::to_string(physics_version) +
                                           ", whose fields differ); check the prediction against a simulation");
    }
    return std::make_shared<CasePhysics>(dataset, known_physics(*description.physics), std::move(options));
}

std::unique_ptr<BatchSource> cases_for(const NetworkDescription& description, const Dataset& dataset, Targets targets,
                                       std::shared_ptr<CasePhysics> physics, std::vector<std::string> carried,
                                       DType type, std::shared_ptr<CaseFailures> failures) {
    if (physics == nullptr) {
        PhysicsOptions options;
        options.failures = failures;
        physics = physics_for(description, dataset, std::move(options));
    }
    return dataset_source(dataset, description.channels, description.fields, targets, std::move(physics),
                          std::move(carried), type, std::move(failures));
}

}  // namespace plumecast
