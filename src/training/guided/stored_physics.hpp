#pragma once

#include <memory>
#include <span>
#include <vector>

#include <plumecast/training/guided_cases.hpp>

#include "training/rank_share.hpp"

namespace plumecast {

/// physics_for(), with some cases in the file beside the data set, for work that reads them again and again: the first
/// rank computes what the file lacks, the others wait and read. All ranks do this together. Throws Interrupted when
/// options.stop_requested said so.
std::shared_ptr<const CasePhysics> stored_physics(const NetworkDescription& description, const Dataset& dataset,
                                                  std::span<const std::int64_t> cases, PhysicsOptions options,
                                                  const RankShare& share);

/// The physics of one data set for the networks of a bundle: those of equal settings share what is computed.
class BundlePhysics {
   public:
    /// `options` but for kept_bytes.
    BundlePhysics(const Dataset& dataset, std::span<const NetworkDescription* const> networks, PhysicsOptions options);

    /// For one of the networks; nothing for one without physics.
    std::shared_ptr<const CasePhysics> of(const NetworkDescription& description) const;

   private:
    std::vector<std::shared_ptr<const CasePhysics>> physics_;
};

}  // namespace plumecast
