#include "reservoir/eclipse/formatted_records.hpp"

#include <charconv>

namespace plumecast::eclipse {
namespace {

constexpr std::size_t longest_word = 64;
constexpr std::int64_t keyword_width = 8;
constexpr std::int64_t type_width = 4;

bool ends_word(int c) { return c == Scanner::end_of_file || c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

}  // namespace

std::string FormattedRecords::word() {
    scanner_.skip_blanks();
    const std::int64_t at = scanner_.position();
    std::string text;
    for (int c = scanner_.peek(); !ends_word(c); c = scanner_.peek()) {
        text += static_cast<char>(c);
        scanner_.advance();
        if (text.size() > longest_word) {
            source_.damaged(at, "a word of more than 64 characters", "values stand with blanks between them");
        }
    }
    if (text.empty()) {
        source_.damaged(at, "the file ends within an array", "its header declares more values");
    }
    return text;
}

std::string FormattedRecords::quoted(std::int64_t width) {
    scanner_.skip_blanks();
    const std::int64_t at = scanner_.position();
    const auto expect = [&](bool holds) {
        if (!holds) {
            source_.damaged(at, "no text of " + std::to_string(width) + " characters between quotes",
                            scanner_.peek() == Scanner::end_of_file ? "the file ends here" : "it must stand here");
        }
    };
    expect(scanner_.peek() == '\'');
    scanner_.advance();
    std::string text;
    for (std::int64_t i = 0; i < width; ++i) {
        const int c = scanner_.peek();
        expect(c != Scanner::end_of_file && c != '\n');
        text += static_cast<char>(c);
        scanner_.advance();
    }
    expect(scanner_.peek() == '\'');
    scanner_.advance();
    return text;
}

Record FormattedRecords::header() {
    std::int64_t beyond = 0;
    for (;;) {
        scanner_.skip_blanks();
        const std::int64_t at = scanner_.position();
        Record record;
        record.keyword = without_trailing_blanks(printable(quoted(keyword_width)));
        const std::string count = word();
        const auto [stop, error] = std::from_chars(count.data(), count.data() + count.size(), record.count);
        if (error != std::errc() || stop != count.data() + count.size()) {
            source_.damaged(at, record.keyword + " declares '" + printable(count) + "' values", "no whole number");
        }
        const std::string type = quoted(type_width);
        if (type == "X231" && record.count < 0 && record.count >= -(std::int64_t{1} << 31) && beyond == 0) {
            beyond = -record.count << 31;
            continue;
        }
        if (!set_type(record, type)) {
            source_.damaged(at, record.keyword + " has type '" + printable(type) + "'",
                            "types are INTE, REAL, DOUB, LOGI, CHAR, C0nn and MESS");
        }
        if (record.count < 0) {
            source_.damaged(at, record.keyword + " declares " + count + " values", "a count is 0 or more");
        }
        record.offset = scanner_.position();
        const std::int64_t left = source_.size() - record.offset;
        const std::int64_t least =
            record.type == RecordType::text ? record.element_bytes + 2 : 2;  // with quotes, blank
        if (record.type != RecordType::message && (record.count > left || beyond + record.count > left / least)) {
            source_.damaged(at, description(record) + " does not fit",
                            "only " + std::to_string(left) + " bytes follow");
        }
        record.count += beyond;
        return record;
    }
}

std::optional<Record> FormattedRecords::next() {
    scanner_.move_to(position_);
    scanner_.skip_blanks();
    if (scanner_.peek() == Scanner::end_of_file) {
        return std::nullopt;
    }
    Record record = header();
    for (std::int64_t i = 0; i < record.count && record.type != RecordType::message; ++i) {
        if (record.type == RecordType::text) {
            quoted(record.element_bytes);
        } else {
            number(record);
        }
    }
    position_ = scanner_.position();
    record.end = position_;
    return record;
}

double FormattedRecords::number(const Record& record) {
    const std::string text = word();
    double value = 0.0;
    if (record.type == RecordType::logical && (text == "T" || text == "F")) {
        return text == "T" ? 1.0 : 0.0;
    }
    if (record.type == RecordType::logical || !parse_fortran_number(text, value)) {
        source_.damaged(scanner_.position() - static_cast<std::int64_t>(text.size()),
                        "'" + printable(text) + "' in " + description(record),
                        record.type == RecordType::logical ? "neither T nor F" : "no number");
    }
    return record.type == RecordType::real ? static_cast<double>(static_cast<float>(value)) : value;
}

std::vector<double> FormattedRecords::numbers(const Record& record) {
    scanner_.move_to(record.offset);
    std::vector<double> values(static_cast<std::size_t>(record.count));
    for (double& value : values) {
        value = number(record);
    }
    return values;
}

std::vector<std::string> FormattedRecords::texts(const Record& record) {
    scanner_.move_to(record.offset);
    std::vector<std::string> values(static_cast<std::size_t>(record.count));
    for (std::string& value : values) {
        value = without_trailing_blanks(quoted(record.element_bytes));
    }
    return values;
}

}  // namespace plumecast::eclipse
