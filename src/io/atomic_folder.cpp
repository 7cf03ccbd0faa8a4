#include <cerrno>
#include <cstdio>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <plumecast/core/error.hpp>

#include "io/atomic_file.hpp"
#include "io/durable.hpp"
#include "io/folders.hpp"

namespace plumecast {
namespace {

namespace fs = std::filesystem;

fs::path fresh_of(const fs::path& final_path) { return sibling(final_path, "new"); }
fs::path old_of(const fs::path& final_path) { return sibling(final_path, "old"); }

/// Without an exception: what we may not look at fails with a better message when it is opened.
bool is_there(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

fs::path without_slash(const fs::path& path) {
    fs::path plain = path.lexically_normal();
    return plain.has_filename() ? plain : plain.parent_path();
}

int sync_entry(const char* path, const struct stat*, int type, FTW*) {
    return type == FTW_SL ? 0 : sync_error(path);  // a folder that cannot be read (FTW_DNR) fails here
}

/// Locks a folder for this process; the lock goes with the process, however it ends.
int lock_folder(const fs::path& folder, const fs::path& final_path) {
    const int handle = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle < 0) {
        throw_io_error("open", folder, errno);
    }
    if (::flock(handle, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        ::close(handle);
        throw IoError("cannot write '" + final_path.string() +
                      "' (another process is writing it); wait for it or choose another folder");
    }
    return handle;
}

void sync_tree(const fs::path& folder) {
    if (const int error = walk_error(folder, sync_entry, FTW_PHYS)) {
        throw_io_error("bring to disk", folder, error);
    }
}

void take_place(const fs::path& fresh, const fs::path& final_path) {
    const fs::path old = old_of(final_path);
    if (!is_there(final_path)) {
        if (std::rename(fresh.c_str(), final_path.c_str()) != 0) {
            throw_io_error("put in place", final_path, errno);
        }
    } else if (!exchange(fresh, final_path)) {
        replace_by_renames(fresh, final_path, old);
    }
    sync_to_disk(parent_of(final_path));
}

}  // namespace

AtomicFolder::AtomicFolder(const fs::path& final_path)
    : final_(without_slash(final_path)), temporary_(fresh_of(final_)) {
    recover_folder(final_);
    if (is_there(final_) && !fs::is_directory(final_)) {
        throw IoError("cannot write '" + final_.string() + "' (it is a file, not a folder); choose another name");
    }
    if (is_there(temporary_)) {
        ::close(lock_folder(temporary_, final_));
        remove_tree(temporary_);
    }
    remove_tree(old_of(final_));
    if (::mkdir(temporary_.c_str(), 0777) != 0) {
        throw_io_error("write", final_, errno);
    }
    lock_ = lock_folder(temporary_, final_);
}

AtomicFolder::~AtomicFolder() {
    if (!is_committed_) {
        std::error_code ignored;
        remove_tree(temporary_, ignored);
    }
    ::close(lock_);
}

void AtomicFolder::commit() {
    sync_tree(temporary_);
    take_place(temporary_, final_);
    is_committed_ = true;
    remove_tree(temporary_);
    remove_tree(old_of(final_));
}

void recover_folder(const fs::path& final_path) {
    const fs::path target = without_slash(final_path);
    const fs::path old = old_of(target);
    if (is_there(target) || !is_there(old)) {
        return;
    }
    // The old version steps aside only once the new one is complete and on the disk, so the new one is good.
    if (std::rename(fresh_of(target).c_str(), target.c_str()) != 0 && std::rename(old.c_str(), target.c_str()) != 0 &&
        !is_there(target)) {
        throw_io_error("recover", target, errno);
    }
}

}  // namespace plumecast
