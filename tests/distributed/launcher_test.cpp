#include "distributed/launcher.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <plumecast/distributed/world.hpp>

#include "distributed/message_parts.hpp"
#include "support/ranks.hpp"

namespace plumecast::testing {
namespace {

class LauncherTest : public ::testing::Test {
   protected:
    void SetUp() override {
        if (is_launched()) {
            GTEST_SKIP() << "changes the environment that names the job of this process";
        }
    }
    void TearDown() override {
        for (const char* name : {"PMI_SIZE", "PMIX_RANK", "SLURM_STEP_NUM_TASKS"}) {
            unsetenv(name);
        }
    }
};

TEST_F(LauncherTest, TellsHowManyRanksWereStarted) {
    EXPECT_EQ(launched_ranks(), 0);
    setenv("PMI_SIZE", "6", 1);
    EXPECT_EQ(launched_ranks(), 6);
}

TEST_F(LauncherTest, AsksSlurmWherePmixNamesNoSize) {
    setenv("PMIX_RANK", "0", 1);
    EXPECT_EQ(launched_ranks(), 1);
    setenv("SLURM_STEP_NUM_TASKS", "4", 1);
    EXPECT_EQ(launched_ranks(), 4);
}

TEST_F(LauncherTest, OfSeveralRanksIsRefusedByABuildWithoutMpi) {
    if (!mpi_version().empty()) {
        GTEST_SKIP() << "built with " << mpi_version();
    }
    setenv("PMI_SIZE", "2", 1);
    EXPECT_THROW(World{}, NotBuilt);
}

TEST(WorldOnRanks, HasTheRanksThatTheLauncherStarted) {
    const char* started = std::getenv("OMPI_COMM_WORLD_SIZE");
    if (started == nullptr || std::atoi(started) < 2) {
        GTEST_SKIP() << "not one of several ranks";
    }
    EXPECT_EQ(launched_ranks(), std::atoi(started));
    bool has_run = false;
    on_ranks(std::atoi(started), [&](Communicator& communicator) {
        has_run = true;
        EXPECT_EQ(communicator.size(), std::atoi(started));
    });
    EXPECT_TRUE(has_run && is_launched());
}

TEST(MessageParts, StayBelowOneGibibyte) {
    EXPECT_EQ(parts_of(0), 0);
    EXPECT_EQ(parts_of(1), 1);
    EXPECT_EQ(parts_of(largest_part), 1);
    EXPECT_EQ(parts_of(largest_part + 1), 2);
}

}  // namespace
}  // namespace plumecast::testing
