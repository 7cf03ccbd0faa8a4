#include "reservoir/import/runs/well_shares.hpp"

#include <algorithm>
#include <cmath>

namespace plumecast {
namespace {

constexpr double stretch = 0.01;  // of the gas
constexpr double tolerated_change = 0.01;
// Of the total of a run, which the summary holds in single precision: a stretch is longer than what rounding hides.
constexpr double rounding = 1e-5;

double all_wells(const InjectionHistory& history, std::size_t day) {
    double sum = 0.0;
    for (const WellInjection& well : history.wells) {
        sum += well.volumes[day];
    }
    return sum;
}

}  // namespace

std::vector<WellShare> well_shares(const InjectionHistory& history) {
    const std::size_t last = history.days.size() - 1;
    const double all = all_wells(history, last);
    std::vector<WellShare> shares;
    if (!(all > 0.0)) {
        return shares;
    }
    for (const WellInjection& well : history.wells) {
        shares.push_back({well.name, 1.0, 0.0, well.volumes[last] / all});
    }
    const double least = std::max(stretch * all, rounding * (history.before + all));
    std::size_t begin = 0;
    for (std::size_t day = 1; day <= last; ++day) {
        const double volume = all_wells(history, day) - all_wells(history, begin);
        if (volume < least * (1.0 - 1e-6)) {
            continue;
        }
        for (std::size_t w = 0; w < shares.size(); ++w) {
            const double share = (history.wells[w].volumes[day] - history.wells[w].volumes[begin]) / volume;
            shares[w].least = std::min(shares[w].least, share);
            shares[w].most = std::max(shares[w].most, share);
        }
        begin = day;
    }
    return shares;
}

bool do_change(const std::vector<WellShare>& shares) {
    return std::ranges::any_of(shares,
                               [](const WellShare& share) { return share.most - share.least > tolerated_change; });
}

double misplaced(const InjectionHistory& history, const std::vector<WellShare>& shares) {
    double most = 0.0;
    for (std::size_t day = 0; day < history.days.size() && !shares.empty(); ++day) {
        double elsewhere = 0.0;
        for (std::size_t w = 0; w < shares.size(); ++w) {
            elsewhere += 0.5 * std::abs(history.wells[w].volumes[day] - shares[w].mean * all_wells(history, day));
        }
        most = std::max(most, elsewhere / all_wells(history, history.days.size() - 1));
    }
    return most;
}

}  // namespace plumecast
