#include <plumecast/reservoir/case_physics/case_failures.hpp>

namespace plumecast {

void CaseFailures::add(std::int64_t which, const std::string& why) {
    const std::lock_guard lock(mutex_);
    reasons_.emplace(which, why);
}

bool CaseFailures::has(std::int64_t which) const {
    const std::lock_guard lock(mutex_);
    return reasons_.contains(which);
}

std::map<std::int64_t, std::string> CaseFailures::all() const {
    const std::lock_guard lock(mutex_);
    return reasons_;
}

}  // namespace plumecast
