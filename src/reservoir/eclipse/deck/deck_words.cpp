#include "reservoir/eclipse/deck/deck_words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <plumecast/core/error.hpp>

#include "core/text/ascii.hpp"

namespace plumecast::eclipse {
namespace {

constexpr std::size_t longest_deck_word = 1024;

bool ends_line(int c) { return c == '\n' || c == '\r' || c == Scanner::end_of_file; }

}  // namespace

bool DeckWord::is_name() const {
    const auto first = text.empty() ? char{} : text[0];
    return !is_quoted && ((first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z'));
}

std::string DeckWord::name() const {
    std::string name = text;
    std::ranges::transform(name, name.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return name;
}

DeckWords::DeckWords(const std::filesystem::path& path) : source_(path), scanner_(source_) { check_encoding(); }

void DeckWords::check_encoding() {
    std::array<char, 3> first{};
    const auto count = static_cast<std::size_t>(std::min<std::int64_t>(source_.size(), first.size()));
    source_.read(0, std::span(first).first(count));
    const auto is = [&](std::size_t at, int byte) {
        return at < count && static_cast<unsigned char>(first[at]) == byte;
    };
    const bool has_wide_mark = (is(0, 0xFF) && is(1, 0xFE)) || (is(0, 0xFE) && is(1, 0xFF));
    if (has_wide_mark || is(0, 0) || is(1, 0)) {
        throw InvalidData(path() +
                          ": text in UTF-16 (a deck has one byte per character); save it as UTF-8 or as plain "
                          "text");
    }
    if (is(0, 0xEF) && is(1, 0xBB) && is(2, 0xBF)) {
        scanner_.move_to(3);
    }
}

void DeckWords::skip_line() {
    while (!ends_line(scanner_.peek())) {
        scanner_.advance();
    }
}

/// Up to the next character of a word; form feeds and their kin are blanks too, and so is the mark of DOS for an end.
void DeckWords::skip_blanks() {
    constexpr int end_of_dos_file = 0x1A;
    const auto is_blank = [](int c) {
        return c != Scanner::end_of_file && (is_space(static_cast<char>(c)) || c == end_of_dos_file);
    };
    for (int c = scanner_.peek(); is_blank(c); c = scanner_.peek()) {
        is_line_begun_ = is_line_begun_ && !ends_line(c);
        scanner_.advance();
    }
}

/// Whether two hyphens stand here; the scanner stays where it is.
bool DeckWords::starts_comment() {
    if (scanner_.peek() != '-') {
        return false;
    }
    scanner_.advance();
    const bool is_comment = scanner_.peek() == '-';
    scanner_.move_to(scanner_.position() - 1);
    return is_comment;
}

DeckWord DeckWords::quoted(DeckWord word) {
    const int quote = scanner_.peek();
    word.is_quoted = true;
    scanner_.advance();
    for (int c = scanner_.peek(); c != quote; c = scanner_.peek()) {
        if (ends_line(c) || word.text.size() > longest_deck_word) {
            damaged(word.at, "a quote that nothing closes", "texts end on their line",
                    "add it, or copy the file again if it was cut short");
        }
        word.text += static_cast<char>(c);
        scanner_.advance();
    }
    scanner_.advance();
    return word;
}

void DeckWords::plain(DeckWord& word, bool is_path) {
    for (int c = scanner_.peek(); c != Scanner::end_of_file && !is_space(static_cast<char>(c)); c = scanner_.peek()) {
        if ((c == '\'' || c == '"' || c == '/') && !is_path) {
            return;
        }
        if (c == '-' && !is_path && starts_comment()) {
            return;
        }
        word.text += static_cast<char>(c);
        scanner_.advance();
        if (word.text.size() > longest_deck_word) {
            damaged(word.at, "a word of more than 1024 characters", "this is no text of keywords and values");
        }
    }
}

DeckWord DeckWords::read(bool is_path) {
    if (is_put_back_) {
        is_put_back_ = false;
        return put_back_;
    }
    for (;;) {
        skip_blanks();
        if (starts_comment()) {
            skip_line();
            continue;
        }
        DeckWord word{"", scanner_.position(), false, !is_line_begun_};
        is_line_begun_ = true;
        const int c = scanner_.peek();
        if (c == '\'' || c == '"') {
            return quoted(std::move(word));
        }
        if (c == '/' && !is_path) {
            word.text = "/";
            skip_line();
            return word;
        }
        plain(word, is_path);
        return word;
    }
}

DeckWord DeckWords::next() { return read(false); }

DeckWord DeckWords::next_path() { return read(true); }

void DeckWords::put_back(const DeckWord& word) {
    put_back_ = word;
    is_put_back_ = true;
}

bool DeckWords::is_alone() {
    const std::int64_t here = scanner_.position();
    while (scanner_.peek() == ' ' || scanner_.peek() == '\t') {
        scanner_.advance();
    }
    const bool is_alone = ends_line(scanner_.peek()) || starts_comment();
    scanner_.move_to(here);
    return is_alone;
}

bool DeckWords::has_remark() {
    const std::int64_t here = scanner_.position();
    while (scanner_.peek() == ' ' || scanner_.peek() == '\t') {
        scanner_.advance();
    }
    const int first = scanner_.peek();
    bool is_remark = first != Scanner::end_of_file && is_letter(static_cast<char>(first));
    for (; is_remark && !ends_line(scanner_.peek()) && !starts_comment(); scanner_.advance()) {
        is_remark = scanner_.peek() != '/';
    }
    scanner_.move_to(here);
    return is_remark;
}

void DeckWords::skip_title() {
    skip_line();
    skip_blanks();
    skip_line();
}

namespace {

/// Adds the items that a word stands for: one, or as many as it repeats.
void add_items(const DeckWord& word, std::vector<std::optional<double>>& items) {
    constexpr double most_repeats = 1e4;
    const std::size_t star = word.is_quoted ? std::string::npos : word.text.find('*');
    double repeats = 1.0, value = 0.0;
    const bool is_repeated = star != std::string::npos && parse_fortran_number(word.text.substr(0, star), repeats) &&
                             repeats >= 1.0 && repeats <= most_repeats;
    const bool is_number = !word.is_quoted && std::isfinite(repeats) &&
                           parse_fortran_number(is_repeated ? word.text.substr(star + 1) : word.text, value) &&
                           std::isfinite(value);
    items.insert(items.end(), is_repeated ? static_cast<std::size_t>(repeats) : 1,
                 is_number ? std::optional(value) : std::nullopt);
}

}  // namespace

std::vector<std::optional<double>> items_of_record(DeckWords& words) {
    std::vector<std::optional<double>> items;
    for (DeckWord word = words.next(); !word.is_end() && !word.closes(); word = words.next()) {
        if (word.is_first && word.is_name() && words.is_alone()) {  // a keyword: the slash is missing
            words.put_back(word);
            break;
        }
        add_items(word, items);
    }
    return items;
}

std::optional<double> number_of_record(DeckWords& words) {
    for (const std::optional<double> item : items_of_record(words)) {
        if (item) {
            return item;
        }
    }
    return std::nullopt;
}

}  // namespace plumecast::eclipse
