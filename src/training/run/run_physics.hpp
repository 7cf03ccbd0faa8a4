#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <plumecast/training/training_observer.hpp>

#include "inference/guided/stored_physics.hpp"

namespace plumecast {

/// The physics of the cases of a data set that a training run reads, computed once for all epochs; nothing for a
/// network without. Cases that cannot be computed are taken out of `cases` with a warning, where a file keeps the
/// physics of the others. All ranks do this together. Throws Interrupted when the observer asks to stop, and
/// InvalidData where no case is left.
std::shared_ptr<CasePhysics> run_physics(const NetworkDescription& description, const Dataset& dataset,
                                         std::vector<std::int64_t>& cases, TrainingObserver& observer,
                                         const RankShard& share);

}  // namespace plumecast
