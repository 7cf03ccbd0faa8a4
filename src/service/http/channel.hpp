#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace plumecast::service {

/// What else a server has to do while it waits for a client. Any number of threads may ask and change it at once.
struct Hurry {
    using Clock = std::chrono::steady_clock;

    std::atomic<std::int64_t> others = 0;                           ///< connections that wait for a thread
    std::atomic<Clock::time_point> end = Clock::time_point::max();  ///< after which no client is waited for
};

/// How long a client is waited for: until a time, and where other connections wait meanwhile no longer than a second
/// and what its bytes take at 2 MiB/s.
class Patience {
   public:
    using Clock = Hurry::Clock;

    /// `hurry` must outlive it; nullptr where nothing else matters.
    explicit Patience(Clock::duration longest, const Hurry* hurry = nullptr)
        : end_(Clock::now() + longest), hurried_end_(Clock::now() + std::chrono::seconds(1)), hurry_(hurry) {}

    bool is_over() const;
    /// Milliseconds until it is to be asked again, at least 0.
    int next_look() const;
    /// The client has sent or taken so many bytes.
    void count(std::size_t bytes);

   private:
    Clock::time_point end_, hurried_end_;
    const Hurry* hurry_;
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
