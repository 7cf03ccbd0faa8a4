#include <algorithm>

#include <gtest/gtest.h>

#include <plumecast/layers/exchange/gradient_allreduce.hpp>

#include "architectures/fourier_network.hpp"
#include "support/gradient_check.hpp"
#include "support/ranks.hpp"
#include "support/samples/small_network.hpp"
#include "support/trace.hpp"

namespace plumecast::testing {
namespace {

constexpr int convolutions = 9;  // of a U-Net

/// What a rank does in one block on half of a field of 16 x 16 cells.
struct TracedBlock {
    TracedBlock(Communicator& ranks, FourierBlock::Branch branch, Route route = Route::automatic)
        : world(traced(ranks, trace)),
          grid(*world, {1, ranks.size(), 1}, route),
          backend(make_traced_oracle(trace)),
          parameters(*backend, 1, &grid),
          levels(grid.partition({16, 16})),
          config(block_config(branch)),
          block(Scope(parameters).child("block"), config, branch),
          v(random_leaf(*backend, {1, 16, levels.at(0).held().extents()[1], 8, config.width}, "v")) {
        forward();  // plans are compared on the first use
        trace.clear();
    }
    static NetworkConfig block_config(FourierBlock::Branch branch) {
        NetworkConfig config = small_config(branch == FourierBlock::Branch::unet ? "ufno" : "conv_fno");
        config.modes = {2, 2, 2};
        return config;
    }
    Variable forward() { return block(v, ExecutionMode::evaluation, levels, v.shape().slice(1, 4)); }

    Trace trace;
    std::unique_ptr<Communicator> world;
    ProcessGrid grid;
    std::unique_ptr<Backend> backend;
    Parameters parameters;
    Levels levels;
    NetworkConfig config;
    FourierBlock block;
    Variable v;
};

TEST(OverlapOnRanks, ComputesTheUNetWhileASpectrumTravels) {
    for (const Route route : {Route::reduce, Route::transpose}) {
        on_ranks(2, [&](Communicator& ranks) {
            TracedBlock traced_block(ranks, FourierBlock::Branch::unet, route);
            traced_block.forward();
            expect_unet_behind_messages(traced_block.trace, convolutions);
        });
    }
}

TEST(OverlapOnRanks, ComputesAConvolutionWhileASpectrumTravels) {
    on_ranks(2, [](Communicator& ranks) {
        TracedBlock traced_block(ranks, FourierBlock::Branch::conv);
        traced_block.forward();
        EXPECT_EQ(traced_block.trace.most_during_a_transfer("conv"), 1);
    });
}

TEST(OverlapOnRanks, MultipliesByTheMatrixWhileMultipliedModesTravel) {
    on_ranks(2, [](Communicator& ranks) {
        TracedBlock traced_block(ranks, FourierBlock::Branch::none);
        traced_block.forward();
        EXPECT_EQ(traced_block.trace.most_during_a_transfer("gemm"), 1);
    });
}

TEST(OverlapOnRanks, GoesBackThroughTheUNetWhileTheSpectrumOfAGradientTravels) {
    on_ranks(2, [](Communicator& ranks) {
        TracedBlock traced_block(ranks, FourierBlock::Branch::unet);
        const Variable y = traced_block.forward();
        traced_block.trace.clear();
        backward(y, cotangent(*traced_block.backend, y.shape()));
        const Trace& trace = traced_block.trace;
        EXPECT_EQ(trace.count("conv_weight_gradient"), convolutions);
        EXPECT_EQ(trace.most_during_a_transfer("conv_weight_gradient"), convolutions);
        EXPECT_GE(trace.most_during_a_transfer("transform_axis"), 2)
            << "the neighbours' gradients travel during the inverse Fourier transform";
    });
}

TEST(OverlapOnRanks, SendsOneMessagePerNeighbourForEachFieldOfAUNet) {
    on_ranks(2, [](Communicator& ranks) {
        TracedBlock traced_block(ranks, FourierBlock::Branch::unet);
        const Traffic before = traced_block.grid.traffic();
        traced_block.forward();
        const std::int64_t fields = 9, spectra = 2;  // v, six of the encoder's and three of the decoder's but the last
        EXPECT_EQ(traced_block.grid.traffic().messages - before.messages, fields + spectra);
        EXPECT_EQ(traced_block.trace.count("start"), fields + spectra);
    });
}

TEST(OverlapOnRanks, SendsFinishedGradientsWhileBackwardGoesOn) {
    on_ranks(2, [](Communicator& ranks) {
        Trace trace;
        const auto world = traced(ranks, trace);
        const ProcessGrid grid(*world, {2, 1, 1});
        const auto backend = make_traced_oracle(trace);
        const auto network = small_network(*backend, small_config("conv_fno"), &grid);
        GradientAllreduce sum(network->parameters(), 30);
        NetworkInput input = small_input(*backend, {2, 3, 2}, 1);
        const Variable y = network->forward(input, ExecutionMode::evaluation);
        trace.clear();
        backward(y, cotangent(*backend, y.shape()), [&](const Variable& leaf) { sum.complete(leaf); });
        EXPECT_GE(trace.count("start"), 1) << "before the sum is asked for";
        EXPECT_GE(trace.most_during_a_transfer("gemm"), 1);
        EXPECT_LT(trace.count("wait"), trace.count("start"));
        sum();
        EXPECT_EQ(trace.count("start"), trace.count("wait"));
    });
}

}  // namespace
}  // namespace plumecast::testing
