#include <plumecast/inference/guided/guided_cases.hpp>

#include <string>
#include <utility>

namespace plumecast {

std::shared_ptr<CasePhysics> physics_for(const NetworkDescription& description, const Dataset& dataset,
                                         PhysicsOptions options) {
    if (!description.physics) {
        return nullptr;
    }
    return std::make_shared<CasePhysics>(dataset, description.physics->settings, std::move(options));
}

std::unique_ptr<BatchSource> cases_for(const NetworkDescription& description, const Dataset& dataset, Targets targets,
                                       std::shared_ptr<CasePhysics> physics, std::vector<std::string> physics_fields,
                                       DType type, std::shared_ptr<CaseFailures> failures) {
    if (physics == nullptr) {
        PhysicsOptions options;
        options.failures = failures;
        physics = physics_for(description, dataset, std::move(options));
    }
    return dataset_source(dataset, description.channels, description.fields, targets, std::move(physics),
                          std::move(physics_fields), type, std::move(failures));
}

}  // namespace plumecast
