#include "distributed/devices/nccl.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>

#include <plumecast/backend/cuda.hpp>
#include <plumecast/core/error.hpp>
#include <plumecast/distributed/exchange.hpp>

#include "support/ranks.hpp"

namespace plumecast::testing {
namespace {

/// Why two ranks cannot send by NCCL here; empty where they can.
std::string missing_for_two() {
    for (const int device : {0, 1}) {
        const std::string obstacle = cuda_obstacle(device);
        if (!obstacle.empty()) {
            return "NCCL needs two CUDA devices: " + obstacle;
        }
    }
    try {
        nccl_transports();
        return "";
    } catch (const InvalidInput& error) {
        return error.what();
    }
}

TEST(Nccl, SaysWhatIsMissing) {
    try {
        nccl_transports();
        GTEST_SKIP() << "the library of NCCL can be opened, nothing is missing";
    } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), ::testing::MatchesRegex("messages by NCCL.+\\(.+\\); .+"));
    }
}

/// Ranks are threads here or started by mpirun, each with a device of its own.
class NcclOnRanks : public ::testing::Test {
   protected:
    void SetUp() override {
        const std::string missing = missing_for_two();
        if (!missing.empty()) {
            GTEST_SKIP() << missing;
        }
    }
};

TEST_F(NcclOnRanks, MovesBetweenDevicesWhatGoesThroughTheHostElsewhere) {
    on_ranks(2, [](Communicator& ranks) {
        const auto backend = make_cuda_backend({.device = ranks.rank(), .memory_bytes = std::size_t{64} << 20});
        const auto devices = make_device_communicator(ranks.split(0, ranks.rank()), nccl_transports());
        const Shape whole{1001, 3};
        const auto me = static_cast<std::size_t>(ranks.rank());
        const Layout cut = partition_layout(whole, 0, balanced_partition(1001, 2));
        const Exchange exchange(*devices, cut, replicated_layout(whole, 2));
        Tensor own(backend->memory(), cut[me][0].extents(), DType::float32);
        Tensor all(backend->memory(), whole, DType::float32), sums(backend->memory(), own.shape(), DType::float32);
        for (int round = 1; round < 4; ++round) {
            backend->fill(own, static_cast<double>(ranks.rank() + round));
            exchange.forward(*backend, std::array{std::as_const(own).view()}, std::array{OutputRef{all.view()}});
            exchange.adjoint(*backend, std::array{std::as_const(all).view()}, std::array{OutputRef{sums.view()}});
            Tensor found = host_zeros(whole), added = host_zeros(own.shape());
            backend->download(all, found);
            backend->download(sums, added);
            EXPECT_EQ(found.values<float>().front(), static_cast<float>(round));
            EXPECT_EQ(found.values<float>().back(), static_cast<float>(round + 1));
            EXPECT_EQ(added.values<float>()[5], 2.0f * static_cast<float>(ranks.rank() + round));
        }
        const std::int64_t bytes = (own.shape().count() + (whole.count() - own.shape().count())) * 4 * 3;
        EXPECT_GE(devices->traffic().bytes, bytes);
    });
}

}  // namespace
}  // namespace plumecast::testing
