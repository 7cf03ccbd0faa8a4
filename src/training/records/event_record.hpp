#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The bytes of TensorBoard's event files: TFRecord frames around messages `Event` of protocol buffers.
namespace plumecast {

/// CRC-32C, the checksum of Castagnoli's polynomial (RFC 3720).
std::uint32_t crc32c(std::string_view bytes);

/// A message in its frame: length, checksum of the length, message, checksum of the message.
std::string framed(std::string_view message);

/// The message whose frame begins at a place in a file; nothing when it is incomplete or damaged.
std::optional<std::string_view> message_at(std::string_view file, std::size_t begin);
/// Bytes of the frame of a message.
std::size_t framed_size(std::string_view message);

struct EventScalar {
    std::string tag;
    double value = 0.0;  ///< stored as float32
};

/// The message that every file begins with. `wall_time` in seconds since 1970.
std::string version_event(double wall_time);
/// A message of scalars at a step.
std::string scalar_event(double wall_time, std::int64_t step, const std::vector<EventScalar>& scalars);

/// True for a message of version_event().
bool is_version_event(std::string_view message);
/// Step of a message as scalar_event() writes them, 0 for one without.
std::int64_t step_of(std::string_view message);

}  // namespace plumecast
