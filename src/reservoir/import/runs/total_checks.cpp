#include "reservoir/import/runs/total_checks.hpp"

#include <cmath>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

constexpr double total_rounding = 1e-5;  // of a total, which the summary holds in single precision
constexpr double summary_slack = 1e-4;   // of the last day, by which the summary may end earlier

}  // namespace

void refuse_falling_total(const RunRecord& run, const RunningTotal& total, const std::string& what, double from,
                          double to) {
    for (std::size_t i = 1; i < total.days.size(); ++i) {
        const double before = total.values[i - 1];
        const bool falls = total.values[i] < before - total_rounding * std::abs(before);
        if (falls && total.days[i] > from && total.days[i - 1] < to) {
            throw InvalidData(fmt::format(
                "{}: {} falls from {:.4g} to {:.4g} sm3 on day {:.6g} (a total only grows: it was begun anew, or is of "
                "something else); {}let the simulator write one total",
                run.name, what, before, total.values[i], total.days[i],
                total.days[i - 1] > from ? fmt::format("choose times up to day {:.6g}, or ", total.days[i - 1] - from)
                                         : ""));
        }
    }
}

void refuse_short_summary(const RunRecord& run, double from, double to) {
    const double end = run.summary.days.empty() ? to : run.summary.days.back();
    if (end < to - summary_slack * to) {
        throw InvalidData(fmt::format(
            "{}: the summary ends on day {:.6g} (a state of day {:.6g} is imported, and nothing tells what was "
            "injected until then); copy the whole summary, or choose times up to day {:.6g}",
            run.name, end, to, end - from));
    }
}

}  // namespace plumecast
