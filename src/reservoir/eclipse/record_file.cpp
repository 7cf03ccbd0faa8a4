#include "reservoir/eclipse/record_file.hpp"

#include <array>
#include <string_view>

#include <plumecast/core/error.hpp>

#include "core/text/ascii.hpp"
#include "reservoir/eclipse/byte_source.hpp"
#include "reservoir/eclipse/formatted_records.hpp"
#include "reservoir/eclipse/record_reader.hpp"
#include "reservoir/eclipse/unformatted_records.hpp"

namespace plumecast::eclipse {
namespace {

/// A formatted file starts with the quote of its first keyword, an unformatted one with a mark of 16.
bool is_formatted(const ByteSource& source) {
    std::array<char, 4> start{};
    if (source.size() >= 4) {
        source.read(0, start);
    }
    if (start == std::array<char, 4>{16, 0, 0, 0}) {
        throw InvalidData(source.path() +
                          ": records in little-endian byte order (simulators write big-endian ones, whatever the "
                          "machine); write it with the usual byte order (convert=big_endian in Fortran), or formatted");
    }
    Scanner scanner(source);
    scanner.skip_blanks();
    return start != std::array<char, 4>{0, 0, 0, 16} && scanner.peek() == '\'';
}

}  // namespace

std::string without_trailing_blanks(std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

bool set_type(Record& record, const std::string& name) {
    struct Kind {
        std::string_view name;
        RecordType type;
        std::int64_t bytes;
    };
    static constexpr Kind kinds[] = {{"INTE", RecordType::integer, 4},     {"REAL", RecordType::real, 4},
                                     {"DOUB", RecordType::double_real, 8}, {"LOGI", RecordType::logical, 4},
                                     {"CHAR", RecordType::text, 8},        {"MESS", RecordType::message, 0}};
    for (const Kind& kind : kinds) {
        if (name == kind.name) {
            record.type = kind.type;
            record.element_bytes = kind.bytes;
            return true;
        }
    }
    const auto digit = [&](std::size_t i) { return is_digit(name[i]); };
    if (name[0] != 'C' || !digit(1) || !digit(2) || !digit(3)) {
        return false;
    }
    record.type = RecordType::text;
    record.element_bytes = std::stoi(name.substr(1));
    return record.element_bytes > 0;
}

RecordFile::RecordFile(const std::filesystem::path& path) : source_(std::make_unique<ByteSource>(path)) {
    if (is_formatted(*source_)) {
        reader_ = std::make_unique<FormattedRecords>(*source_);
    } else {
        reader_ = std::make_unique<UnformattedRecords>(*source_);
    }
}

RecordFile::~RecordFile() = default;
RecordFile::RecordFile(RecordFile&&) noexcept = default;
RecordFile& RecordFile::operator=(RecordFile&&) noexcept = default;

const std::string& RecordFile::path() const { return source_->path(); }

std::optional<Record> RecordFile::next() { return reader_->next(); }

std::vector<double> RecordFile::numbers(const Record& record) {
    if (record.type == RecordType::text || record.type == RecordType::message) {
        source_->damaged(record.offset, description(record) + " holds no numbers",
                         "INTE, REAL, DOUB or LOGI is expected");
    }
    return reader_->numbers(record);
}

std::vector<std::string> RecordFile::texts(const Record& record) {
    if (record.type != RecordType::text) {
        source_->damaged(record.offset, description(record) + " holds no texts", "CHAR or C0nn is expected");
    }
    return reader_->texts(record);
}

}  // namespace plumecast::eclipse
