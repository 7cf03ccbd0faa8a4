#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <map>
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
/// for it again, and the log hears once which way it is instead.
template <class Key>
class Fallback {
   public:
    explicit Fallback(LogSink log) : log_(std::move(log)) {}

    /// The ways of a kind are the same in every call, the best first. `what` names the kind. False when all refuse.
    bool run(const Key& kind, std::initializer_list<Way> ways, const std::function<std::string()>& what) {
        std::size_t& first = first_[kind];
        const std::size_t before = first;
        while (first < ways.size() && !ways.begin()[first].take()) {
            ++first;
        }
        if (first == before) {
            return first < ways.size();
        }
        if (log_) {
            log_(Severity::warning, std::string(ways.begin()[before].name) + " refuses " + what() + "; " +
                                        (first < ways.size() ? ways.begin()[first].name + std::string(" does it")
                                                             : std::string("nothing else does it")));
        }
        return first < ways.size();
    }

   private:
    LogSink log_;
    std::map<Key, std::size_t> first_;
};

}  // namespace plumecast::cuda
