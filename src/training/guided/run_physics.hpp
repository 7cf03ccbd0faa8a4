#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <plumecast/training/trainer.hpp>

#include "training/guided/stored_physics.hpp"

namespace plumecast {

/// What a training run reads.
struct RunCases {
    const Dataset& train;
    const std::vector<std::int64_t>& cases;  ///< of `train`
    const Dataset* validation;               ///< may be nullptr
};

/// The physics of these cases, computed once for all epochs; nothing for a network without.
struct RunPhysics {
    std::shared_ptr<const CasePhysics> train, validation;
};

/// All ranks do this together. Throws Interrupted when the observer asks to stop.
RunPhysics run_physics(const NetworkDescription& description, const RunCases& cases, TrainingObserver& observer,
                       const RankShare& share);

}  // namespace plumecast
