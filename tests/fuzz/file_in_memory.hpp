#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

namespace plumecast::testing {

/// A file of given content that never reaches a disk.
class FileInMemory {
   public:
    FileInMemory(const std::uint8_t* bytes, std::size_t count) : file_(::memfd_create("input", MFD_CLOEXEC)) {
        if (file_ < 0 || ::write(file_, bytes, count) != static_cast<ssize_t>(count)) {
            throw std::runtime_error("no file in memory");
        }
    }
    FileInMemory(const FileInMemory&) = delete;
    FileInMemory& operator=(const FileInMemory&) = delete;
    ~FileInMemory() { ::close(file_); }

    std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

   private:
    int file_;
};

}  // namespace plumecast::testing
