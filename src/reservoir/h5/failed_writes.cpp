#include "reservoir/h5/failed_writes.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <string_view>
#include <system_error>

#include <plumecast/core/error.hpp>

#include "reservoir/h5/remedies.hpp"
#include "reservoir/h5/session.hpp"

namespace plumecast::h5 {
namespace {

/// The library tells the system's error in the text of a message: "file write failed: ..., errno = 28, ...".
herr_t find_error_number(unsigned, const H5E_error2_t* error, void* target) {
    constexpr std::string_view mark = "errno = ";
    const std::string_view text = error->desc != nullptr ? error->desc : "";
    const std::size_t at = text.find(mark);
    if (at == std::string_view::npos) {
        return 0;
    }
    const std::string_view number = text.substr(at + mark.size());
    std::from_chars(number.data(), number.data() + number.size(), *static_cast<int*>(target));
    return 1;
}

}  // namespace

void require_room(std::uint64_t size, std::uint64_t bytes, const std::string& name) {
    constexpr std::uint64_t room_to_close = 64 * 1024;
    rlimit limit{};
    const bool is_limited = ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    if (is_limited && size + bytes + room_to_close > limit.rlim_cur) {
        throw IoError(name + ": cannot be written (" + std::generic_category().message(EFBIG) + "); " + write_remedy);
    }
}

WriteProblem write_problem() {
    WriteProblem problem;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, find_error_number, &problem.number);
    const std::string message = innermost_message();
    problem.text = problem.number != 0 ? std::generic_category().message(problem.number)
                   : message.empty()   ? "the HDF5 library refused"
                                       : "HDF5: " + message;
    return problem;
}

void discard_writes(hid_t file) noexcept {
    void* handle = nullptr;  // the ordinary driver has a file descriptor, an int
    if (H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0 || handle == nullptr) {
        return;
    }
    const int memory = ::memfd_create("discarded", MFD_CLOEXEC);  // of any length, as HDF5 cuts it when it closes
    if (memory >= 0) {
        ::dup3(memory, *static_cast<const int*>(handle), O_CLOEXEC);
        ::close(memory);
    }
}

herr_t close_unfinished(hid_t file) {
    if (H5Fflush(file, H5F_SCOPE_LOCAL) < 0) {
        discard_writes(file);
    }
    return H5Fclose(file);
}

}  // namespace plumecast::h5
