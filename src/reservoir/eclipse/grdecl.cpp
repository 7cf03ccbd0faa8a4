#include <plumecast/reservoir/eclipse/grdecl.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include <plumecast/core/error.hpp>
#include <plumecast/core/text/ascii.hpp>
#include <plumecast/reservoir/eclipse/grid.hpp>

#include "reservoir/eclipse/byte_source.hpp"

namespace plumecast::eclipse {
namespace {

constexpr int deepest_include = 8;
constexpr int most_includes = 256;
constexpr std::size_t longest_grdecl_word = 1024;
constexpr std::int64_t most_grdecl_values = std::int64_t{1} << 40;

constexpr std::array<std::string_view, 11> wanted = {"SPECGRID", "DIMENS", "COORD", "ZCORN", "ACTNUM", "PORO",
                                                     "NTG",      "PERMX",  "PERMY", "PERMZ", "PERMR"};
constexpr std::array<std::string_view, 13> changes = {"EQUALS",   "COPY",     "MULTIPLY", "ADD",      "BOX",
                                                      "MAXVALUE", "MINVALUE", "EQUALREG", "MULTIREG", "ADDREG",
                                                      "COPYREG",  "COPYBOX",  "OPERATE"};

struct Word {
    std::string text;
    std::int64_t at = 0;
    bool is_quoted = false;

    bool is_end() const { return text.empty() && !is_quoted; }
    bool closes() const { return !is_quoted && text == "/"; }
    /// Looks like a keyword: a letter first, which no value of an array has.
    bool is_keyword() const { return !is_quoted && !text.empty() && is_letter(text[0]); }
};

class GrdeclReader {
   public:
    GrdeclReader(const std::filesystem::path& path, const std::filesystem::path& folder, int depth, int& includes,
                 std::map<std::string, ValueRuns>& arrays)
        : source_(path), scanner_(source_), folder_(folder), depth_(depth), includes_(includes), arrays_(arrays) {}

    void read() {
        for (Word word = next(); !word.is_end(); word = next()) {
            if (!word.is_keyword()) {
                if (word.closes()) {
                    continue;  // of a keyword that was skipped
                }
                source_.damaged(word.at, "'" + printable(word.text) + "' where a keyword should stand",
                                "a keyword starts with a letter");
            }
            take(word);
        }
    }

   private:
    Word next();
    Word quoted(std::int64_t at);
    void take(const Word& keyword);
    void include(const Word& keyword);
    void unit();
    void array(const Word& keyword);
    void skip_values();
    std::pair<std::int64_t, double> run_of(const Word& word) const;

    ByteSource source_;
    Scanner scanner_;
    std::filesystem::path folder_;
    int depth_;
    int& includes_;  // of all files together
    std::map<std::string, ValueRuns>& arrays_;
    bool is_pushed_back_ = false;
    Word pushed_back_;
};

Word GrdeclReader::quoted(std::int64_t at) {
    Word word{"", at, true};
    scanner_.advance();
    for (int c = scanner_.peek(); c != '\''; c = scanner_.peek()) {
        if (c == Scanner::end_of_file || c == '\n' || word.text.size() > longest_grdecl_word) {
            source_.damaged(at, "a quote that nothing closes", "texts end on their line");
        }
        word.text += static_cast<char>(c);
        scanner_.advance();
    }
    scanner_.advance();
    return word;
}

/// The next word outside comments; what follows a slash on its line is a comment too.
Word GrdeclReader::next() {
    if (is_pushed_back_) {
        is_pushed_back_ = false;
        return pushed_back_;
    }
    const auto skip_line = [this] {
        while (scanner_.peek() != '\n' && scanner_.peek() != Scanner::end_of_file) {
            scanner_.advance();
        }
    };
    for (;;) {
        scanner_.skip_blanks();
        Word word{"", scanner_.position(), false};
        int c = scanner_.peek();
        if (c == '\'') {
            return quoted(word.at);
        }
        while (c != Scanner::end_of_file && !is_space(static_cast<char>(c)) && c != '\'' && c != '/') {
            word.text += static_cast<char>(c);
            scanner_.advance();
            c = scanner_.peek();
            if (word.text == "--") {
                break;
            }
            if (word.text.size() > longest_grdecl_word) {
                source_.damaged(word.at, "a word of more than 1024 characters",
                                "this is no text of keywords and values");
            }
        }
        if (word.text == "--") {
            skip_line();
            continue;
        }
        if (word.text.empty() && c == '/') {
            word.text = "/";
            skip_line();
        } else if (word.text.empty() && c != Scanner::end_of_file) {
            scanner_.advance();  // a blank of another kind, such as a form feed
            continue;
        }
        return word;
    }
}

void GrdeclReader::take(const Word& keyword) {
    const std::string name = upper(keyword.text);
    if (std::ranges::find(changes, name) != changes.end()) {
        throw InvalidData(source_.path() + ": byte " + std::to_string(keyword.at) + ": " + name +
                          " changes arrays (only a simulator can tell the result); import the INIT file of a run, or "
                          "write the final arrays");
    }
    if (name == "INCLUDE") {
        include(keyword);
    } else if (name == "GRIDUNIT") {
        unit();
    } else if (std::ranges::find(wanted, name) != wanted.end()) {
        array({name, keyword.at, false});
    } else {
        skip_values();
    }
}

void GrdeclReader::include(const Word& keyword) {
    const Word name = next();
    if (name.is_end() || name.closes()) {
        source_.damaged(keyword.at, "INCLUDE without a file name", "a name and a slash follow it");
    }
    if (depth_ == deepest_include || ++includes_ > most_includes) {
        source_.damaged(keyword.at, "INCLUDE within 8 others, or after 256", "files may include each other for ever");
    }
    GrdeclReader(folder_ / name.text, folder_, depth_ + 1, includes_, arrays_).read();
}

void GrdeclReader::unit() {
    const Word name = next();
    const double metres = metres_in(name.text.substr(0, name.text.find(' ')));
    if (metres == 0.0) {
        source_.damaged(name.at, "GRIDUNIT '" + printable(name.text) + "'", "it must be METRES, FEET or CM");
    }
    arrays_["GRIDUNIT"] = {{{1, metres}}, 1, source_.path() + ": byte " + std::to_string(name.at)};
    skip_values();
}

/// Up to the slash, or to the next keyword when there is none; texts between quotes never are keywords.
void GrdeclReader::skip_values() {
    for (Word word = next(); !word.is_end() && !word.closes(); word = next()) {
        if (word.is_keyword() && word.text.size() > 1) {
            pushed_back_ = word;
            is_pushed_back_ = true;
            return;
        }
    }
}

std::pair<std::int64_t, double> GrdeclReader::run_of(const Word& word) const {
    const std::size_t star = word.text.find('*');
    std::int64_t repeats = 1;
    if (star != std::string::npos) {
        const char* end = word.text.data() + star;
        const auto [stop, error] = std::from_chars(word.text.data(), end, repeats);
        if (error != std::errc() || stop != end || repeats < 1) {
            source_.damaged(word.at, "'" + printable(word.text) + "'", "a repeat count is a whole number above 0");
        }
        if (star + 1 == word.text.size()) {
            source_.damaged(word.at, "'" + printable(word.text) + "' asks for a default", "every cell needs a value");
        }
    }
    double value = 0.0;
    if (!parse_fortran_number(std::string_view(word.text).substr(star == std::string::npos ? 0 : star + 1), value)) {
        source_.damaged(word.at, "'" + printable(word.text) + "'", "no number");
    }
    return {repeats, value};
}

void GrdeclReader::array(const Word& keyword) {
    ValueRuns values;
    values.place = source_.path() + ": byte " + std::to_string(keyword.at);
    if (arrays_.contains(keyword.text)) {
        source_.damaged(keyword.at, keyword.text + " is given twice", "which one counts is not clear");
    }
    const bool is_extents = keyword.text == "SPECGRID" || keyword.text == "DIMENS";
    for (Word word = next(); !word.closes(); word = next()) {
        if (word.is_end()) {
            source_.damaged(keyword.at, keyword.text + " has no end", "a slash closes it");
        }
        if (is_extents && values.count == 3) {  // number of reservoirs, kind of coordinates
            if (word.text == "T") {
                arrays_["CYLINDRICAL"] = {{{1, 1.0}}, 1, values.place};
            }
            continue;
        }
        const auto run = run_of(word);
        if (run.first > most_grdecl_values - values.count) {
            source_.damaged(word.at, keyword.text + " has more than 2^40 values", "no grid is that large");
        }
        values.count += run.first;
        values.runs.push_back(run);
    }
    arrays_.emplace(keyword.text, std::move(values));
}

}  // namespace

std::vector<double> ValueRuns::expand(std::int64_t expected, const std::string& keyword) const {
    if (count != expected) {
        throw InvalidData(place + ": " + keyword + " has " + std::to_string(count) + " values (the grid needs " +
                          std::to_string(expected) + "); complete it");
    }
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(count));
    for (const auto& [repeats, value] : runs) {
        values.insert(values.end(), static_cast<std::size_t>(repeats), value);
    }
    return values;
}

std::map<std::string, ValueRuns> read_grdecl(const std::filesystem::path& path) {
    std::map<std::string, ValueRuns> arrays;
    int includes = 0;
    GrdeclReader(path, path.parent_path(), 0, includes, arrays).read();
    return arrays;
}

}  // namespace plumecast::eclipse
