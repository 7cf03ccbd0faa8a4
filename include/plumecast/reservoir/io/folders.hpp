#pragma once

#include <filesystem>

namespace plumecast {

/// Makes a folder and those above it where they are missing. Throws IoError naming the folder.
void create_folders(const std::filesystem::path& path);

}  // namespace plumecast
