#include "note_lines.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "core/number_text.hpp"

namespace plumecast::app {

std::vector<std::string> first_lines(const std::vector<DataNote>& notes) {
    constexpr std::size_t shown_notes = 10;
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < std::min(notes.size(), shown_notes); ++i) {
        lines.push_back(notes[i].line());
    }
    if (notes.size() > shown_notes) {
        lines.push_back(fmt::format("{}, which 'plumecast validate' lists",
                                    counted(static_cast<std::int64_t>(notes.size() - shown_notes), "further note")));
    }
    return lines;
}

void warn_of_notes(const std::vector<DataNote>& notes, Console& console) {
    for (const std::string& line : first_lines(notes)) {
        console.warn(line);
    }
}

Json notes_json(const std::vector<DataNote>& notes) {
    Json::Array list;
    for (const DataNote& note : notes) {
        Json::Array cases;
        for (const std::int64_t which : note.cases) {
            cases.emplace_back(which);
        }
        list.push_back(Json::Object{{"text", note.text}, {"cases", std::move(cases)}});
    }
    return list;
}

}  // namespace plumecast::app
