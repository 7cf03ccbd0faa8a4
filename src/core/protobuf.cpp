#include "core/protobuf.hpp"

#include <bit>

namespace plumecast {

std::string little_endian(std::uint64_t number, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) {
        text += static_cast<char>(number >> (8 * i) & 0xFFU);
    }
    return text;
}

void ProtobufMessage::varint(std::uint64_t value) {
    while (value >= 0x80U) {
        encoded_ += static_cast<char>((value & 0x7FU) | 0x80U);
        value >>= 7U;
    }
    encoded_ += static_cast<char>(value);
}

void ProtobufMessage::integer(int field, std::int64_t value) {
    key(field, 0);
    varint(static_cast<std::uint64_t>(value));
}

void ProtobufMessage::number(int field, float value) {
    key(field, 5);
    encoded_ += little_endian(std::bit_cast<std::uint32_t>(value), 4);
}

void ProtobufMessage::number(int field, double value) {
    key(field, 1);
    encoded_ += little_endian(std::bit_cast<std::uint64_t>(value), 8);
}

void ProtobufMessage::bytes(int field, std::string_view value) {
    key(field, 2);
    varint(value.size());
    encoded_ += value;
}

}  // namespace plumecast
