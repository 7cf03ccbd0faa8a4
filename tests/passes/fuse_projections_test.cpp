
#include <gtest/gtest.h>

#include "passes/counted_ops.hpp"
#include "passes/described_network.hpp"
#include "passes/fuse.hpp"
#include "passes/fuse_projections.hpp"

namespace plumecast::testing {
namespace {

TEST(FuseProjections, LeavesTheValuesAndNoHiddenLayer) {
    for (const char* architecture : {"fno", "ufno"}) {
        for (const DescribedNetwork& network : described_networks(architecture)) {
            const Graph fused = fuse_projections(fuse_sums_and_activations(network.graph));
            EXPECT_EQ(count_of(fused, "projection"), 1);
            EXPECT_EQ(count_of(fused, "matmul"), count_of(network.graph, "matmul") - 2);
            expect_close(network.run(fused), network.run(network.graph), 1e-13);
            const Graph alone = fuse_projections(network.graph);  // its activation by itself
            EXPECT_EQ(count_of(alone, "projection"), 1);
            expect_close(network.run(alone), network.run(network.graph), 1e-13);
        }
    }
}

TEST(FuseProjections, LeavesLayersWhoseHiddenOneIsNotTheWidest) {
    Graph graph;
    const Value x = graph.input("x", {{3, 8}});
    graph.output("y", linear(linear(x, 8, {"first"}), 2, {"second"}));
    EXPECT_EQ(count_of(fuse_projections(graph), "projection"), 0);
}

TEST(FuseProjections, LeavesAHiddenLayerThatOthersRead) {
    Graph graph;
    const Value x = graph.input("x", {{3, 2}});
    const Value hidden = linear(x, 8, {"first"});
    graph.output("y", linear(hidden, 2, {"second"}));
    graph.output("hidden", hidden);
    EXPECT_EQ(count_of(fuse_projections(graph), "projection"), 0);
}

}  // namespace
}  // namespace plumecast::testing
