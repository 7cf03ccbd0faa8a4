#include "reservoir/dataset/cases/case_schedule.hpp"

#include "reservoir/dataset/schedule.hpp"

namespace plumecast {

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
