#pragma once

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

/// Folders. Not by the iterators of libstdc++ 12, which end the program where memory runs out; nor by its remove_all(),
/// which uses them.
namespace plumecast {

/// Makes a folder and those above it where they are missing. Throws IoError naming the folder.
void create_folders(const std::filesystem::path& path);

/// Names of what is in a folder, sorted. Throws IoError naming the folder.
std::vector<std::string> names_in(const std::filesystem::path& folder);
/// The same; what can be read of it, with the error.
std::vector<std::string> names_in(const std::filesystem::path& folder, std::error_code& error);

/// Removes a file, a link, or a folder with all it holds; nothing where nothing is there. Throws IoError naming it.
void remove_tree(const std::filesystem::path& path);
/// The same, as far as it can; takes no memory of the program's own.
void remove_tree(const std::filesystem::path& path, std::error_code& error) noexcept;

}  // namespace plumecast
