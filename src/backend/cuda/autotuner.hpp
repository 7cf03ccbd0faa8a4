#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>

#include <plumecast/core/error.hpp>

namespace plumecast::cuda {

/// Which of several ways to do a thing is the fastest, found once for each kind of it. For any number of threads: while
/// one measures, the others wait, so that all take the same way.
template <class Key>
class Autotuner {
   public:
    /// The number of the way to take. Where the kind is new, `seconds` times every way; one that cannot be taken gives
    /// a negative time. Throws Error when none can be.
    std::size_t choose(const Key& kind, std::size_t ways, const std::function<double(std::size_t way)>& seconds) {
        const std::lock_guard lock(mutex_);
        const auto known = chosen_.find(kind);
        if (known != chosen_.end()) {
            return known->second;
        }
        std::size_t best = ways;
        double least = 0.0;
        for (std::size_t way = 0; way < ways; ++way) {
            const double spent = seconds(way);
            if (spent >= 0.0 && (best == ways || spent < least)) {
                best = way;
                least = spent;
            }
        }
        expects(best < ways, "a way that can be taken");
        chosen_.emplace(kind, best);
        return best;
    }
    /// Takes a way without timing any.
    void settle(const Key& kind, std::size_t way) {
        const std::lock_guard lock(mutex_);
        chosen_[kind] = way;
    }
    bool knows(const Key& kind) {
        const std::lock_guard lock(mutex_);
        return chosen_.contains(kind);
    }

   private:
    std::mutex mutex_;
    std::map<Key, std::size_t> chosen_;
};

}  // namespace plumecast::cuda
