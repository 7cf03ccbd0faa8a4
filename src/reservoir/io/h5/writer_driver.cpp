#include "reservoir/io/h5/writer_driver.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <memory>
#include <new>

#include <plumecast/core/error.hpp>

namespace plumecast::h5 {
namespace {

struct Settings {
    int* failure;
};

// The library's part must come first: it sees only that.
struct OpenFile {
    H5FD_t library{};
    int descriptor = -1;
    haddr_t allocated = 0;
    haddr_t written = 0;
    int* failure = nullptr;
};

OpenFile* ours(H5FD_t* file) { return reinterpret_cast<OpenFile*>(file); }
const OpenFile* ours(const H5FD_t* file) { return reinterpret_cast<const OpenFile*>(file); }

H5FD_t* open_file(const char* name, unsigned, hid_t access, haddr_t) {
    const auto* settings = static_cast<const Settings*>(H5Pget_driver_info(access));
    // Without an exception, which must not pass through the library.
    std::unique_ptr<OpenFile> file(settings != nullptr ? new (std::nothrow) OpenFile : nullptr);
    if (file == nullptr) {
        return nullptr;
    }
    file->descriptor = ::open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    file->failure = settings->failure;
    return file->descriptor >= 0 ? &file.release()->library : nullptr;
}

herr_t close_file(H5FD_t* file) {
    const std::unique_ptr<OpenFile> owned(ours(file));
    if (::close(owned->descriptor) != 0 && *owned->failure == 0) {
        *owned->failure = errno;
    }
    return 0;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

haddr_t get_allocated(const H5FD_t* file, H5FD_mem_t) { return ours(file)->allocated; }

herr_t set_allocated(H5FD_t* file, H5FD_mem_t, haddr_t end) {
    ours(file)->allocated = end;
    return 0;
}

haddr_t get_written(const H5FD_t* file, H5FD_mem_t) { return std::max(ours(file)->written, ours(file)->allocated); }

herr_t read_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t count, void* out) {
    auto* to = static_cast<char*>(out);
    while (count > 0) {
        const ssize_t got = ::pread(ours(file)->descriptor, to, count, static_cast<off_t>(at));
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {  // what was allocated but never written reads as zero
            std::memset(to, 0, count);
            return 0;
        }
        to += got;
        at += static_cast<haddr_t>(got);
        count -= static_cast<std::size_t>(got);
    }
    return 0;
}

herr_t write_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t count, const void* in) {
    const auto* from = static_cast<const char*>(in);
    OpenFile* target = ours(file);
    target->written = std::max(target->written, at + count);
    while (count > 0 && *target->failure == 0) {
        const ssize_t put = ::pwrite(target->descriptor, from, count, static_cast<off_t>(at));
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put <= 0) {
            *target->failure = put < 0 ? errno : ENOSPC;
            return 0;
        }
        from += put;
        at += static_cast<haddr_t>(put);
        count -= static_cast<std::size_t>(put);
    }
    return 0;
}

H5FD_class_t driver_class() {
    H5FD_class_t driver{};
    driver.name = "plumecast_writer";
    driver.maxaddr = static_cast<haddr_t>(std::numeric_limits<off_t>::max());
    driver.fc_degree = H5F_CLOSE_STRONG;
    driver.fapl_size = sizeof(Settings);
    driver.open = open_file;
    driver.close = close_file;
    driver.query = query;
    driver.get_eoa = get_allocated;
    driver.set_eoa = set_allocated;
    driver.get_eof = get_written;
    driver.read = read_bytes;
    driver.write = write_bytes;
    const H5FD_mem_t map[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
    std::copy(std::begin(map), std::end(map), std::begin(driver.fl_map));
    return driver;
}

}  // namespace

void use_writer_driver(hid_t access, int& failure) {
    static const H5FD_class_t driver = driver_class();  // the library keeps a copy of the pointers it needs
    static const hid_t id = H5FDregister(&driver);
    const Settings settings{&failure};
    if (id < 0 || H5Pset_driver(access, id, &settings) < 0) {
        throw IoError("the HDF5 library refuses the writing driver (its version is not supported); use HDF5 1.10");
    }
}

}  // namespace plumecast::h5
