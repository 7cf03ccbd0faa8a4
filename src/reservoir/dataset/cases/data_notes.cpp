#include <plumecast/reservoir/dataset/cases/data_notes.hpp>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reservoir/dataset/cases/copied_notes.hpp"
#include "reservoir/dataset/cases/saturation_tables.hpp"
#include "reservoir/dataset/cases/start_dates.hpp"
#include "reservoir/h5/case_notes.hpp"

namespace plumecast {
namespace {

constexpr std::size_t most_cases_listed = 8;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

}  // namespace

std::string DataNote::line() const {
    if (holds_for_all) {
        return text;
    }
    if (cases.size() == 1) {
        return fmt::format("{} (case {})", text, cases[0]);
    }
    const auto shown = static_cast<std::ptrdiff_t>(std::min(cases.size(), most_cases_listed));
    return fmt::format(
        "{} (cases {}{})", text, fmt::join(cases.begin(), cases.begin() + shown, ", "),
        cases.size() > most_cases_listed ? fmt::format(" and {} more", cases.size() - most_cases_listed) : "");
}

std::vector<DataNote> grouped_notes(const std::vector<std::string>& texts) {
    std::vector<DataNote> notes;
    std::map<std::string, std::size_t> places;
    for (std::size_t which = 0; which < texts.size(); ++which) {
        for (std::size_t at = 0; at < texts[which].size();) {
            const std::size_t end = std::min(texts[which].find('\n', at), texts[which].size());
            std::string text = texts[which].substr(at, end - at);
            at = end + 1;
            if (text.empty()) {
                continue;
            }
            std::ranges::replace_if(text, is_control, '?');  // a file from elsewhere may hold any text
            const auto [place, is_new] = places.try_emplace(text, notes.size());
            if (is_new) {
                notes.push_back({text, {}, false});
            }
            std::vector<std::int64_t>& cases = notes[place->second].cases;
            if (cases.empty() || cases.back() != static_cast<std::int64_t>(which)) {
                cases.push_back(static_cast<std::int64_t>(which));
            }
        }
    }
    for (DataNote& note : notes) {
        note.holds_for_all = note.cases.size() == texts.size();
    }
    return notes;
}

std::string text_of_notes(const std::vector<std::string>& notes) { return fmt::to_string(fmt::join(notes, "\n")); }

std::vector<DataNote> data_notes(const std::string& path) {
    return grouped_notes(case_texts(path, std::string(data_notes_name)));
}

std::vector<std::string> case_notes_of(const std::string& path, std::int64_t cases) {
    std::vector<std::string> texts = case_texts(path, std::string(data_notes_name));
    return static_cast<std::int64_t>(texts.size()) == cases ? texts : std::vector<std::string>();
}

void write_notes(h5::File& file, const std::vector<std::string>& texts) {
    if (std::ranges::all_of(texts, [](const std::string& text) { return text.empty(); })) {
        return;
    }
    const std::string array = "/case/" + std::string(data_notes_name);
    file.write_texts(array, texts);
    file.set_text(array, "units", "1");
    file.set_text(array, "long_name", "what the source says and the data set cannot carry");
}

void copy_run_texts(const std::string& from, h5::File& to) {
    const std::pair<std::string_view, const char*> kinds[] = {{start_dates_name, "date of time 0"},
                                                              {saturation_tables_name, saturation_tables_name.data()}};
    for (const auto& [name, long_name] : kinds) {
        const std::string array = "/case/" + std::string(name);
        const std::vector<std::string> texts = case_texts(from, std::string(name));
        if (!texts.empty()) {
            to.write_texts(array, texts);
            to.set_text(array, "units", "1");
            to.set_text(array, "long_name", long_name);
        }
    }
}

bool has_trust_reasons(const std::string& path) { return !case_texts(path, "trust_reasons").empty(); }

}  // namespace plumecast
