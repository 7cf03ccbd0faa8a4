#pragma once

#include <mutex>
#include <string>
#include <type_traits>

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

/// The innermost message on the library's error stack; empty when there is none.
std::string innermost_message();

/// Throws ErrorType with "`problem` (innermost library message); `remedy`" when a call returned a negative value.
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
