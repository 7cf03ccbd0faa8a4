#include <gtest/gtest.h>

#include <plumecast/graph/layers.hpp>

#include "passes/counted_ops.hpp"
#include "passes/described_network.hpp"
#include "passes/fold_constants.hpp"
#include "passes/fold_layers.hpp"
#include "support/comparison.hpp"

namespace plumecast::testing {
namespace {

class FoldLayersTest : public ::testing::TestWithParam<std::string> {};

TEST_P(FoldLayersTest, LeavesNoBatchNormBehindAConvolutionAndTheValues) {
    for (const DescribedNetwork& network : described_networks(GetParam())) {
        const Graph folded = fold_batch_norms(network.graph);
        const Graph constant = fold_constants(*network.oracle, folded, network.weights());
        EXPECT_EQ(count_of(constant, "normalise"), 0);
        EXPECT_EQ(count_of(constant, "conv"), count_of(network.graph, "conv"));
        const Tensor expected = network.run(network.graph);
        expect_close(network.run(folded), expected, 1e-13);
        expect_close(network.run(constant), expected, 1e-13);
    }
}

TEST_P(FoldLayersTest, TakesTheLinearLayerOfABlockIntoItsConvolution) {
    const bool has_block = GetParam() == "ufno" || GetParam() == "conv_fno";
    for (const DescribedNetwork& network : described_networks(GetParam())) {
        const Graph folded = fold_linear_layers(network.graph);
        EXPECT_EQ(count_of(folded, "matmul"), count_of(network.graph, "matmul") - (has_block ? 1 : 0));
        EXPECT_EQ(count_of(folded, "conv"), count_of(network.graph, "conv"));
        expect_close(network.run(folded), network.run(network.graph), 1e-13);
    }
}

INSTANTIATE_TEST_SUITE_P(Architectures, FoldLayersTest, ::testing::Values("fno", "conv_fno", "ufno", "cnn"),
                         [](const auto& name) { return name.param; });

TEST(FoldBatchNorms, LeavesNormsOfABatchAndOfWhatOthersReadToo) {
    Graph graph;
    const Value x = graph.input("x", {{1, 4, 4, 4, 2}});
    const Value first = conv(x, {}, 2, true, {"first"}), second = conv(x, {}, 2, true, {"second"});
    graph.output("y", batch_norm(first, Statistics::of_batch, {"a"}) + batch_norm(second, Statistics::running, {"b"}));
    graph.output("second", second);
    EXPECT_EQ(count_of(fold_batch_norms(graph), "normalise"), 2);
}

TEST(FoldBatchNorms, LeavesNormsWhoseConvolutionHasManyWeightsForEachCell) {
    Graph graph;
    const Value x = graph.input("x", {{1, 4, 4, 4, 2}});
    graph.output("y", batch_norm(conv(x, {}, 64, true, {"conv"}), Statistics::running, {"norm"}));
    const std::int64_t weights_per_cell = 2 * 27 * 64 / (4 * 4 * 4);
    EXPECT_EQ(text_of(fold_batch_norms(graph, weights_per_cell)), text_of(pruned(graph)));
    EXPECT_NE(text_of(fold_batch_norms(graph, weights_per_cell + 1)), text_of(pruned(graph)));
}

TEST(FoldLinearLayers, LeavesLayersOfOtherFieldsAndStridedConvolutions) {
    Graph graph;
    const Value x = graph.input("x", {{1, 4, 4, 4, 2}}), other = graph.input("other", {{1, 4, 4, 4, 2}});
    graph.output("y", linear(other, 3, {"linear"}) + conv(x, {}, 3, true, {"conv"}));
    const ConvGeometry even{.kernel = {1, 1, 2}, .padding_low = {0, 0, 1}, .padding_high = {0, 0, 0}};
    graph.output("z", linear(x, 3, {"beside"}) + conv(x, even, 3, true, {"even"}));
    EXPECT_EQ(count_of(fold_linear_layers(graph), "matmul"), 2);
}

}  // namespace
}  // namespace plumecast::testing
