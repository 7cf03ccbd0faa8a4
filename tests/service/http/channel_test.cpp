#include "service/http/channel.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string>

#include <gtest/gtest.h>

namespace plumecast::service {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// Two ends that are connected.
struct Ends {
    std::array<int, 2> sockets{};

    Ends() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets.data()), 0); }
    ~Ends() {
        for (const int each : sockets) {
            close(each);
        }
    }
    Ends(const Ends&) = delete;
    Ends& operator=(const Ends&) = delete;
};

/// How long a client that reads nothing is waited for.
Hurry::Clock::duration time_of_unread(const Patience& patience) {
    const Ends ends;
    const auto channel = plain_channel(ends.sockets[0]);
    const std::string much(1 << 20, 'a');
    const auto begin = Hurry::Clock::now();
    while (channel->send(much.data(), much.size(), patience) > 0) {
    }
    return Hurry::Clock::now() - begin;
}

TEST(Channel, WaitsForAClientThatReadsNothingUntilItsTimeIsOver) {
    const auto taken = time_of_unread(Patience(milliseconds(300)));
    EXPECT_GE(taken, milliseconds(200));
    EXPECT_LT(taken, seconds(5));
}

TEST(Channel, WaitsNoLongerThanTheServiceMay) {
    Hurry hurry;
    hurry.end = Hurry::Clock::now() + milliseconds(200);
    EXPECT_LT(time_of_unread(Patience(seconds(60), &hurry)), seconds(10));
}

TEST(Patience, EndsSoonerWhereOthersWaitButNotForThoseThatMoveOn) {
    Hurry hurry;
    Patience still(seconds(60), &hurry), moving(seconds(60), &hurry);
    moving.count(std::size_t{64} << 20);  // which may take half a minute
    while (!still.is_over()) {
        hurry.others = 1;
    }
    EXPECT_FALSE(moving.is_over());
    hurry.others = 0;
    EXPECT_FALSE(still.is_over());
}

}  // namespace
}  // namespace plumecast::service
