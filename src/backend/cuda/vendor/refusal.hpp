#pragma once

#include <cstddef>
#include <optional>

namespace plumecast::cuda {

/// Whether a status of cuDNN 9 says that it cannot do what was asked, rather than that the device failed: a wrong
/// parameter, a case that is not supported, or an error in finding a kernel for it (2000 to 4999).
constexpr bool is_refusal(int status) { return status >= 2000 && status < 5000; }

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
