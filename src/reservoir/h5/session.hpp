#pragma once

#include <exception>
#include <mutex>
#include <string>
#include <type_traits>
#include <vector>

#include <hdf5.h>

namespace plumecast::h5 {

/// Held during every use of the HDF5 library: silences its own error printing in this thread and keeps other threads
/// out, since the library may have been built without thread safety.
class Session {
   public:
    Session();
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

   private:
    std::unique_lock<std::recursive_mutex> lock_;
    H5E_auto2_t print_ = nullptr;
    void* print_data_ = nullptr;
};

/// Does something in a function that the library calls. An exception must not pass through the library, which would
/// keep its lock for ever: it waits in `failure`, and the library gives up when it is told -1.
template <class Action>
herr_t called_back(std::exception_ptr& failure, Action action) noexcept {
    try {
        action();
        return 0;
    } catch (...) {
        failure = std::current_exception();
        return -1;
    }
}

/// Names that the library tells one after the other.
struct ToldNames {
    std::vector<std::string> names;
    std::exception_ptr failure;  ///< of a function that called_back()

    /// Sorted. Throws the failure.
    std::vector<std::string> sorted() &&;
};

/// What innermost_message() says where a filter failed and the library keeps to itself which one and why.
inline constexpr const char* failed_filter = "a checksum or compressed bytes do not fit";

/// The innermost message on the library's error stack; empty when there is none. Throws std::bad_alloc where that says
/// that the library got no memory: nothing is wrong with the file then.
std::string innermost_message();

/// Throws ErrorType with "`problem` (innermost library message); `remedy`" when a call returned a negative value, and
/// std::bad_alloc as innermost_message() does.
template <class ErrorType, class Result>
Result check(Result result, const std::string& problem, const std::string& remedy) {
    if constexpr (std::is_signed_v<Result>) {
        if (result >= 0) {
            return result;
        }
    } else {
        static_assert(std::is_signed_v<Result>, "calls report failure by a negative value");
    }
    const std::string reason = innermost_message();
    throw ErrorType(problem + " (" + (reason.empty() ? "the HDF5 library refused" : "HDF5: " + reason) + "); " +
                    remedy);
}

}  // namespace plumecast::h5
