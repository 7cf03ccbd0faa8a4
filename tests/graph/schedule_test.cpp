#include "graph/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "passes/described_network.hpp"

namespace plumecast::testing {
namespace {

TEST(Schedule, PutsEveryOpThatAnOutputNeedsAfterItsInputs) {
    for (const DescribedNetwork& network : described_networks("ufno")) {
        const std::vector<int> order = schedule(network.graph);
        std::vector<char> done(network.graph.nodes().size(), 0);
        for (const int node : order) {
            for (const int input : network.graph.nodes()[static_cast<std::size_t>(node)].inputs) {
                const Op& op = network.graph.nodes()[static_cast<std::size_t>(input)].op;
                EXPECT_TRUE(op->given() != nullptr || done[static_cast<std::size_t>(input)] != 0);
            }
            EXPECT_EQ(done[static_cast<std::size_t>(node)], 0);
            done[static_cast<std::size_t>(node)] = 1;
        }
        EXPECT_EQ(done[static_cast<std::size_t>(network.graph.outputs().front().second)], 1);
    }
}

TEST(Schedule, ComputesTheLongerBranchFirst) {
    Graph graph;
    const Value x = graph.input("x", {{2, 2}});
    const Value brief = activate(x, Activation::relu());
    Value lengthy = x;
    for (int k = 0; k < 3; ++k) {
        lengthy = activate(lengthy, Activation::leaky_relu(0.1));
    }
    graph.output("y", brief + lengthy);
    EXPECT_EQ(schedule(graph), (std::vector<int>{2, 3, 4, 1, 5}));
}

TEST(Schedule, LeavesOutWhatNoOutputNeeds) {
    Graph graph;
    const Value x = graph.input("x", {{2, 2}});
    activate(x, Activation::leaky_relu(0.1));
    graph.output("y", activate(x, Activation::relu()));
    EXPECT_EQ(schedule(graph), (std::vector<int>{2}));
}

}  // namespace
}  // namespace plumecast::testing
