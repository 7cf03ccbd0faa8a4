#include <chrono>

#include <gtest/gtest.h>

#include <plumecast/distributed/world.hpp>

#include "support/ranks.hpp"

/// The tests of this module also run under mpirun; then every rank runs all of them, and one failing rank fails the
/// job.
int main(int argc, char** argv) {
    plumecast::World world;
    ::testing::InitGoogleTest(&argc, argv);
    world.communicator().set_timeout(std::chrono::seconds(20));  // a failed rank must not hold the others for long
    plumecast::testing::run_tests_on(world.communicator());
    return RUN_ALL_TESTS();
}
