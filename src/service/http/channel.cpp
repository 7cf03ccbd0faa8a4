#include "service/http/channel.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace plumecast::service {
namespace {

bool is_ready(int socket, short events, const Patience& patience) {
    for (;;) {
        pollfd one{socket, events, 0};
        const int ready = poll(&one, 1, patience.next_look());
        if (ready > 0 || (ready < 0 && errno != EINTR) || patience.is_over()) {
            return ready > 0;
        }
    }
}

class PlainChannel final : public Channel {
   public:
    explicit PlainChannel(int socket) : socket_(socket) {}

    std::ptrdiff_t receive(char* to, std::size_t size, const Patience& patience) override {
        return is_readable(socket_, patience) ? recv(socket_, to, size, 0) : -1;
    }
    std::ptrdiff_t send(const char* from, std::size_t size, const Patience& patience) override {
        while (is_writable(socket_, patience)) {
            const ssize_t sent = ::send(socket_, from, size, MSG_NOSIGNAL | MSG_DONTWAIT);
            if (sent >= 0 || (errno != EAGAIN && errno != EINTR)) {
                return sent;
            }
        }
        return -1;
    }
    bool is_abandoned() override {
        char next = 0;
        return recv(socket_, &next, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
    }
    void finish() override { shutdown(socket_, SHUT_WR); }

   private:
    int socket_;
};

}  // namespace

bool Patience::is_over() const {
    const Clock::time_point now = Clock::now();
    return now >= end_ ||
           (hurry_ != nullptr && (now >= hurry_->end.load() || (hurry_->others > 0 && now >= hurried_end_)));
}

void Patience::count(std::size_t bytes) {
    constexpr double least_rate = 2 << 20;  // [byte/s]
    hurried_end_ += std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(static_cast<double>(bytes) / least_rate));
}

int Patience::next_look() const {
    constexpr std::chrono::milliseconds longest(100);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ - Clock::now());
    return static_cast<int>(std::clamp(left, std::chrono::milliseconds(0), longest).count());
}

bool is_readable(int socket, const Patience& patience) { return is_ready(socket, POLLIN, patience); }
bool is_writable(int socket, const Patience& patience) { return is_ready(socket, POLLOUT, patience); }

std::unique_ptr<Channel> plain_channel(int socket) { return std::make_unique<PlainChannel>(socket); }

}  // namespace plumecast::service
