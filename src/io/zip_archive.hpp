#pragma once

#include <filesystem>
#include <string>

namespace plumecast {

/// The bytes of a ZIP archive of the files of a folder but the hidden ones, as they are, in the order of their names,
/// below the name of the folder (PKWARE's APPNOTE.TXT 6.3, method 0). Throws IoError, InvalidInput for 4 GiB or 65,535
/// files and more.
std::string zip_archive(const std::filesystem::path& folder);

}  // namespace plumecast
