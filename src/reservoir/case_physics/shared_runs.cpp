#include "reservoir/case_physics/shared_runs.hpp"

#include <algorithm>
#include <chrono>
#include <exception>

namespace plumecast {

namespace {

bool is_computed(const SharedRuns::Run& run) {
    return run.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

}  // namespace

SharedRuns::Run SharedRuns::run(std::int64_t which, RunTimes times, const std::function<PhysicsFields()>& compute) {
    std::promise<PhysicsFields> computed;
    Run run = computed.get_future().share();
    {
        const std::lock_guard lock(mutex_);
        const auto found =
            std::ranges::find_if(shared_, [&](const Shared& one) { return one.which == which && one.asked != times; });
        if (found != shared_.end()) {
            run = found->run;
            shared_.erase(found);
            return run;
        }
        const auto is_there = [](const Shared& one) { return is_computed(one.run); };
        while (static_cast<std::size_t>(std::ranges::count_if(shared_, is_there)) >= kept_) {
            shared_.erase(std::ranges::find_if(shared_, is_there));
        }
        shared_.push_back({which, times, run});
    }
    try {
        computed.set_value(compute());
    } catch (...) {
        computed.set_exception(std::current_exception());
    }
    return run;
}

void SharedRuns::forget() {
    const std::lock_guard lock(mutex_);
    std::erase_if(shared_, [](const Shared& one) { return is_computed(one.run); });
}

std::size_t SharedRuns::waiting() const {
    const std::lock_guard lock(mutex_);
    return shared_.size();
}

}  // namespace plumecast
