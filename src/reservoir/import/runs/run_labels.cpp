#include "reservoir/import/runs/run_labels.hpp"

#include <chrono>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/units.hpp"

namespace plumecast {
namespace {

constexpr double time_slack = 1e-4;  // relative

}  // namespace

std::string date_of(ReservoirModel& model, double day) {
    using namespace std::chrono;
    const auto start = model.start_date();
    if (!start || !(std::abs(day) < 1e7)) {
        return "";
    }
    const sys_seconds moment = *start + seconds(std::llround(day * seconds_per_day));
    const auto date = floor<days>(moment);
    const year_month_day calendar(date);
    const hh_mm_ss clock(moment - date);
    const std::string text =
        fmt::format("{:04}-{:02}-{:02}", static_cast<int>(calendar.year()), static_cast<unsigned>(calendar.month()),
                    static_cast<unsigned>(calendar.day()));
    return moment == date ? text
                          : fmt::format("{}T{:02}:{:02}:{:02}", text, clock.hours().count(), clock.minutes().count(),
                                        clock.seconds().count());
}

std::vector<float> pressures_at(ReservoirModel& model, double start, const std::vector<double>& times) {
    const auto known = model.bottom_hole_pressures(start);
    std::vector<float> pressures;
    for (std::size_t t = 0; t < times.size() && !known.empty(); ++t) {
        const double slack = time_slack * times[t];
        const auto at = known.lower_bound(times[t] - slack);
        const bool is_known = at != known.end() && at->first <= times[t] + slack;
        pressures.push_back(is_known ? static_cast<float>(at->second) : std::numeric_limits<float>::quiet_NaN());
    }
    return pressures;
}

}  // namespace plumecast
