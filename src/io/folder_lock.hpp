#pragma once

#include <filesystem>
#include <string>

namespace plumecast {

/// Keeps other runs out of a folder as long as it lives: the file `.lock` in it names host, process and start.
class FolderLock {
   public:
    /// Takes the lock of an existing folder; one that a process of this machine left when it was killed is taken over.
    /// `remedy` says what else to do than wait. Throws InvalidInput when another run holds it, IoError.
    FolderLock(const std::filesystem::path& folder, const std::string& remedy);
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;
    /// Removes the lock.
    ~FolderLock();

   private:
    std::filesystem::path path_;
    int file_ = -1;
};

}  // namespace plumecast
