#include "distributed/devices/background_step.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include <plumecast/core/error.hpp>

#include "distributed/devices/device_transport.hpp"
#include "support/forwarded_ranks.hpp"
#include "support/ranks.hpp"

namespace plumecast::testing {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using Phase = StepState::Phase;

std::string error_of(const std::function<StepState()>& state, milliseconds timeout = milliseconds(20)) {
    const auto ranks = make_planned_communicator(2, 4);
    try {
        finish_step("joining devices by NCCL", *ranks, timeout, state);
    } catch (const CommError& error) {
        EXPECT_THAT(error.what(), MatchesRegex(".+ \\(.+\\); .+"));
        return error.what();
    }
    return "";
}

TEST(BackgroundStep, WaitsUntilItIsDone) {
    int asked = 0;
    EXPECT_EQ(
        error_of([&] { return StepState{++asked == 2000 ? Phase::done : Phase::under_way}; }, milliseconds(60000)), "");
    EXPECT_EQ(asked, 2000);
}

TEST(BackgroundStep, NamesRankAndRemedyWhereItDoesNotEnd) {
    const std::string error = error_of([] { return StepState(); });
    EXPECT_THAT(error, HasSubstr("rank 2 of 4: joining devices by NCCL did not end within 0.02 s"));
    EXPECT_THAT(error, HasSubstr("Transport::host"));
}

TEST(BackgroundStep, NamesWhatTheLibrarySaysWhereItFails) {
    EXPECT_THAT(error_of([] {
                    return StepState{Phase::failed, "NCCL: invalid usage"};
                }),
                HasSubstr("rank 2 of 4: joining devices by NCCL failed (NCCL: invalid usage)"));
}

/// Stands in for NCCL, whose ranks join in the background once all have come.
class JoinedLate final : public DeviceTransport {
   public:
    JoinedLate(Communicator& ranks, milliseconds timeout, bool all_come) {
        int asked = 0;
        finish_step("joining devices by NCCL", ranks, timeout,
                    [&] { return StepState{all_come && ++asked > 3 ? Phase::done : Phase::under_way}; });
    }
    bool is_on_device(const void*) const override { return false; }
    void begin_group() override {}
    void send(int, std::span<const std::byte>) override {}
    void receive(int, std::span<std::byte>) override {}
    std::unique_ptr<DeviceWork> end_group() override { return nullptr; }
    void abandon() noexcept override {}
};

TEST(BackgroundStep, EndsTheStartOfDevicesAfterTheTimeoutOfTheRanks) {
    for (const bool all_come : {true, false}) {
        const auto self = make_planned_communicator(0, 2);
        const auto devices = make_device_communicator(std::make_unique<ForwardedRanks>(*self),
                                                      [&](Communicator& all, milliseconds timeout) {
                                                          return std::make_unique<JoinedLate>(all, timeout, all_come);
                                                      });
        devices->set_timeout(milliseconds(30));
        if (all_come) {
            EXPECT_NO_THROW(devices->start({}, {}));
        } else {
            EXPECT_THROW(devices->start({}, {}), CommError);
        }
    }
}

}  // namespace
}  // namespace plumecast::testing
