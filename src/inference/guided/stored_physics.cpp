#include "inference/guided/stored_physics.hpp"

#include <algorithm>
#include <utility>

namespace plumecast {
namespace {

/// Of computed cases, where no file keeps them for the next time that they are asked for.
constexpr std::size_t kept_in_memory = std::size_t{2} << 30;

}  // namespace

std::shared_ptr<CasePhysics> stored_physics(const NetworkDescription& description, const Dataset& dataset,
                                            std::span<const std::int64_t> cases, PhysicsOptions options,
                                            const RankShard& share, const std::shared_ptr<CaseFailures>& left_out) {
    if (!description.physics) {
        return nullptr;
    }
    options.kept_bytes = kept_in_memory;
    std::shared_ptr<CasePhysics> physics;
    bool is_stopped = false;
    if (share.is_first()) {
        PhysicsOptions storing = options;
        storing.failures = left_out ? left_out : options.failures;
        physics = physics_for(description, dataset, storing);
        is_stopped = !physics->store(cases);
    }
    if (share.agreed(is_stopped)) {
        throw Interrupted();
    }
    if (physics == nullptr || left_out) {
        options.log = nullptr;  // it has been said
        physics = physics_for(description, dataset, options);
    }
    return physics;
}

BundlePhysics::BundlePhysics(std::shared_ptr<CasePhysics> physics) {
    if (physics) {
        physics_.push_back(std::move(physics));
    }
}

BundlePhysics::BundlePhysics(const Dataset& dataset, std::span<const NetworkDescription* const> networks,
                             PhysicsOptions options, KeptCases kept, const BundlePhysics* same_grid)
    : kept_bytes_(options.kept_bytes) {
    for (const NetworkDescription* network : networks) {
        if (!network->physics || of(*network) != nullptr) {
            continue;
        }
        const auto shares = std::ranges::count_if(networks, [&](const NetworkDescription* other) {
            return other->physics && other->physics->settings == network->physics->settings;
        });
        options.kept_bytes = shares > 1 || kept == KeptCases::all ? kept_bytes_ : 0;
        options.same_steps = same_grid != nullptr ? same_grid->of(*network) : nullptr;
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
        return description.physics && physics->settings() == description.physics->settings;
    });
    return found == physics_.end() ? nullptr : *found;
}

}  // namespace plumecast
