#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include <plumecast/core/error.hpp>

#include "io/atomic_file.hpp"
#include "io/durable.hpp"
#include "io/writer_mark.hpp"

namespace plumecast {
namespace {

namespace fs = std::filesystem;

/// The file a link points to, so that writing through a link keeps the link.
fs::path resolved(const fs::path& path) {
    std::error_code error;
    const fs::path target = fs::is_symlink(path, error) ? fs::weakly_canonical(path, error) : path;
    return error ? path : target;
}

fs::path create_beside(const fs::path& path) {
    std::random_device random;
    for (;;) {
        fs::path candidate = sibling(path, writer_mark() + "." + std::to_string(random()) + ".partial");
        const int file = ::open(candidate.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0) {
            ::close(file);
            return candidate;
        }
        if (errno != EEXIST) {
            throw_io_error("write", path, errno);
        }
    }
}

}  // namespace

AtomicFile::AtomicFile(const fs::path& final_path) : final_(resolved(final_path)) {
    std::error_code ignored;
    const fs::file_status status = fs::status(final_, ignored);
    if (!final_.has_filename() || (fs::exists(status) && !fs::is_regular_file(status))) {
        throw IoError("cannot write '" + final_.string() + "' (it is not an ordinary file); name a file");
    }
    temporary_ = create_beside(final_);
}

AtomicFile::~AtomicFile() {
    if (!is_committed_) {
        std::error_code ignored;
        fs::remove(temporary_, ignored);
    }
}

void AtomicFile::commit() {
    sync_to_disk(temporary_);
    if (std::rename(temporary_.c_str(), final_.c_str()) != 0) {
        throw_io_error("put in place", final_, errno);
    }
    is_committed_ = true;
    sync_to_disk(parent_of(final_));
}

void write_text_atomically(const fs::path& path, std::string_view text) {
    AtomicFile target(path);
    std::FILE* file = std::fopen(target.path().c_str(), "wbe");
    if (file == nullptr) {
        throw_io_error("write", path, errno);
    }
    int error = std::fwrite(text.data(), 1, text.size(), file) == text.size() ? 0 : errno;
    // Small texts reach the system only here, and so does the news that the disk is full.
    if (std::fclose(file) != 0 && error == 0) {
        error = errno;
    }
    if (error != 0) {
        throw_io_error("write", path, error);
    }
    target.commit();
}

}  // namespace plumecast
