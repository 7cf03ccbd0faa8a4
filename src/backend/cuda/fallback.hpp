#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include <plumecast/core/log.hpp>

namespace plumecast::cuda {

/// One way to do a thing: its name, and what does it or, with nothing done that matters, returns false.
struct Way {
    const char* name;
    std::function<bool()> take;
};

/// Does each kind of work by the first of several ways that does not refuse it. A way that refused a kind is not tried
/// for it again, and the log hears once which way it is instead. For any number of threads.
template <class Key>
class Fallback {
   public:
    explicit Fallback(LogSink log) : log_(std::move(log)) {}

    /// The ways of a kind are the same in every call, the best first. `what` names the kind. False when all refuse.
    bool run(const Key& kind, std::initializer_list<Way> ways, const std::function<std::string()>& what) {
        const std::size_t before = first_of(kind);
        std::size_t first = before;
        while (first < ways.size() && !ways.begin()[first].take()) {
            ++first;
        }
        if (first > before && moves(kind, first) && log_) {
            log_(Severity::warning, std::string(ways.begin()[before].name) + " refuses " + what() + "; " +
                                        (first < ways.size() ? ways.begin()[first].name + std::string(" does it")
                                                             : std::string("nothing else does it")));
        }
        return first < ways.size();
    }

   private:
    std::size_t first_of(const Key& kind) {
        const std::lock_guard lock(mutex_);
        return first_[kind];
    }
    /// Whether this thread is the first to find that the ways before this one refuse.
    bool moves(const Key& kind, std::size_t way) {
        const std::lock_guard lock(mutex_);
        return std::exchange(first_[kind], std::max(first_[kind], way)) < way;
    }

    LogSink log_;
    std::mutex mutex_;
    std::map<Key, std::size_t> first_;
};

}  // namespace plumecast::cuda
