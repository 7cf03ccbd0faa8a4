#include "reservoir/io/h5/room.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace plumecast::h5 {
namespace {

bool is_want_of_room(int error) { return error == ENOSPC || error == EDQUOT || error == EFBIG || error == EIO; }

}  // namespace

int room_error(int descriptor, std::uint64_t begin, std::uint64_t end) {
    rlimit limit{};
    if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && end > limit.rlim_cur) {
        return EFBIG;
    }
    if (begin >= end) {
        return 0;
    }
    int status = 0;
    do {
        status =
            ::fallocate(descriptor, FALLOC_FL_KEEP_SIZE, static_cast<off_t>(begin), static_cast<off_t>(end - begin));
    } while (status != 0 && errno == EINTR);
    return status != 0 && is_want_of_room(errno) ? errno : 0;
}

int room_error(const char* path) {
    const int descriptor = ::open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        return 0;  // the library says why
    }
    const int error = room_error(descriptor, 0, room_to_close);
    ::close(descriptor);
    return error;
}

int descriptor_of(hid_t file) {
    void* handle = nullptr;
    return H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0 && handle != nullptr ? *static_cast<int*>(handle) : -1;
}

herr_t close_written(hid_t file) {
    if (H5Fflush(file, H5F_SCOPE_LOCAL) < 0) {
        const int descriptor = descriptor_of(file);
        const int memory = ::memfd_create("given up", MFD_CLOEXEC);
        if (descriptor >= 0 && memory >= 0) {
            ::dup3(memory, descriptor, O_CLOEXEC);
        }
        if (memory >= 0) {
            ::close(memory);
        }
    }
    return H5Fclose(file);
}

void give_back_room(int descriptor) {
    struct stat status {};
    if (::fstat(descriptor, &status) == 0) {
        // File systems in memory give space back only where the size changes; failure costs space alone.
        const bool is_changed = ::ftruncate(descriptor, status.st_size + 1) == 0;
        static_cast<void>(is_changed && ::ftruncate(descriptor, status.st_size) == 0);
    }
}

}  // namespace plumecast::h5
