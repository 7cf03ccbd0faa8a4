#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <plumecast/core/error.hpp>

#include "io/atomic_file.hpp"
#include "io/durable.hpp"
#include "io/writer_mark.hpp"

namespace plumecast {
namespace {

namespace fs = std::filesystem;

/// The file a link points to, there or not, so that writing through a link keeps the link.
fs::path resolved(fs::path path) {
    constexpr int most_links = 40;  // as the system follows
    std::error_code error;
    for (int links = 0; fs::is_symlink(path, error); ++links) {
        if (links == most_links) {
            throw IoError("cannot write '" + path.string() +
                          "' (a symbolic link that leads back to itself); name a file");
        }
        const fs::path target = fs::read_symlink(path, error);
        path = target.is_absolute() ? target : path.parent_path() / target;
    }
    return path;
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

AtomicFile::AtomicFile(const fs::path& final_path, Newcomer newcomer)
    : final_(resolved(final_path)), newcomer_(newcomer), before_(stamp_of(final_)) {
    std::error_code ignored;
    const fs::file_status status = fs::status(final_, ignored);
    if (fs::is_directory(status) || (!final_.has_filename() && !final_.empty())) {
        throw IoError("cannot write '" + final_.string() + "' (it names a folder); name a file");
    }
    if (final_.empty() || (fs::exists(status) && !fs::is_regular_file(status))) {
        throw IoError("cannot write '" + final_.string() + "' (it is not an ordinary file); name a file");
    }
    temporary_ = create_beside(final_);
}

AtomicFile::Stamp AtomicFile::stamp_of(const fs::path& path) {
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0) {
        return {};
    }
    return {static_cast<std::int64_t>(found.st_dev), static_cast<std::int64_t>(found.st_ino), found.st_size,
            found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
}

void AtomicFile::refuse_place(const std::string& reason) {
    const std::string name = (parent_of(final_) / final_.filename()).string() + ".kept";
    fs::path kept = name;
    for (int n = 2; fs::exists(fs::symlink_status(kept)); ++n) {
        kept = name + std::to_string(n);
    }
    is_committed_ = std::rename(temporary_.c_str(), kept.c_str()) == 0;
    throw IoError("cannot put '" + final_.string() + "' in place (" + reason + "); " +
                  (is_committed_ ? "what was written is kept as '" + kept.string() + "'" : "name another file"));
}

AtomicFile::~AtomicFile() {
    if (!is_committed_) {
        std::error_code ignored;
        fs::remove(temporary_, ignored);
    }
}

void AtomicFile::commit() {
    sync_to_disk(temporary_);
    if (newcomer_ == Newcomer::kept && stamp_of(final_) != before_) {
        refuse_place("somebody else has written it meanwhile");
    }
    std::error_code absent;
    if (const fs::file_status former = fs::status(final_, absent); fs::exists(former)) {
        fs::permissions(temporary_, former.permissions(), absent);
    }
    if (std::rename(temporary_.c_str(), final_.c_str()) != 0) {
        refuse_place(std::generic_category().message(errno));
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
