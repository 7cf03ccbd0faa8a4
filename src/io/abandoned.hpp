#pragma once

#include <filesystem>

/// What a killed process leaves: files under a temporary name that nobody will complete.
namespace plumecast {

/// Removes temporary files of `output` whose writer ran on this machine and is gone; those of a living one, or of
/// another machine, stay. Never throws for what cannot be removed.
void remove_abandoned(const std::filesystem::path& output);

/// The same for every file directly in a folder.
void remove_abandoned_in(const std::filesystem::path& folder);

}  // namespace plumecast
