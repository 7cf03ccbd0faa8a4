#include "dates.hpp"

#include <cstdio>

#include <plumecast/core/error.hpp>

namespace plumecast::app {

std::chrono::sys_days date_of(const std::string& text) {
    int year = 0;
    unsigned month = 0;
    unsigned day = 0;
    char rest = 0;
    const bool is_read = std::sscanf(text.c_str(), "%d-%u-%u%c", &year, &month, &day, &rest) == 3;
    const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)};
    if (!is_read || !date.ok()) {
        throw InvalidInput("--start " + text +
                           " is no date (year, month and day are wanted); give for example 2030-01-01");
    }
    return date;
}

}  // namespace plumecast::app
