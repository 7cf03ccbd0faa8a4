#include "training/records/event_record.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "core/protobuf.hpp"

namespace plumecast {
namespace {

// Numbers of the fields of Event, Summary and Summary.Value in TensorFlow's event.proto and summary.proto.
constexpr int event_wall_time = 1;
constexpr int event_step = 2;
constexpr int event_file_version = 3;
constexpr int event_summary = 5;
constexpr int summary_value = 1;
constexpr int value_tag = 1;
constexpr int value_simple_value = 2;

constexpr std::string_view event_version = "brain.Event:2";
constexpr std::size_t header_size = 12;
constexpr std::size_t checksum_size = 4;

constexpr std::array<std::uint32_t, 256> checksum_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t remainder = byte;
        for (int bit = 0; bit < 8; ++bit) {
            remainder = (remainder >> 1U) ^ ((remainder & 1U) != 0U ? 0x82F63B78U : 0U);
        }
        table[byte] = remainder;
    }
    return table;
}

std::uint64_t from_little_endian(std::string_view bytes) {
    std::uint64_t number = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) {
        number = number << 8U | static_cast<unsigned char>(bytes[i]);
    }
    return number;
}

/// A checksum as the frames hold it: turned and shifted, for data may hold checksums itself.
std::string masked_checksum(std::string_view bytes) {
    return little_endian(std::rotr(crc32c(bytes), 15) + 0xA282EAD8U, 4);
}

/// An event of which only the time is known yet.
ProtobufMessage event_at(double wall_time) {
    ProtobufMessage event;
    event.number(event_wall_time, wall_time);
    return event;
}

/// What follows the wall time of an event.
std::string_view after_time(std::string_view message) {
    return message.substr(std::min<std::size_t>(9, message.size()));
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
    static constexpr auto table = checksum_table();
    std::uint32_t checksum = ~0U;
    for (const char byte : bytes) {
        checksum = table[(checksum ^ static_cast<unsigned char>(byte)) & 0xFFU] ^ (checksum >> 8U);
    }
    return ~checksum;
}

std::string framed(std::string_view message) {
    const std::string length = little_endian(message.size(), 8);
    return length + masked_checksum(length) + std::string(message) + masked_checksum(message);
}

std::size_t framed_size(std::string_view message) { return header_size + message.size() + checksum_size; }

std::optional<std::string_view> message_at(std::string_view file, std::size_t begin) {
    if (file.size() < begin + header_size) {
        return std::nullopt;
    }
    const std::string_view length = file.substr(begin, 8);
    if (masked_checksum(length) != file.substr(begin + 8, 4)) {
        return std::nullopt;
    }
    const std::uint64_t size = from_little_endian(length);
    const std::size_t rest = file.size() - begin - header_size;
    if (rest < checksum_size || size > rest - checksum_size) {
        return std::nullopt;
    }
    const std::string_view message = file.substr(begin + header_size, size);
    const bool is_whole = masked_checksum(message) == file.substr(begin + header_size + size, checksum_size);
    return is_whole ? std::optional(message) : std::nullopt;
}

std::string version_event(double wall_time) {
    ProtobufMessage event = event_at(wall_time);
    event.bytes(event_file_version, event_version);
    return event.encoded();
}

std::string scalar_event(double wall_time, std::int64_t step, const std::vector<EventScalar>& scalars) {
    ProtobufMessage summary;
    for (const EventScalar& scalar : scalars) {
        ProtobufMessage value;
        value.bytes(value_tag, scalar.tag);
        value.number(value_simple_value, static_cast<float>(scalar.value));
        summary.message(summary_value, value);
    }
    ProtobufMessage event = event_at(wall_time);
    event.integer(event_step, step);
    event.message(event_summary, summary);
    return event.encoded();
}

bool is_version_event(std::string_view message) { return after_time(message) == after_time(version_event(0.0)); }

std::int64_t step_of(std::string_view message) {
    const std::string_view rest = after_time(message);
    if (rest.empty() || rest[0] != event_step << 3) {  // a varint is of kind 0
        return 0;
    }
    std::uint64_t step = 0;
    for (std::size_t i = 1; i < std::min<std::size_t>(rest.size(), 10); ++i) {
        const auto byte = static_cast<unsigned char>(rest[i]);
        step |= static_cast<std::uint64_t>(byte & 0x7FU) << (7 * (i - 1));
        if ((byte & 0x80U) == 0U) {
            break;
        }
    }
    return static_cast<std::int64_t>(step);
}

}  // namespace plumecast
