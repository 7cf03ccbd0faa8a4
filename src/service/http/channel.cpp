#include "service/http/channel.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

namespace plumecast::service {
namespace {

bool is_ready(int socket, short events, Channel::TimePoint end) {
    pollfd one{socket, events, 0};
    int ready = -1;
    do {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
        ready = poll(&one, 1, static_cast<int>(std::max<std::int64_t>(left, 0)));
    } while (ready < 0 && errno == EINTR);
    return ready > 0;
}

class PlainChannel final : public Channel {
   public:
    explicit PlainChannel(int socket) : socket_(socket) {}

    std::ptrdiff_t receive(char* to, std::size_t size, TimePoint end) override {
        return is_readable(socket_, end) ? recv(socket_, to, size, 0) : -1;
    }
    std::ptrdiff_t send(const char* from, std::size_t size, TimePoint end) override {
        return is_writable(socket_, end) ? ::send(socket_, from, size, MSG_NOSIGNAL) : -1;
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

bool is_readable(int socket, Channel::TimePoint end) { return is_ready(socket, POLLIN, end); }
bool is_writable(int socket, Channel::TimePoint end) { return is_ready(socket, POLLOUT, end); }

std::unique_ptr<Channel> plain_channel(int socket) { return std::make_unique<PlainChannel>(socket); }

}  // namespace plumecast::service
