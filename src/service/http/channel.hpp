#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace plumecast::service {

/// How long a client is waited for: until a time, and no longer than a second where other connections wait meanwhile.
class Patience {
   public:
    using Clock = std::chrono::steady_clock;

    /// `others`: connections that wait for a thread; nullptr where they do not matter. They must outlive it.
    explicit Patience(Clock::duration longest, const std::atomic<std::int64_t>* others = nullptr)
        : start_(Clock::now()), end_(start_ + longest), others_(others) {}

    bool is_over() const;
    /// Milliseconds until it is to be asked again, at least 0.
    int next_look() const;

   private:
    Clock::time_point start_, end_;
    const std::atomic<std::int64_t>* others_;
};

/// Bytes to and from one client, each waited for with patience.
class Channel {
   public:
    Channel() = default;
    virtual ~Channel() = default;
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;

    /// Some bytes, `size` at most; 0 where the client has closed, -1 where nothing comes in time.
    virtual std::ptrdiff_t receive(char* to, std::size_t size, const Patience& patience) = 0;
    /// How many bytes were sent; -1 where the client takes none in time.
    virtual std::ptrdiff_t send(const char* from, std::size_t size, const Patience& patience) = 0;
    /// Whether the client has closed the connection.
    virtual bool is_abandoned() = 0;
    /// Tells the client that no more is sent.
    virtual void finish() = 0;
};

/// The bytes as they are. The socket must outlive it.
std::unique_ptr<Channel> plain_channel(int socket);

/// Waits until bytes can be read from a socket, or written to it.
bool is_readable(int socket, const Patience& patience);
bool is_writable(int socket, const Patience& patience);

}  // namespace plumecast::service
