#pragma once

#include <filesystem>
#include <string>

namespace plumecast::service {

/// A folder in TMPDIR, readable by this user alone, that is removed with what is in it.
class TemporaryFolder {
   public:
    /// Throws IoError where none can be made.
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::string path() const { return path_.string(); }
    std::string file(const char* name) const { return (path_ / name).string(); }

   private:
    std::filesystem::path path_;
};

}  // namespace plumecast::service
