#include "onnx/protobuf.hpp"

#include <bit>

namespace plumecast {

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
    const auto bits = std::bit_cast<std::uint32_t>(value);
    for (unsigned shift = 0; shift < 32; shift += 8) {
        encoded_ += static_cast<char>(bits >> shift & 0xFFU);
    }
}

void ProtobufMessage::bytes(int field, std::string_view value) {
    key(field, 2);
    varint(value.size());
    encoded_ += value;
}

}  // namespace plumecast
