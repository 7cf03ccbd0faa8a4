#include <gtest/gtest.h>

#include <plumecast/graph/layers.hpp>

#include "passes/counted_ops.hpp"
#include "passes/described_network.hpp"
#include "passes/fold_layers.hpp"
#include "passes/fuse.hpp"
#include "support/comparison.hpp"

namespace plumecast::testing {
namespace {

class FuseTest : public ::testing::TestWithParam<std::string> {};

TEST_P(FuseTest, LeavesTheValues) {
    for (const DescribedNetwork& network : described_networks(GetParam())) {
        const Tensor expected = network.run(network.graph);
        expect_close(network.run(fuse_sums_and_activations(network.graph)), expected, 1e-13);
        expect_close(network.run(fuse_concatenations(network.graph)), expected, 1e-13);
        const Graph all = fuse_sums_and_activations(
            lowered(fuse_concatenations(fold_linear_layers(fold_batch_norms(network.graph)))));
        expect_close(network.run(all), expected, 1e-13);
        EXPECT_EQ(count_of(all, "concat"), 0);
        EXPECT_EQ(count_of(all, "activate"), 0);
        // A residual block of the cnn adds a field that others read, to a convolution; so do plain Fourier blocks. The
        // matrix of a linear layer is put into the kernel that it is added to.
        EXPECT_EQ(count_of(all, "add"), count_of(fold_linear_layers(network.graph), "add") -
                                            count_of(network.graph, "spectral_conv") - count_of(all, "place") -
                                            (GetParam() == "cnn" ? 1 : 0));
    }
}

INSTANTIATE_TEST_SUITE_P(Architectures, FuseTest, ::testing::Values("fno", "conv_fno", "ufno", "cnn"),
                         [](const auto& name) { return name.param; });

TEST(FuseSumsAndActivations, TakesATermIntoTheTransformBeforeOtherOps) {
    Graph graph;
    const Value x = graph.input("x", {{1, 4, 4, 4, 2}});
    const Value sum = spectral_conv(x, {1, 1, 2}, {"spectral"}) + linear(x, 2, {"linear"});
    graph.output("y", activate(sum, Activation::relu()));
    const Graph fused = fuse_sums_and_activations(lowered(graph));
    const Node& last = fused.nodes().back();
    ASSERT_TRUE(last.op.is<AxisTransformOp>());
    EXPECT_TRUE(last.op.as<AxisTransformOp>()->fused.addend);
    EXPECT_EQ(last.op.as<AxisTransformOp>()->fused.activation, Activation::relu());
    EXPECT_NE(text_of(fused).find("axis 2 + addend relu"), std::string::npos) << text_of(fused);
}

TEST(FuseSumsAndActivations, LeavesWhatOthersReadToo) {
    Graph graph;
    const Value x = graph.input("x", {{3, 2}});
    const Value y = linear(x, 2, {"linear"});
    graph.output("sum", y + x);
    graph.output("f", activate(y, Activation::relu()));
    const Graph fused = fuse_sums_and_activations(graph);
    EXPECT_EQ(count_of(fused, "add"), 1);
    EXPECT_EQ(count_of(fused, "activate"), 1);
}

}  // namespace
}  // namespace plumecast::testing
