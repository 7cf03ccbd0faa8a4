#include <gtest/gtest.h>

#include <algorithm>

#include <plumecast/graph/layers.hpp>

#include "passes/counted_ops.hpp"
#include "passes/described_network.hpp"
#include "passes/fold_constants.hpp"

namespace plumecast::testing {
namespace {

TEST(FoldConstants, LeavesNothingThatDependsOnWeightsAloneAndChangesNoBit) {
    for (const DescribedNetwork& network : described_networks("ufno")) {
        const Graph folded = fold_constants(*network.oracle, network.graph, network.weights());
        EXPECT_EQ(count_of(network.graph, "rows"), 1);
        EXPECT_EQ(count_of(network.graph, "running_moments"), 5);
        EXPECT_EQ(count_of(folded, "rows"), 0);
        EXPECT_EQ(count_of(folded, "running_moments"), 0);
        EXPECT_EQ(count_of(folded, "conv"), count_of(network.graph, "conv"));
        const Tensor before = network.run(network.graph), after = network.run(folded);
        EXPECT_TRUE(std::ranges::equal(before.values<double>(), after.values<double>()));
    }
}

TEST(FoldConstants, ComputesOutputsThatAreConstantAndKeepsTypes) {
    const auto oracle = make_oracle_backend();
    Graph graph;
    const Value mean = graph.constant("mean", {2}, [] { return std::vector<double>{1.0, 2.0}; });
    graph.output("moments", graph.add(RunningMomentsOp{}, {mean, mean + mean}));
    const Graph folded = fold_constants(*oracle, graph, [](const std::string&) { return ConstView(); });
    ASSERT_EQ(folded.nodes().size(), 1U);
    EXPECT_EQ(folded.nodes().front().type, (ValueType{{2, 2}, DType::float64}));
    const std::vector<Tensor> outputs = evaluate(*oracle, folded, [](const std::string&) { return ConstView(); });
    EXPECT_EQ(outputs.front().values<double>()[3], 4.0);
}

}  // namespace
}  // namespace plumecast::testing
