#include <bit>
#include <cctype>
#include <cerrno>
#include <string_view>

#include <plumecast/core/error.hpp>
#include <plumecast/data/eclipse/record_file.hpp>

#include "data/storage/durable.hpp"

namespace plumecast::eclipse {
namespace {

constexpr std::int64_t marker_bytes = 4;
constexpr std::int64_t header_bytes = 16;
constexpr std::int64_t header_record_bytes = header_bytes + 2 * marker_bytes;

template <class Unsigned>
Unsigned big_endian(const char* from) {
    Unsigned value = 0;
    for (std::size_t i = 0; i < sizeof(Unsigned); ++i) {
        value = static_cast<Unsigned>(value << 8) | static_cast<unsigned char>(from[i]);
    }
    return value;
}

std::string without_trailing_blanks(std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

/// Sets type and element size; false for a type the format does not know.
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
    const auto digit = [&](std::size_t i) { return std::isdigit(static_cast<unsigned char>(name[i])) != 0; };
    if (name[0] != 'C' || !digit(1) || !digit(2) || !digit(3)) {
        return false;
    }
    record.type = RecordType::text;
    record.element_bytes = std::stoi(name.substr(1));
    return record.element_bytes > 0;
}

double number(const char* from, RecordType type) {
    switch (type) {
        case RecordType::integer:
            return static_cast<std::int32_t>(big_endian<std::uint32_t>(from));
        case RecordType::real:
            return std::bit_cast<float>(big_endian<std::uint32_t>(from));
        case RecordType::double_real:
            return std::bit_cast<double>(big_endian<std::uint64_t>(from));
        default:
            return big_endian<std::uint32_t>(from) == 0 ? 0.0 : 1.0;
    }
}

/// What a keyword may hold; anything else means that the bytes are no header.
std::string printable(std::string text) {
    for (char& c : text) {
        if (std::isprint(static_cast<unsigned char>(c)) == 0) {
            c = '?';
        }
    }
    return text;
}

}  // namespace

std::string description(const Record& record) {
    static constexpr const char* names[] = {"INTE", "REAL", "DOUB", "LOGI", "text", "MESS"};
    return record.keyword + " (" + names[static_cast<std::size_t>(record.type)] + ", " + std::to_string(record.count) +
           " values)";
}

RecordFile::RecordFile(const std::filesystem::path& path) : path_(path.string()), file_(path, std::ios::binary) {
    std::error_code error;
    if (!file_ || !std::filesystem::is_regular_file(path, error)) {
        throw_io_error("read", path, error || errno == 0 ? ENOENT : errno);
    }
    size_ = static_cast<std::int64_t>(std::filesystem::file_size(path, error));
}

void RecordFile::damaged(std::int64_t at, const std::string& problem, const std::string& why) const {
    throw InvalidData(path_ + ": byte " + std::to_string(at) + ": " + problem + " (" + why +
                      "); write or copy the file again");
}

std::string RecordFile::bytes(std::int64_t at, std::int64_t count) {
    if (count > size_ - at) {
        damaged(at, "the file ends within a record",
                std::to_string(count) + " bytes are declared, " + std::to_string(size_ - at) + " are there");
    }
    std::string result(static_cast<std::size_t>(count), '\0');
    file_.clear();
    file_.seekg(at);
    if (!file_.read(result.data(), count)) {
        damaged(at, "the file cannot be read here", "it became shorter, or the disk failed");
    }
    return result;
}

std::int64_t RecordFile::whole_number(std::int64_t at) {
    return static_cast<std::int32_t>(big_endian<std::uint32_t>(bytes(at, marker_bytes).data()));
}

Record RecordFile::header() {
    std::int64_t beyond = 0;  // arrays of 2^31 values and more have a header of type X231 in front
    for (;;) {
        const std::int64_t at = position_;
        const std::string text = bytes(at, header_record_bytes);
        if (big_endian<std::uint32_t>(text.data()) != header_bytes ||
            big_endian<std::uint32_t>(text.data() + marker_bytes + header_bytes) != header_bytes) {
            damaged(at, "no array header", "it must stand between two record marks of 16");
        }
        Record record;
        record.keyword = without_trailing_blanks(printable(text.substr(4, 8)));
        record.count = static_cast<std::int32_t>(big_endian<std::uint32_t>(text.data() + 12));
        const std::string type = text.substr(16, 4);
        position_ = at + header_record_bytes;
        if (type == "X231" && record.count < 0 && beyond == 0) {
            beyond = -record.count << 31;
            continue;
        }
        if (!set_type(record, type)) {
            damaged(at, record.keyword + " has type '" + printable(type) + "'",
                    "types are INTE, REAL, DOUB, LOGI, CHAR, C0nn and MESS");
        }
        if (record.count < 0) {
            damaged(at, record.keyword + " declares " + std::to_string(record.count) + " values",
                    "a count is 0 or more");
        }
        record.count += beyond;
        record.offset = position_;
        if (record.element_bytes > 0 && record.count > (size_ - position_) / record.element_bytes) {
            damaged(at, description(record) + " does not fit",
                    "only " + std::to_string(size_ - position_) + " bytes follow");
        }
        return record;
    }
}

std::int64_t RecordFile::end_of_block(std::int64_t at, std::int64_t& length) {
    length = whole_number(at);
    if (length <= 0 || length > size_ - at - 2 * marker_bytes) {
        damaged(
            at, "a block of " + std::to_string(length) + " bytes",
            "it must be above 0 and fit into the " + std::to_string(size_ - at - marker_bytes) + " bytes that follow");
    }
    const std::int64_t close = at + marker_bytes + length;
    if (whole_number(close) != length) {
        damaged(close, "the mark at the end of a block is " + std::to_string(whole_number(close)),
                "the one at its start is " + std::to_string(length));
    }
    return close + marker_bytes;
}

std::optional<Record> RecordFile::next() {
    if (position_ == size_) {
        return std::nullopt;
    }
    const Record record = header();
    std::int64_t left = record.count * record.element_bytes;
    while (left > 0) {
        std::int64_t length = 0;
        const std::int64_t end = end_of_block(position_, length);
        if (length > left || length % record.element_bytes != 0) {
            damaged(position_, "a block of " + std::to_string(length) + " bytes in " + description(record),
                    std::to_string(left) + " bytes remain, in values of " + std::to_string(record.element_bytes));
        }
        left -= length;
        position_ = end;
    }
    return record;
}

std::string RecordFile::data(const Record& record) {
    std::string result;
    result.reserve(static_cast<std::size_t>(record.count * record.element_bytes));
    std::int64_t at = record.offset;
    while (static_cast<std::int64_t>(result.size()) < record.count * record.element_bytes) {
        std::int64_t length = 0;
        const std::int64_t end = end_of_block(at, length);
        result += bytes(at + marker_bytes, length);
        at = end;
    }
    return result;
}

std::vector<double> RecordFile::numbers(const Record& record) {
    if (record.type == RecordType::text || record.type == RecordType::message) {
        damaged(record.offset, description(record) + " holds no numbers", "INTE, REAL, DOUB or LOGI is expected");
    }
    const std::string raw = data(record);
    std::vector<double> values(static_cast<std::size_t>(record.count));
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = number(raw.data() + i * static_cast<std::size_t>(record.element_bytes), record.type);
    }
    return values;
}

std::vector<std::string> RecordFile::texts(const Record& record) {
    if (record.type != RecordType::text) {
        damaged(record.offset, description(record) + " holds no texts", "CHAR or C0nn is expected");
    }
    const std::string raw = data(record);
    const auto width = static_cast<std::size_t>(record.element_bytes);
    std::vector<std::string> values(static_cast<std::size_t>(record.count));
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = without_trailing_blanks(raw.substr(i * width, width));
    }
    return values;
}

}  // namespace plumecast::eclipse
