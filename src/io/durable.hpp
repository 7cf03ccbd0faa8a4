#pragma once

#include <filesystem>
#include <string>

#include <ftw.h>

#include "io/io_error.hpp"

namespace plumecast {

/// Brings a file or a folder's list of names to the disk; 0 or the error (errno). Takes no memory.
int sync_error(const char* path) noexcept;
/// The same. Throws IoError.
void sync_to_disk(const std::filesystem::path& path);

/// Calls `visit` for a path and all below it, as nftw() of POSIX does, until it returns another value than 0: that
/// value, 0, or why the walk failed (errno).
int walk_error(const std::filesystem::path& path, int (*visit)(const char*, const struct stat*, int, FTW*),
               int flags) noexcept;

/// Folder that holds `path`; "." for a bare name.
std::filesystem::path parent_of(const std::filesystem::path& path);

/// Hidden sibling ".<name>.<suffix>" of a path.
std::filesystem::path sibling(const std::filesystem::path& path, const std::string& suffix);

/// Swaps two folders in one step; false where the file system cannot. Throws IoError.
bool exchange(const std::filesystem::path& a, const std::filesystem::path& b);

/// Puts `fresh` in the place of `final_path` by two renames, the old version kept under `old` until they are done; a
/// reader that ran recover_folder() in between has done the second one for us. Throws IoError.
void replace_by_renames(const std::filesystem::path& fresh, const std::filesystem::path& final_path,
                        const std::filesystem::path& old);

}  // namespace plumecast
