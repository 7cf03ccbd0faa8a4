#include "io/durable.hpp"

#include <cerrno>
#include <cstdio>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <plumecast/core/error.hpp>

#include "io/hash.hpp"

namespace plumecast {
namespace {

namespace fs = std::filesystem;

void rename_or_throw(const fs::path& from, const fs::path& to) {
    if (std::rename(from.c_str(), to.c_str()) != 0) {
        throw_io_error("put in place", to, errno);
    }
}

}  // namespace

int sync_error(const char* path) noexcept {
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return errno;
    }
    const int error = ::fsync(file) == 0 ? 0 : errno;
    ::close(file);
    // Some file systems cannot sync a folder and say so with EINVAL; their names are as durable as they get.
    return error == EINVAL ? 0 : error;
}

int walk_error(const fs::path& path, int (*visit)(const char*, const struct stat*, int, FTW*), int flags) noexcept {
    constexpr int open_folders = 16;
    const int result = ::nftw(path.c_str(), visit, open_folders, flags);
    return result == -1 ? errno : result;
}

void sync_to_disk(const fs::path& path) {
    if (const int error = sync_error(path.c_str())) {
        throw_io_error("bring to disk", path, error);
    }
}

fs::path parent_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

namespace {

/// A file name that leaves room for a suffix within the 255 bytes that file systems take: a long one is cut between two
/// characters of UTF-8 and told apart by a hash.
std::string shortened(const std::string& name) {
    constexpr std::size_t most = 190, kept = 170;
    if (name.size() <= most) {
        return name;
    }
    std::size_t end = kept;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) {
        --end;
    }
    return name.substr(0, end) + "~" + sha256(name).substr(0, 12);
}

}  // namespace

fs::path sibling(const fs::path& path, const std::string& suffix) {
    return parent_of(path) / ("." + shortened(path.filename().string()) + "." + suffix);
}

bool exchange(const fs::path& a, const fs::path& b) {
    if (::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0) {
        return true;
    }
    if (errno == EINVAL || errno == ENOSYS || errno == ENOTSUP) {
        return false;
    }
    throw_io_error("put in place", b, errno);
}

void replace_by_renames(const fs::path& fresh, const fs::path& final_path, const fs::path& old) {
    rename_or_throw(final_path, old);
    if (std::rename(fresh.c_str(), final_path.c_str()) != 0) {
        const int error = errno;
        if (error != ENOENT || !fs::exists(final_path)) {
            throw_io_error("put in place", final_path, error);
        }
    }
}

}  // namespace plumecast
