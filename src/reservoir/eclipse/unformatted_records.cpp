#include "reservoir/eclipse/unformatted_records.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

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

template <class Number>
void convert(const std::string& raw, std::vector<double>& values, Number number, std::size_t bytes) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = number(raw.data() + i * bytes);
    }
}

}  // namespace

std::int64_t UnformattedRecords::mark_at(std::int64_t at) const {
    std::array<char, marker_bytes> bytes{};
    source_.read(at, bytes);
    return static_cast<std::int32_t>(big_endian<std::uint32_t>(bytes.data()));
}

Record UnformattedRecords::header() {
    std::int64_t beyond = 0;  // arrays of 2^31 values and more have a header of type X231 in front
    for (;;) {
        const std::int64_t at = position_;
        std::string text(header_record_bytes, '\0');
        source_.read(at, text);
        if (big_endian<std::uint32_t>(text.data()) != header_bytes ||
            big_endian<std::uint32_t>(text.data() + marker_bytes + header_bytes) != header_bytes) {
            source_.damaged(at, "no array header", "it must stand between two record marks of 16");
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
            source_.damaged(at, record.keyword + " has type '" + printable(type) + "'",
                            "types are INTE, REAL, DOUB, LOGI, CHAR, C0nn and MESS");
        }
        if (record.count < 0) {
            source_.damaged(at, record.keyword + " declares " + std::to_string(record.count) + " values",
                            "a count is 0 or more");
        }
        record.count += beyond;
        record.offset = position_;
        if (record.element_bytes > 0 && record.count > (source_.size() - position_) / record.element_bytes) {
            source_.damaged(at, description(record) + " does not fit",
                            "only " + std::to_string(source_.size() - position_) + " bytes follow");
        }
        return record;
    }
}

std::int64_t UnformattedRecords::block_at(std::int64_t at) const {
    const std::int64_t length = mark_at(at);
    if (length <= 0 || length > source_.size() - at - 2 * marker_bytes) {
        source_.damaged(at, "a block of " + std::to_string(length) + " bytes",
                        "it must be above 0 and fit into the " +
                            std::to_string(std::max<std::int64_t>(source_.size() - at - 2 * marker_bytes, 0)) +
                            " bytes that follow");
    }
    const std::int64_t close = at + marker_bytes + length;
    if (mark_at(close) != length) {
        source_.damaged(close, "the mark at the end of a block is " + std::to_string(mark_at(close)),
                        "the one at its start is " + std::to_string(length));
    }
    return length;
}

std::optional<Record> UnformattedRecords::next() {
    if (position_ == source_.size()) {
        return std::nullopt;
    }
    Record record = header();
    std::int64_t left = record.count * record.element_bytes;
    while (left > 0) {
        const std::int64_t length = block_at(position_);
        if (length > left || length % record.element_bytes != 0) {
            source_.damaged(
                position_, "a block of " + std::to_string(length) + " bytes in " + description(record),
                std::to_string(left) + " bytes remain, in values of " + std::to_string(record.element_bytes));
        }
        left -= length;
        position_ += length + 2 * marker_bytes;
    }
    record.end = position_;
    return record;
}

std::string UnformattedRecords::data(const Record& record) const {
    std::string raw(static_cast<std::size_t>(record.end - record.offset), '\0');
    source_.read(record.offset, raw);
    // next() has checked the blocks, unless the file changed since; then nothing may be copied from beyond it.
    const auto wanted = static_cast<std::size_t>(record.count * record.element_bytes);
    std::size_t from = 0;
    std::size_t to = 0;
    while (to < wanted && from + marker_bytes <= raw.size()) {
        const std::size_t length = big_endian<std::uint32_t>(raw.data() + from);
        if (length == 0 || length > raw.size() - from - marker_bytes || length > wanted - to) {
            break;
        }
        std::memmove(raw.data() + to, raw.data() + from + marker_bytes, length);
        to += length;
        from += length + 2 * marker_bytes;
    }
    if (to != wanted) {
        source_.damaged(record.offset, description(record) + " changed while it was read", "another program writes it");
    }
    raw.resize(wanted);
    return raw;
}

std::vector<double> UnformattedRecords::numbers(const Record& record) {
    const std::string raw = data(record);
    std::vector<double> values(static_cast<std::size_t>(record.count));
    switch (record.type) {
        case RecordType::integer:
            convert(
                raw, values, [](const char* at) { return static_cast<std::int32_t>(big_endian<std::uint32_t>(at)); },
                4);
            break;
        case RecordType::real:
            convert(
                raw, values, [](const char* at) { return std::bit_cast<float>(big_endian<std::uint32_t>(at)); }, 4);
            break;
        case RecordType::double_real:
            convert(
                raw, values, [](const char* at) { return std::bit_cast<double>(big_endian<std::uint64_t>(at)); }, 8);
            break;
        default:
            convert(
                raw, values, [](const char* at) { return big_endian<std::uint32_t>(at) == 0 ? 0.0 : 1.0; }, 4);
    }
    return values;
}

std::vector<std::string> UnformattedRecords::texts(const Record& record) {
    const std::string raw = data(record);
    const auto width = static_cast<std::size_t>(record.element_bytes);
    std::vector<std::string> values(static_cast<std::size_t>(record.count));
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = without_trailing_blanks(raw.substr(i * width, width));
    }
    return values;
}

}  // namespace plumecast::eclipse
