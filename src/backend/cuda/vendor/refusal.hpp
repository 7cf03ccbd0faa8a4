#pragma once

#include <cstddef>
#include <map>
#include <optional>

namespace plumecast::cuda {

/// Whether a status of cuDNN 9 says that it cannot do what was asked, rather than that the device failed: a wrong
/// parameter, a case that is not supported, or an error in finding a kernel for it (2000 to 4999).
constexpr bool is_refusal(int status) { return status >= 2000 && status < 5000; }

/// The same of a status of cuBLAS: a wrong value, a missing feature of the device, or what is not supported.
constexpr bool is_refusal_of_products(int status) { return status == 7 || status == 8 || status == 15; }

/// The algorithm chosen for each kind of work, until it refuses what it was chosen for; it is not tried again then.
template <class Key, class Algorithm>
class ChosenAlgorithms {
   public:
    /// Whether there is one for the kind. `choose()` gives it, or nothing, and is asked once.
    template <class Choose>
    bool has(const Key& kind, const Choose& choose) {
        return known(kind, choose).has_value();
    }
    /// Runs `execute(algorithm)`, which is false, with nothing done, where it refuses; false where nothing does it.
    template <class Choose, class Execute>
    bool run(const Key& kind, const Choose& choose, const Execute& execute) {
        std::optional<Algorithm>& algorithm = known(kind, choose);
        if (algorithm && !execute(*algorithm)) {
            algorithm.reset();
        }
        return algorithm.has_value();
    }

   private:
    template <class Choose>
    std::optional<Algorithm>& known(const Key& kind, const Choose& choose) {
        auto found = known_.find(kind);
        if (found == known_.end()) {
            found = known_.emplace(kind, choose()).first;
        }
        return found->second;
    }

    std::map<Key, std::optional<Algorithm>> known_;
};

/// The first of several algorithms that takes a problem, found by the first runs, and the workspace that it then asked
/// for.
class AlgorithmChoice {
   public:
    /// Runs the first algorithm not yet refused; false when all of `count` are. `bytes(n)` is the workspace of
    /// algorithm n, empty where it refuses; `execute(n, bytes)` is false where it does.
    template <class Bytes, class Execute>
    bool run(std::size_t count, const Bytes& bytes, const Execute& execute) {
        for (; number_ < count; ++number_, bytes_.reset()) {
            if (!bytes_) {
                bytes_ = bytes(number_);
            }
            if (bytes_ && execute(number_, *bytes_)) {
                return true;
            }
        }
        return false;
    }

   private:
    std::size_t number_ = 0;
    std::optional<std::size_t> bytes_;
};

}  // namespace plumecast::cuda
