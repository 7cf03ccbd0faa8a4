#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace plumecast {

/// Cases of a run that cannot be computed, and why, so that the others go on. Any number of threads may add and ask.
class CaseFailures {
   public:
    /// Keeps the first reason of a case, a message that names it.
    void add(std::int64_t which, const std::string& why);
    bool has(std::int64_t which) const;
    /// Reasons by case.
    std::map<std::int64_t, std::string> all() const;

   private:
    mutable std::mutex mutex_;
    std::map<std::int64_t, std::string> reasons_;
};

}  // namespace plumecast
