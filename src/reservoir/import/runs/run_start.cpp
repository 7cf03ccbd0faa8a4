#include "reservoir/import/runs/run_start.hpp"

#include <cmath>

#include <fmt/format.h>

namespace plumecast {
namespace {

// Places in INTEHEAD, as the manuals of the format number them from 0.
constexpr std::size_t date_item = 64;  // day, month, year
constexpr std::size_t hour_item = 206;

/// Day, month, year and time of a state, as its head states them.
struct HeadDate {
    std::chrono::year_month_day date;
    std::chrono::minutes time;

    /// 0 for what it lacks.
    explicit HeadDate(const std::vector<double>& head) {
        const auto part = [&](std::size_t place) {
            return place < head.size() && head[place] >= 0.0 && head[place] < 1e5 ? static_cast<int>(head[place]) : 0;
        };
        date = {std::chrono::year(part(date_item + 2)), std::chrono::month(static_cast<unsigned>(part(date_item + 1))),
                std::chrono::day(static_cast<unsigned>(part(date_item)))};
        time = std::chrono::hours(part(hour_item)) + std::chrono::minutes(part(hour_item + 1));
    }
    bool is_stated() const { return date.year() != std::chrono::year(0); }
};

}  // namespace

std::optional<std::chrono::sys_seconds> run_start(const eclipse::Summary& summary, const std::vector<double>& head,
                                                  double day) {
    using namespace std::chrono;
    const HeadDate stated(head);
    if (summary.start || !stated.is_stated() || !stated.date.ok() || !(std::abs(day) < 1e7)) {
        return summary.start;
    }
    const sys_seconds moment = sys_days(stated.date) + stated.time;
    return moment - seconds(std::llround(day * 86400.0));
}

std::string wrong_run_start(const eclipse::Summary& summary, const std::vector<double>& head, double day) {
    std::string wrong = summary.wrong_start.empty() ? "" : "STARTDAT of the summary is " + summary.wrong_start;
    const HeadDate stated(head);
    if (wrong.empty() && !summary.start && stated.is_stated() && !stated.date.ok()) {
        wrong = fmt::format("INTEHEAD of the first state is of {}-{}-{}", static_cast<unsigned>(stated.date.day()),
                            static_cast<unsigned>(stated.date.month()), static_cast<int>(stated.date.year()));
    }
    return wrong.empty() ? ""
                         : fmt::format(
                               "{}, a day that the calendar does not have ({}); correct START of the deck, or "
                               "give the start to reports and exports",
                               wrong,
                               run_start(summary, head, day) ? "the date of the first state counts instead"
                                                             : "no date of the start is kept");
}

}  // namespace plumecast
