#pragma once

#include <memory>
#include <string>

#include <plumecast/core/json.hpp>
#include <plumecast/training/recipe.hpp>

#include "io/folder_lock.hpp"

namespace plumecast {

/// Makes the folder of a run, locks it for this process and clears what killed runs left under temporary names. Throws
/// InvalidInput when another run writes it, or when it holds something that this run would replace and that is not of
/// it; IoError.
std::unique_ptr<FolderLock> open_run_folder(const Recipe& recipe);

/// Whether a checkpoint is complete; one that was being replaced when a run was killed is put back first.
bool has_saved_state(const std::string& checkpoint);

/// SHA-256 of the data sets of a run, those to learn from first. Throws IoError.
Json data_hashes(const Recipe& recipe);

/// Throws InvalidModel when `saved`, from the checkpoint `origin`, is not what data_hashes() gives now. False when it
/// is null: an earlier version wrote none.
bool require_same_data(const Json& saved, const Recipe& recipe, const std::string& origin);

}  // namespace plumecast
