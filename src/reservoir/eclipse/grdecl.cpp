#include "reservoir/eclipse/grdecl.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include <plumecast/core/error.hpp>

#include "reservoir/eclipse/deck/deck_dates.hpp"
#include "reservoir/eclipse/deck/deck_paths.hpp"
#include "reservoir/eclipse/deck/left_out.hpp"
#include "reservoir/eclipse/grid.hpp"

namespace plumecast::eclipse {
namespace {

constexpr int deepest_include = 8;
constexpr int most_includes = 256;
constexpr std::int64_t most_grdecl_values = std::int64_t{1} << 40;

/// What all files of a text share.
struct GrdeclState {
    DeckPaths paths;
    std::map<std::string, ValueRuns> arrays = {};
    LeftOut left_out = {};
    std::string units = {};
    std::optional<double> molality = {};
    int includes = 0;
    std::string local_grid = {};  ///< place of the keyword that began a local refinement; empty outside
    bool is_over = false;
};

class GrdeclReader {
   public:
    GrdeclReader(const std::filesystem::path& path, int depth, GrdeclState& state)
        : words_(path), depth_(depth), state_(state) {}

    void read();

   private:
    void take(const DeckWord& word);
    void take(const DeckWord& word, const std::string& name, const DeckKeyword& keyword);
    void include(const DeckWord& keyword);
    void unit(const std::string& name, const DeckWord& keyword);
    void unit_system(const std::string& given, const DeckWord& keyword);
    void array(const std::string& name, const DeckWord& keyword);
    void leave_out(const std::string& name, const DeckKeyword& keyword);
    bool skip_record(bool& has_neutral_values, std::optional<double> neutral);
    bool skip_records(DeckRecords records, std::optional<double> neutral);
    void skip_to_slash();
    void skip_unknown(bool is_unknown);
    void skip_part(const DeckWord& keyword);
    bool begins_keyword(const DeckWord& word);
    std::string place_of(const DeckWord& word) const { return words_.path() + ": byte " + std::to_string(word.at); }
    std::pair<std::int64_t, double> run_of(const DeckWord& word, bool may_default) const;

    DeckWords words_;
    int depth_;
    GrdeclState& state_;
    bool is_file_over_ = false;
};

void GrdeclReader::read() {
    for (DeckWord word = words_.next(); !word.is_end(); word = words_.next()) {
        if (word.is_name()) {
            take(word);
        } else if (!word.closes()) {  // a slash too many belongs to a keyword that was skipped
            words_.damaged(word.at, "'" + printable(word.text) + "' where a keyword should stand",
                           "a keyword starts with a letter");
        }
        if (is_file_over_ || state_.is_over) {
            return;
        }
    }
}

void GrdeclReader::take(const DeckWord& word) {
    const std::string name = word.name();
    const bool is_list = name == "DATES";
    if (name == "START" || is_list) {
        for (const std::string& date : wrong_dates(words_, is_list)) {
            state_.left_out.add(LeftOutKind::dates, name + " " + date);
        }
    }
    if (is_list) {
        state_.left_out.add(LeftOutKind::unknown, name);
    } else if (const auto keyword = deck_keyword(name); keyword && name != "START") {
        take(word, name, *keyword);
    } else if (!keyword) {
        state_.left_out.add(LeftOutKind::unknown, printable(name));
        skip_unknown(true);
    }
}

void GrdeclReader::take(const DeckWord& word, const std::string& name, const DeckKeyword& keyword) {
    const bool is_local = !state_.local_grid.empty();
    switch (keyword.role) {
        case DeckRole::array:
            if (is_local) {
                skip_records(DeckRecords::one, {});
                return;
            }
            return array(name, word);
        case DeckRole::include:
            return include(word);
        case DeckRole::paths:
            return state_.paths.read_aliases(words_);
        case DeckRole::grid_unit:
        case DeckRole::map_unit:
            return unit(name, word);
        case DeckRole::units:
            return unit_system(name, word);
        case DeckRole::title:
            return words_.skip_title();
        case DeckRole::skip:
            return skip_part(word);
        case DeckRole::end_file:
            is_file_over_ = true;
            return;
        case DeckRole::end_deck:
            state_.is_over = true;
            return;
        case DeckRole::local_grid:
            state_.local_grid = place_of(word) + ": " + name;
            return leave_out(name, keyword);
        case DeckRole::end_local:
            state_.local_grid.clear();
            return;
        case DeckRole::changes:
            if (is_local) {
                skip_records(keyword.records, {});
                return;
            }
            throw InvalidData(
                place_of(word) + ": " + name +
                " changes arrays (only a simulator can tell the result); import the INIT file of a run, or "
                "write the final arrays");
        case DeckRole::refused:
            throw InvalidData(
                place_of(word) + ": " + name + " " + std::string(keyword.reason) +
                " (only a simulator can tell the result); import the INIT file of a run, or write the final "
                "arrays into one file");
        case DeckRole::left_out:
            return leave_out(name, keyword);
        case DeckRole::harmless:
            if (lists_names(name)) {
                return skip_to_slash();
            }
            skip_records(keyword.records, {});
            return;
    }
}

void GrdeclReader::include(const DeckWord& keyword) {
    const DeckWord name = included_name(keyword, words_);
    if (depth_ == deepest_include || ++state_.includes > most_includes) {
        words_.damaged(keyword.at, "INCLUDE within 8 others, or after 256", "files may include each other for ever");
    }
    const std::filesystem::path path = state_.paths.file(name, words_);
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
        throw IoError(place_of(keyword) + ": INCLUDE '" + printable(name.text) + "' (no such file: '" + path.string() +
                      "'; letters may be small or large); copy it there, or correct the name");
    }
    GrdeclReader(path, depth_ + 1, state_).read();
}

/// GRIDUNIT or MAPUNITS; behind the former MAP says that the grid lies on the map as it is.
void GrdeclReader::unit(const std::string& name, const DeckWord& keyword) {
    const DeckWord unit = words_.next();
    const std::string text = unit.name().substr(0, unit.text.find(' '));
    const double metres = unit.closes() || text.empty() ? 1.0 : metres_in(text);
    if (metres == 0.0) {
        words_.damaged(unit.at, name + " '" + printable(unit.text) + "'", "METRES, FEET and CM are known",
                       "name one of them");
    }
    state_.arrays[name] = {{{1, metres}}, 1, place_of(keyword)};
    for (DeckWord word = unit; !word.is_end() && !word.closes(); word = words_.next()) {
        if (name == "GRIDUNIT" && word.name().starts_with("MAP")) {
            state_.arrays["GRIDMAP"] = {{{1, 1.0}}, 1, place_of(word)};
        } else if (word.at != unit.at && begins_keyword(word)) {
            words_.put_back(word);
            return;
        }
    }
}

void GrdeclReader::unit_system(const std::string& given, const DeckWord& keyword) {
    std::string name = given;
    if (given == "FILEUNIT") {
        name = words_.next().name();
        name.erase(std::min(name.find(' '), name.size()));
        const auto known = deck_keyword(name);
        if (!known || known->role != DeckRole::units || name == given) {
            words_.damaged(keyword.at, "FILEUNIT '" + printable(name) + "'",
                           "it is a system of units: METRIC, FIELD, LAB and PVT-M are known", "name one of them");
        }
        skip_records(DeckRecords::one, {});
    }
    if (!state_.units.empty() && state_.units != name) {
        words_.damaged(keyword.at, name + " behind " + state_.units, "a deck has one unit system");
    }
    state_.units = name;
}

void GrdeclReader::skip_to_slash() {
    for (DeckWord word = words_.next(); !word.is_end() && !word.closes(); word = words_.next()) {
    }
}

/// Whether a word stands where a keyword does, alone on its line, and is a known one.
bool GrdeclReader::begins_keyword(const DeckWord& word) {
    return word.is_first && word.is_name() && words_.is_alone() && deck_keyword(word.name()).has_value();
}

/// Up to the slash, or to the next keyword where there is none. True when the record holds anything.
bool GrdeclReader::skip_record(bool& has_neutral_values, std::optional<double> neutral) {
    bool holds_words = false;
    for (DeckWord word = words_.next(); !word.is_end() && !word.closes(); word = words_.next()) {
        if (begins_keyword(word)) {
            words_.put_back(word);
            return false;
        }
        holds_words = true;
        double value = 0.0;
        const std::string number = word.text.substr(word.text.find('*') + 1);
        if (neutral && !word.is_quoted && parse_fortran_number(number, value)) {
            has_neutral_values = has_neutral_values && value == *neutral;
        }
    }
    return holds_words;
}

/// Skips the records of a known keyword. True when all their numbers are `neutral`.
bool GrdeclReader::skip_records(DeckRecords records, std::optional<double> neutral) {
    bool has_neutral_values = neutral.has_value();
    if (records == DeckRecords::one) {
        skip_record(has_neutral_values, neutral);
    } else if (records == DeckRecords::list) {
        while (skip_record(has_neutral_values, neutral)) {
        }
    } else if (records == DeckRecords::open) {
        skip_unknown(false);
    }
    return has_neutral_values;
}

/// Skips all records of a keyword whose number is not known: up to a known keyword that stands alone on its line.
/// Another unknown one on the way is noted when the keyword is unknown itself.
void GrdeclReader::skip_unknown(bool is_unknown) {
    bool is_at_record = true;
    for (DeckWord word = words_.next(); !word.is_end(); word = words_.next()) {
        if (begins_keyword(word)) {
            words_.put_back(word);
            return;
        }
        if (word.is_first && word.is_name()) {
            const auto keyword = deck_keyword(word.name());
            if (keyword && is_at_record && keyword->role == DeckRole::include) {
                words_.put_back(word);
                return;
            }
            if (keyword && (keyword->role == DeckRole::array || keyword->role == DeckRole::changes)) {
                words_.damaged(word.at, word.name() + " behind a keyword whose records are not known",
                               "it may belong to that keyword; write it on a line of its own");
            }
            if (is_unknown && is_at_record && words_.is_alone()) {
                state_.left_out.add(LeftOutKind::unknown, printable(word.name()));
                continue;
            }
        }
        is_at_record = word.closes();
    }
}

void GrdeclReader::skip_part(const DeckWord& keyword) {
    DeckWord word = words_.next();
    while (!word.is_end() && !(word.is_first && word.name() == "ENDSKIP")) {
        word = words_.next();
    }
    if (word.is_end()) {
        words_.damaged(keyword.at, "SKIP without ENDSKIP", "where the deck goes on is not clear",
                       "add it, or copy the file again if it was cut short");
    }
}

void GrdeclReader::leave_out(const std::string& name, const DeckKeyword& keyword) {
    if (name == "SALINITY") {
        if (words_.has_remark()) {
            words_.skip_line();
        }
        if (const std::optional<double> number = number_of_record(words_)) {
            state_.molality = number;
        }
    } else if (!skip_records(keyword.records, neutral_value(name))) {
        state_.left_out.add(keyword.left_out, name);
    }
}

std::pair<std::int64_t, double> GrdeclReader::run_of(const DeckWord& word, bool may_default) const {
    const std::size_t star = word.text.find('*');
    std::int64_t repeats = 1;
    if (star != std::string::npos) {
        const char* end = word.text.data() + star;
        const auto [stop, error] = std::from_chars(word.text.data(), end, repeats);
        if (error != std::errc() || stop != end || repeats < 1) {
            words_.damaged(word.at, "'" + printable(word.text) + "'", "a repeat count is a whole number above 0");
        }
        if (star + 1 == word.text.size()) {
            if (!may_default) {
                words_.damaged(word.at, "'" + printable(word.text) + "' asks for a default",
                               "every cell needs a value");
            }
            return {repeats, std::numeric_limits<double>::quiet_NaN()};
        }
    }
    double value = 0.0;
    const std::string_view number = std::string_view(word.text).substr(star == std::string::npos ? 0 : star + 1);
    if (word.is_quoted || !parse_fortran_number(number, value) || !std::isfinite(value)) {
        words_.damaged(word.at, "'" + printable(word.text) + "'", "no number");
    }
    return {repeats, value};
}

void GrdeclReader::array(const std::string& name, const DeckWord& keyword) {
    ValueRuns values;
    values.place = place_of(keyword);
    if (state_.arrays.contains(name)) {
        words_.damaged(keyword.at, name + " is given twice", "which one counts is not clear");
    }
    if (words_.has_remark()) {
        words_.skip_line();
    }
    const bool is_extents = name == "SPECGRID" || name == "DIMENS";
    const bool may_default = takes_defaults(name);
    for (DeckWord word = words_.next(); !word.closes(); word = words_.next()) {
        if (word.is_end()) {
            words_.damaged(keyword.at, name + " has no end", "a slash closes it",
                           "add it, or copy the file again if it was cut short");
        }
        if (is_extents && values.count >= 3) {  // number of reservoirs, kind of coordinates
            if (word.name() == "T") {
                state_.arrays["CYLINDRICAL"] = {{{1, 1.0}}, 1, values.place};
            } else if (values.count == 3 && word.name() != "F" && !word.text.ends_with('*') && word.text != "1") {
                words_.damaged(word.at, name + " with " + printable(word.text) + " coordinate systems", "one is read");
            }
            continue;
        }
        const auto run = run_of(word, may_default);
        if (run.first > most_grdecl_values - values.count) {
            words_.damaged(word.at, name + " has more than 2^40 values", "no grid is that large");
        }
        values.count += run.first;
        values.runs.push_back(run);
    }
    state_.arrays.emplace(name, std::move(values));
}

}  // namespace

std::vector<double> ValueRuns::expand(std::int64_t expected, const std::string& keyword) const {
    if (count != expected) {
        throw InvalidData(place + ": " + keyword + " has " + std::to_string(count) + " values (the grid needs " +
                          std::to_string(expected) + "); " + (count < expected ? "complete" : "correct") + " it");
    }
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(count));
    for (const auto& [repeats, value] : runs) {
        values.insert(values.end(), static_cast<std::size_t>(repeats), value);
    }
    return values;
}

Grdecl read_grdecl_text(const std::filesystem::path& path) {
    GrdeclState state{DeckPaths(path.parent_path())};
    GrdeclReader(path, 0, state).read();
    if (!state.local_grid.empty()) {
        throw InvalidData(state.local_grid +
                          " without ENDFIN (which arrays belong to the main grid is not clear); add it");
    }
    return {std::move(state.arrays), std::move(state.units), state.molality, state.left_out.notes()};
}

}  // namespace plumecast::eclipse
