#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "reservoir/eclipse/byte_source.hpp"

namespace plumecast::eclipse {

/// A word of the text of a deck.
struct DeckWord {
    std::string text;
    std::int64_t at = 0;     ///< byte at which it begins
    bool is_quoted = false;  ///< it stood between quotes
    bool is_first = false;   ///< nothing stands before it on its line

    bool is_end() const { return text.empty() && !is_quoted; }
    bool closes() const { return !is_quoted && text == "/"; }
    /// Looks like a keyword: a letter first, which no value of an array has.
    bool is_name() const;
    /// The text in capitals, as keywords are known.
    std::string name() const;
};

/// Reads the words of a deck, one after the other. Comments (`--` to the end of the line, and what follows a slash on
/// its line) are skipped, and so is a byte-order mark of UTF-8.
class DeckWords {
   public:
    /// Throws IoError when the file cannot be read, InvalidData for text in UTF-16.
    explicit DeckWords(const std::filesystem::path& path);

    /// The next word; an empty one at the end. Throws InvalidData for a quote that nothing closes and for a word of
    /// more than 1024 characters.
    DeckWord next();
    /// The next word, in which slashes are part of the text: a file name without quotes.
    DeckWord next_path();
    /// Makes next() return `word` again.
    void put_back(const DeckWord& word);
    /// True when nothing but a comment follows the last word on its line.
    bool is_alone();
    /// True when text follows the last word on its line that is no data: it begins with a letter, and no slash ends a
    /// record in it. Simulators ignore such text behind a keyword.
    bool has_remark();
    void skip_line();
    /// Skips what is left of this line, and the line after it: a title.
    void skip_title();

    const std::string& path() const { return source_.path(); }
    /// Throws InvalidData "PATH: byte AT: PROBLEM (WHY); REMEDY". People write decks: most of their faults are no
    /// damage.
    [[noreturn]] void damaged(std::int64_t at, const std::string& problem, const std::string& why,
                              const std::string& remedy = "correct the text there") const {
        source_.damaged(at, problem, why, remedy);
    }

   private:
    void check_encoding();
    void skip_blanks();
    bool starts_comment();
    DeckWord quoted(DeckWord word);
    void plain(DeckWord& word, bool is_path);
    DeckWord read(bool is_path);

    ByteSource source_;
    Scanner scanner_;
    bool is_line_begun_ = false;
    bool is_put_back_ = false;
    DeckWord put_back_;
};

/// The items of a record, which is read to its end, by their positions: nothing where one is left to its default (1*)
/// or is no number; 3*0.5 is three items.
std::vector<std::optional<double>> items_of_record(DeckWords& words);
/// The first number of a record, which is read to its end; nothing where it holds none.
std::optional<double> number_of_record(DeckWords& words);

}  // namespace plumecast::eclipse
