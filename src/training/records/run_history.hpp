#pragma once

#include <string>
#include <vector>

#include <plumecast/training/training_observer.hpp>

namespace plumecast {

/// The epochs of a training run in their order, at least one, as its folder records them (`metrics.jsonl`). Throws
/// IoError for a folder that does not exist, InvalidInput for one that holds no run or a run before the end of its
/// first epoch, InvalidData naming the line of a damaged record.
std::vector<EpochReport> read_run_history(const std::string& folder);

}  // namespace plumecast
