#include "reservoir/dataset/cases/case_schedule.hpp"

#include "reservoir/dataset/schedule.hpp"

namespace plumecast {

std::vector<InjectionSchedule> schedules_of_wells(const Dataset& dataset, std::int64_t which) {
    const auto periods = static_cast<std::ptrdiff_t>(dataset.schedule_ends().size());
    if (periods == 0) {
        return {};
    }
    const std::vector<float>& rates = dataset.schedule_rates();
    const std::ptrdiff_t each = static_cast<std::ptrdiff_t>(rates.size()) / dataset.cases();
    std::vector<InjectionSchedule> wells;
    for (auto first = rates.begin() + which * each; first != rates.begin() + (which + 1) * each; first += periods) {
        wells.push_back({dataset.schedule_ends(), {first, first + periods}});
    }
    return wells;
}

InjectionSchedule stated_schedule(const Dataset& dataset, std::int64_t which) {
    return schedule_of_all_wells(dataset.schedule_ends(), dataset.schedule_rates(), dataset.cases(), which);
}

InjectionSchedule schedule_of(const Dataset& dataset, std::int64_t which) {
    if (dataset.schedule_ends().empty()) {
        return {};
    }
    const InjectionSchedule joined = stated_schedule(dataset, which).joined();
    const bool is_constant = joined.ends.size() == 1 && joined.ends[0] >= dataset.times().back();
    return is_constant ? InjectionSchedule() : joined;
}

}  // namespace plumecast
