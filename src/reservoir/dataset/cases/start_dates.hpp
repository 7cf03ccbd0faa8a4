#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumecast {

/// Name under /case of the date of time 0 of each case [N], as ISO 8601 has it: "2030-06-01", "2030-06-01T12:00:00";
/// empty where it is not known.
inline constexpr std::string_view start_dates_name = "start_date";

/// When time 0 of a case is.
using StartDate = std::optional<std::chrono::sys_seconds>;

/// When time 0 of each of the `cases` cases of a file is [N]; none at all where the file does not say. Throws
/// InvalidData for a text that is no date and for another number of texts, and IoError.
std::vector<StartDate> start_dates(const std::string& path, std::int64_t cases);

/// Day 0 of cases of which nobody says when it was.
inline constexpr std::chrono::sys_days assumed_start = std::chrono::sys_days(std::chrono::year(2020) / 1 / 1);

/// Day 0 of one case: the date that was given, else the one that the file states (`stated` of start_dates()), else
/// `assumed_start`.
std::chrono::sys_seconds start_of(const std::optional<std::chrono::sys_days>& given,
                                  const std::vector<StartDate>& stated, std::int64_t number);

/// The first day that no date tells, after the year 32767.
inline constexpr std::chrono::sys_days end_of_calendar =
    std::chrono::sys_days(std::chrono::year::max() / 12 / 31) + std::chrono::days(1);

/// "2030-06-01" of a moment; empty from `end_of_calendar` on.
std::string date_text(std::chrono::sys_seconds moment);

/// The moment so many days after another.
std::chrono::sys_seconds days_after(std::chrono::sys_seconds start, double days);

}  // namespace plumecast
