#include "reservoir/import/runs/rate_periods.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "core/units.hpp"

namespace plumecast {
namespace {

constexpr double tolerated_departure = 2e-5;  // of what was injected until a day
constexpr double same_day = 1e-6;             // of a day in a file of single precision

}  // namespace

std::vector<RatePeriod> rate_periods(const RunningTotal& mass) {
    std::vector<RatePeriod> periods;
    std::size_t first = 0;
    while (first + 1 < mass.days.size()) {
        const double day = mass.days[first], sum = mass.values[first];
        const bool is_still = mass.values[first + 1] == sum;
        // Slopes of the lines from here that pass all days so far within what is tolerated.
        double least = -std::numeric_limits<double>::infinity(), most = -least, slope = 0.0;
        std::size_t last = first;
        for (std::size_t i = first + 1; i < mass.days.size(); ++i) {
            const double length = mass.days[i] - day, own = (mass.values[i] - sum) / length;
            const bool stands_still = mass.values[i] == mass.values[i - 1];
            if (stands_still != is_still || own < least || own > most) {
                break;
            }
            const double slack = tolerated_departure * mass.values[i] / length;
            least = std::max(least, own - slack);
            most = std::min(most, own + slack);
            slope = own;
            last = i;
        }
        periods.push_back({mass.days[last], slope * days_per_year});
        first = last;
    }
    return periods;
}

double mean_rate(const std::vector<std::vector<RatePeriod>>& wells) {
    double sum = 0.0, end = 0.0;
    for (const std::vector<RatePeriod>& periods : wells) {
        double before = 0.0;
        for (const RatePeriod& period : periods) {
            sum += period.rate * (period.end - before);
            end = period.rate > 0.0 ? std::max(end, period.end) : end;
            before = period.end;
        }
    }
    return end > 0.0 ? sum / end : 0.0;
}

std::vector<double> common_ends(const std::vector<std::vector<std::vector<RatePeriod>>>& cases) {
    std::vector<double> ends;
    for (const auto& wells : cases) {
        for (const std::vector<RatePeriod>& periods : wells) {
            for (const RatePeriod& period : periods) {
                ends.push_back(period.end);
            }
        }
    }
    std::ranges::sort(ends);
    const auto is_same = [](double one, double other) { return other - one <= same_day * other; };
    ends.erase(std::unique(ends.begin(), ends.end(), is_same), ends.end());
    return ends;
}

std::vector<float> rates_within(const std::vector<RatePeriod>& periods, const std::vector<double>& ends) {
    std::vector<float> rates;
    double before = 0.0;
    for (const double end : ends) {
        const double middle = 0.5 * (before + end);
        const auto own = std::ranges::find_if(periods, [middle](const RatePeriod& one) { return one.end > middle; });
        rates.push_back(own == periods.end() ? 0.0F : static_cast<float>(own->rate));
        before = end;
    }
    return rates;
}

}  // namespace plumecast
