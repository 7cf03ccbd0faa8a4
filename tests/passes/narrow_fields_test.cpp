
#include <gtest/gtest.h>

#include <map>

#include "passes/described_network.hpp"
#include "passes/narrow_fields.hpp"

namespace plumecast::testing {
namespace {

/// How many results of each op are bfloat16, and of how many.
std::map<std::string, std::pair<int, int>> narrow_results(const Graph& graph) {
    std::map<std::string, std::pair<int, int>> counts;
    for (const Node& node : graph.nodes()) {
        auto& [narrow, all] = counts[node.op->name()];
        narrow += node.type.type == DType::bfloat16 ? 1 : 0;
        ++all;
    }
    return counts;
}

TEST(NarrowFields, NarrowsFieldsAndNeitherSpectraNorTermsNorOutputs) {
    const NetworkConfig config = small_config("fno");
    const Graph graph = describe(config, whole_input(config, 1, {5, 7, 3}), ExecutionMode::evaluation);
    const Graph narrow = narrow_fields(graph);
    const auto blocks = static_cast<int>(config.fourier_blocks);
    auto counts = narrow_results(lowered(narrow));
    EXPECT_EQ(counts["padded_sum"], std::pair(1, 1));
    EXPECT_EQ(counts["axis_transform"], std::pair(blocks, 6 * blocks));
    EXPECT_EQ(counts["add"], std::pair(blocks, blocks));
    EXPECT_EQ(counts["combine_signs"].first + counts["spectral_multiply"].first + counts["weight"].first, 0);
    EXPECT_EQ(counts["matmul"], std::pair(blocks + 1, blocks + 3));  // not the lift, nor the prediction
    EXPECT_EQ(Graph(narrow).output("prediction").type().type, DType::float32);
}

TEST(NarrowFields, WidensAnOutputThatIsAField) {
    const NetworkConfig config = small_config("cnn");
    Graph narrow = narrow_fields(describe(config, whole_input(config, 1, {5, 7, 3}), ExecutionMode::evaluation));
    EXPECT_EQ(narrow_results(narrow)["conv"].first, narrow_results(narrow)["conv"].second);
    ASSERT_NE(op_of<CastOp>(narrow.output("prediction")), nullptr);
    EXPECT_EQ(narrow.output("prediction").type().type, DType::float32);
}

TEST(NarrowFields, LeavesTheValuesOfABackendThatHasOneType) {
    for (const char* architecture : {"conv_fno", "ufno", "cnn"}) {
        for (const DescribedNetwork& network : described_networks(architecture)) {
            expect_close(network.run(narrow_fields(network.graph)), network.run(network.graph), 0.0);
        }
    }
}

}  // namespace
}  // namespace plumecast::testing
