#pragma once

#include <chrono>
#include <cstddef>
#include <memory>

namespace plumecast::service {

/// Bytes to and from one client, each waited for until a time.
class Channel {
   public:
    using TimePoint = std::chrono::steady_clock::time_point;

    Channel() = default;
    virtual ~Channel() = default;
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;

    /// Some bytes, `size` at most; 0 where the client has closed, -1 where nothing comes in time.
    virtual std::ptrdiff_t receive(char* to, std::size_t size, TimePoint end) = 0;
    /// How many bytes were sent; -1 where the client takes none in time.
    virtual std::ptrdiff_t send(const char* from, std::size_t size, TimePoint end) = 0;
    /// Whether the client has closed the connection.
    virtual bool is_abandoned() = 0;
    /// Tells the client that no more is sent.
    virtual void finish() = 0;
};

/// The bytes as they are. The socket must outlive it.
std::unique_ptr<Channel> plain_channel(int socket);

/// Waits until bytes can be read from a socket, or written to it.
bool is_readable(int socket, Channel::TimePoint end);
bool is_writable(int socket, Channel::TimePoint end);

}  // namespace plumecast::service
