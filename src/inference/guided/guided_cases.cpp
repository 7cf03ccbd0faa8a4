#include <plumecast/inference/guided/guided_cases.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include "inference/guided/stored_physics.hpp"

namespace plumecast {
namespace {

/// Of computed cases, where no file keeps them for the next time that they are asked for.
constexpr std::size_t kept_in_memory = std::size_t{2} << 30;

}  // namespace

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

std::shared_ptr<CasePhysics> stored_physics(const NetworkDescription& description, const Dataset& dataset,
                                            std::span<const std::int64_t> cases, PhysicsOptions options,
                                            const RankShard& share) {
    if (!description.physics) {
        return nullptr;
    }
    options.kept_bytes = kept_in_memory;
    std::shared_ptr<CasePhysics> physics;
    bool is_stopped = false;
    if (share.is_first()) {
        physics = physics_for(description, dataset, options);
        is_stopped = !physics->store(cases);
    }
    if (share.agreed(is_stopped)) {
        throw Interrupted();
    }
    if (physics == nullptr) {
        options.log = nullptr;  // the first rank has said it
        physics = physics_for(description, dataset, options);
    }
    return physics;
}

BundlePhysics::BundlePhysics(const Dataset& dataset, std::span<const NetworkDescription* const> networks,
                             PhysicsOptions options)
    : kept_bytes_(options.kept_bytes) {
    for (const NetworkDescription* network : networks) {
        if (!network->physics || of(*network) != nullptr) {
            continue;
        }
        const auto shares = std::ranges::count_if(networks, [&](const NetworkDescription* other) {
            return other->physics && other->physics->settings == network->physics->settings;
        });
        options.kept_bytes = shares > 1 ? kept_bytes_ : 0;
        physics_.push_back(physics_for(*network, dataset, options));
        shared_bytes_ += shares > 1 ? physics_.back()->bytes_per_case() : 0;
    }
}

std::int64_t BundlePhysics::cases_at_once(std::int64_t all) const {
    if (shared_bytes_ == 0) {
        return all;
    }
    const auto fitting = static_cast<std::int64_t>(std::min<std::size_t>(kept_bytes_ / shared_bytes_, 1U << 30U));
    return std::clamp<std::int64_t>(fitting, 1, std::max<std::int64_t>(all, 1));
}

void BundlePhysics::forget() const {
    std::ranges::for_each(physics_, [](const auto& physics) { physics->forget(); });
}

std::int64_t BundlePhysics::computed() const {
    std::int64_t cases = 0;
    std::ranges::for_each(physics_, [&](const auto& physics) { cases += physics->computed(); });
    return cases;
}

std::shared_ptr<CasePhysics> BundlePhysics::of(const NetworkDescription& description) const {
    const auto found = std::ranges::find_if(physics_, [&](const auto& physics) {
        return description.physics && physics->settings() == known_physics(*description.physics);
    });
    return found == physics_.end() ? nullptr : *found;
}

}  // namespace plumecast
