#include "reservoir/import/runs/running_total.hpp"

#include <algorithm>
#include <cmath>

namespace plumecast {
namespace {

// Times of the summary are single precision, those of the restart file double.
double slack(double day) { return 1e-6 * day + 1e-9; }

}  // namespace

double RunningTotal::at(double day) const {
    const auto after = std::ranges::lower_bound(days, day);
    if (after == days.begin() || after == days.end()) {
        return values.empty() ? 0.0 : after == days.end() ? values.back() : values.front();
    }
    const auto i = static_cast<std::size_t>(after - days.begin());
    const double share = (day - days[i - 1]) / (days[i] - days[i - 1]);
    return values[i - 1] + share * (values[i] - values[i - 1]);
}

void RunningTotal::add(double day, double value) {
    if (std::isfinite(day) && (days.empty() || day > days.back())) {
        days.push_back(day);
        values.push_back(value);
    }
}

std::vector<double> common_days(const std::vector<const RunningTotal*>& totals, double from, double to) {
    std::vector<double> all;
    for (const RunningTotal* total : totals) {
        all.insert(all.end(), total->days.begin(), total->days.end());
    }
    std::ranges::sort(all);
    std::vector<double> days = {from};
    for (const double day : all) {
        if (day > days.back() + slack(day) && day < to - slack(to)) {
            days.push_back(day);
        }
    }
    days.push_back(to);
    return days;
}

}  // namespace plumecast
