#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/inference/guided/guided_cases.hpp>

#include "inference/rank_shard.hpp"

namespace plumecast {

/// physics_for(), with some cases in the file beside the data set, for work that reads them again and again: the first
/// rank computes what the file lacks, the others wait and read. All ranks do this together. Throws Interrupted when
/// options.stop_requested said so. With `left_out`, cases that cannot be stored are added to it, on the first rank, and
/// not to options.failures.
std::shared_ptr<CasePhysics> stored_physics(const NetworkDescription& description, const Dataset& dataset,
                                            std::span<const std::int64_t> cases, PhysicsOptions options,
                                            const RankShard& share,
                                            const std::shared_ptr<CaseFailures>& left_out = nullptr);

/// Which computed cases stay in memory, up to PhysicsOptions::kept_bytes: those that several networks correct, or all.
enum class KeptCases { shared, all };

/// The physics of one data set for the networks of a bundle: those of equal settings share what is computed.
class BundlePhysics {
   public:
    /// For no network.
    BundlePhysics() = default;
    /// For a network that has it already; nullptr for one without.
    explicit BundlePhysics(std::shared_ptr<CasePhysics> physics);
    /// Computes nothing yet. The data set must outlive this. `same_grid`: of the same cases on the same grid at other
    /// times, with which PhysicsOptions::same_steps are shared; what these state beside grid and rock counts then.
    BundlePhysics(const Dataset& dataset, std::span<const NetworkDescription* const> networks, PhysicsOptions options,
                  KeptCases kept = KeptCases::shared, const BundlePhysics* same_grid = nullptr);

    /// For one of the networks; nothing for one without physics.
    std::shared_ptr<CasePhysics> of(const NetworkDescription& description) const;
    const std::vector<std::shared_ptr<CasePhysics>>& all() const { return physics_; }
    /// Consecutive cases that all networks can go through, one network after the other, with what they share kept;
    /// `all` where that is no limit.
    std::int64_t cases_at_once(std::int64_t all) const;
    /// Lets go of what is kept.
    void forget() const;
    /// Cases computed.
    std::int64_t computed() const;

   private:
    std::size_t kept_bytes_ = 0;
    std::size_t shared_bytes_ = 0;  // per case, of what networks share
    std::vector<std::shared_ptr<CasePhysics>> physics_;
};

}  // namespace plumecast
