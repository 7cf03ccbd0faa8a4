#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace plumecast {

/// The lowest bytes of a number, the lowest first.
std::string little_endian(std::uint64_t number, int bytes);

/// A message in the wire format of Protocol Buffers (protobuf.dev/programming-guides/encoding), written field by field.
/// ONNX files and TensorBoard's events need varints, numbers, text and messages, for which a dependency on protobuf is
/// not worth it.
class ProtobufMessage {
   public:
    void integer(int field, std::int64_t value);
    void number(int field, float value);
    void number(int field, double value);
    /// Text, raw bytes or a whole message.
    void bytes(int field, std::string_view value);
    void message(int field, const ProtobufMessage& value) { bytes(field, value.encoded_); }
    const std::string& encoded() const { return encoded_; }

   private:
    void varint(std::uint64_t value);
    void key(int field, std::uint64_t wire_type) { varint(static_cast<std::uint64_t>(field) << 3U | wire_type); }

    std::string encoded_;
};

}  // namespace plumecast
