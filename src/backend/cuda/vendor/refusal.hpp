#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include <plumecast/core/error.hpp>

namespace plumecast::cuda {

/// Whether a status of cuDNN 9 says that it cannot do what was asked, rather than that the device failed: a wrong
/// parameter, a case that is not supported, or an error in finding a kernel for it (2000 to 4999).
constexpr bool is_refusal(int status) { return status >= 2000 && status < 5000; }

/// The same of a status of cuBLAS: a wrong value, a missing feature of the device, or what is not supported.
constexpr bool is_refusal_of_products(int status) { return status == 7 || status == 8 || status == 15; }

/// Whether a status of cuBLAS, or of cuFFT, says that memory ran out. A smaller batch mends this and nothing else.
constexpr bool is_want_of_memory_for_products(int status) { return status == 3; }
constexpr bool is_want_of_memory_for_transforms(int status) { return status == 2; }

/// Throws OutOfMemory or DeviceError.
[[noreturn]] inline void throw_failure(const std::string& problem, bool is_want_of_memory) {
    if (is_want_of_memory) {
        throw OutOfMemory(problem);
    }
    throw DeviceError(problem);
}

/// The algorithm chosen for each kind of work, until it refuses what it was chosen for; it is not tried again then. For
/// any number of threads, which all take the same.
template <class Key, class Algorithm>
class ChosenAlgorithms {
   public:
    /// Whether there is one for the kind. `choose()` gives it, or nothing, and is asked once.
    template <class Choose>
    bool has(const Key& kind, const Choose& choose) {
        const std::lock_guard lock(mutex_);
        return known(kind, choose).has_value();
    }
    /// Runs `execute(algorithm)`, which is false, with nothing done, where it refuses; false where nothing does it.
    template <class Choose, class Execute>
    bool run(const Key& kind, const Choose& choose, const Execute& execute) {
        std::unique_lock lock(mutex_);
        std::optional<Algorithm>& chosen = known(kind, choose);
        const std::optional<Algorithm> algorithm = chosen;
        lock.unlock();
        if (algorithm && execute(*algorithm)) {
            return true;
        }
        lock.lock();
        chosen.reset();
        return false;
    }

   private:
    /// Its place stays where it is.
    template <class Choose>
    std::optional<Algorithm>& known(const Key& kind, const Choose& choose) {
        auto found = known_.find(kind);
        if (found == known_.end()) {
            found = known_.emplace(kind, choose()).first;
        }
        return found->second;
    }

    std::mutex mutex_;
    std::map<Key, std::optional<Algorithm>> known_;
};

}  // namespace plumecast::cuda
