#include "reservoir/dataset/cases/start_dates.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "core/units.hpp"
#include "reservoir/h5/case_notes.hpp"

namespace plumecast {
namespace {

using namespace std::chrono;

/// The number that `text` is, digits alone; nothing for others.
std::optional<unsigned> digits_of(std::string_view text) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// Three numbers between the same marks: "2030-06-01", "12:00:00".
std::optional<std::array<unsigned, 3>> three_numbers(std::string_view text, char mark) {
    const std::size_t first = text.find(mark), second = text.rfind(mark);
    if (first == std::string_view::npos || second == first) {
        return std::nullopt;
    }
    const auto a = digits_of(text.substr(0, first)), b = digits_of(text.substr(first + 1, second - first - 1)),
               c = digits_of(text.substr(second + 1));
    return a && b && c ? std::optional(std::array{*a, *b, *c}) : std::nullopt;
}

StartDate moment_of(std::string_view text) {
    const std::size_t mark = text.find('T');
    const auto date = three_numbers(text.substr(0, mark), '-');
    const auto clock =
        mark == std::string_view::npos ? std::array{0U, 0U, 0U} : three_numbers(text.substr(mark + 1), ':');
    if (!date || !clock || (*date)[0] > 9999 || (*clock)[0] > 23 || (*clock)[1] > 59 || (*clock)[2] > 59) {
        return std::nullopt;
    }
    const year_month_day calendar(year(static_cast<int>((*date)[0])), month((*date)[1]), day((*date)[2]));
    if (!calendar.ok()) {
        return std::nullopt;
    }
    return sys_days(calendar) + hours((*clock)[0]) + minutes((*clock)[1]) + seconds((*clock)[2]);
}

}  // namespace

std::vector<StartDate> start_dates(const std::string& path, std::int64_t cases) {
    const std::vector<std::string> texts = case_texts(path, std::string(start_dates_name));
    if (!texts.empty() && static_cast<std::int64_t>(texts.size()) != cases) {
        throw InvalidData(fmt::format(
            "{}: /case/{} has {} for {} (nobody knows of which case one is); give it one of each case, "
            "or leave it out",
            path, start_dates_name, counted(static_cast<std::int64_t>(texts.size()), "date"), counted(cases, "case")));
    }
    std::vector<StartDate> dates;
    for (const std::string& text : texts) {
        dates.push_back(moment_of(text));
        if (!dates.back() && !text.empty()) {
            throw InvalidData(
                fmt::format("{}: /case/{} of case {} is '{}' (no date of time 0, as 2030-06-01 or "
                            "2030-06-01T12:00:00 would be); correct it, or leave it empty",
                            path, start_dates_name, dates.size() - 1, text));
        }
    }
    return dates;
}

sys_seconds start_of(const std::optional<sys_days>& given, const std::vector<StartDate>& stated, std::int64_t number) {
    const auto at = static_cast<std::size_t>(number);
    if (given) {
        return *given;
    }
    return at < stated.size() ? stated[at].value_or(assumed_start) : sys_seconds(assumed_start);
}

std::string date_text(sys_seconds moment) {
    if (moment >= end_of_calendar) {
        return "";
    }
    const year_month_day date(floor<days>(moment));
    return fmt::format("{:04d}-{:02d}-{:02d}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                       static_cast<unsigned>(date.day()));
}

sys_seconds days_after(sys_seconds start, double days) {
    return start + seconds(static_cast<std::int64_t>(std::floor(days * seconds_per_day)));
}

}  // namespace plumecast
