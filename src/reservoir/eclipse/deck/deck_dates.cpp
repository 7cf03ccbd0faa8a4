#include "reservoir/eclipse/deck/deck_dates.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <optional>
#include <string_view>

#include "core/text/ascii.hpp"

namespace plumecast::eclipse {
namespace {

std::optional<int> whole_number(const std::string& text) {
    int value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && stop == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// 1 to 12; 0 for what is no month of a deck.
unsigned month_of(const std::string& name) {
    constexpr std::array<std::string_view, 13> months = {"JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL",
                                                         "AUG", "SEP", "OCT", "NOV", "DEC", "JLY"};
    const auto found = std::ranges::find(months, name);
    return found == months.end()       ? 0
           : found == months.end() - 1 ? 7
                                       : static_cast<unsigned>(found - months.begin()) + 1;
}

/// Whether the first three words of a record are day, month and year of the calendar. Words left to the simulator
/// (`1*`) are none that can be wrong.
bool is_date(const std::vector<std::string>& record) {
    using namespace std::chrono;
    if (std::ranges::any_of(record, [](const std::string& word) { return word.ends_with('*'); })) {
        return true;
    }
    const auto day_of_month = record.size() < 3 ? std::nullopt : whole_number(record[0]);
    const auto year_number = record.size() < 3 ? std::nullopt : whole_number(record[2]);
    return day_of_month && year_number && *day_of_month > 0 && *year_number > 0 && *year_number < 10000 &&
           year_month_day(year(*year_number), month(month_of(upper(record[1]))),
                          day(static_cast<unsigned>(*day_of_month)))
               .ok();
}

}  // namespace

std::vector<std::string> wrong_dates(DeckWords& words, bool is_list) {
    std::vector<std::string> wrong;
    do {
        std::vector<std::string> record;
        DeckWord word = words.next();
        for (; !word.is_end() && !word.closes(); word = words.next()) {
            if (record.empty() && word.is_name() && !word.is_quoted) {  // the empty record is missing
                words.put_back(word);
                return wrong;
            }
            record.push_back(word.text);
        }
        if (record.empty()) {
            return wrong;
        }
        if (!is_date(record)) {
            std::string text;
            for (const std::string& part : record) {
                text += (text.empty() ? "" : " ") + printable(part);
            }
            wrong.push_back(text.substr(0, 40));
        }
        if (word.is_end()) {
            return wrong;
        }
    } while (is_list);
    return wrong;
}

}  // namespace plumecast::eclipse
