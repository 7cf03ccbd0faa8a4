#include "training/records/event_record.hpp"

#include <algorithm>
#include <array>
#include <bit>

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

// Kinds of fields on the wire.
constexpr int varint = 0;
constexpr int eight_bytes = 1;
constexpr int sized = 2;
constexpr int four_bytes = 5;

constexpr std::string_view version = "brain.Event:2";
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

/// The lowest bytes of a number, the lowest first.
std::string little_endian(std::uint64_t number, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) {
        text += static_cast<char>(number >> (8 * i) & 0xFFU);
    }
    return text;
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

std::string varint_bytes(std::uint64_t number) {
    std::string bytes;
    for (; number >= 0x80U; number >>= 7U) {
        bytes += static_cast<char>((number & 0x7FU) | 0x80U);
    }
    return bytes + static_cast<char>(number);
}

std::string field(int number, int kind, const std::string& content) {
    return varint_bytes(static_cast<std::uint64_t>(number) << 3U | static_cast<std::uint64_t>(kind)) + content;
}

std::string sized_field(int number, std::string_view content) {
    return field(number, sized, varint_bytes(content.size()) + std::string(content));
}

std::string timed(double wall_time) {
    return field(event_wall_time, eight_bytes, little_endian(std::bit_cast<std::uint64_t>(wall_time), 8));
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

std::string version_event(double wall_time) { return timed(wall_time) + sized_field(event_file_version, version); }

std::string scalar_event(double wall_time, std::int64_t step, const std::vector<EventScalar>& scalars) {
    std::string summary;
    for (const EventScalar& scalar : scalars) {
        const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(scalar.value));
        summary += sized_field(summary_value, sized_field(value_tag, scalar.tag) +
                                                  field(value_simple_value, four_bytes, little_endian(bits, 4)));
    }
    return timed(wall_time) + field(event_step, varint, varint_bytes(static_cast<std::uint64_t>(step))) +
           sized_field(event_summary, summary);
}

bool is_version_event(std::string_view message) {
    return after_time(message) == sized_field(event_file_version, version);
}

std::int64_t step_of(std::string_view message) {
    const std::string_view rest = after_time(message);
    if (rest.empty() || rest[0] != field(event_step, varint, "")[0]) {
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
