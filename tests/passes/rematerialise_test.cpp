
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/graph/layers.hpp>
#include <plumecast/plan/plan.hpp>

#include "passes/counted_ops.hpp"
#include "passes/rematerialise.hpp"
#include "support/comparison.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

constexpr int blocks = 4;

/// Blocks of two branches, one of which has a hidden field, with a sum of squares and the gradients of all weights.
Graph chain() {
    Graph graph;
    const ValueType type{{1, 6, 5, 4, 3}};
    Value v = linear(graph.input("x", type), 3, {"lift"});
    for (std::int64_t k = 0; k < blocks; ++k) {
        const LayerPath at = LayerPath{"blocks"} / k;
        const Value hidden = activate(linear(v, 3, at / "first"), Activation{Activation::Kind::tanh});
        v = activate(linear(hidden, 3, at / "second") + v, Activation{Activation::Kind::tanh});
    }
    const Value result = linear(v, 3, {"last"});
    graph.output("result", result);
    std::vector<Value> weights;
    for (const WeightOp& weight : graph.weights()) {
        weights.push_back(graph.weight(weight));
    }
    const std::vector<Value> found = gradients(result, graph.input("cotangent", type), weights);
    for (std::size_t k = found.size(); k-- > 0;) {
        graph.output("gradient " + std::to_string(k), found[k]);
    }
    return pruned(graph);
}

std::vector<Tensor> values(Backend& oracle, const Graph& graph) {
    std::vector<std::pair<std::string, Tensor>> given;
    for (const Node& node : graph.nodes()) {
        const auto* weight = node.op.as<WeightOp>();
        const auto* input = node.op.as<InputOp>();
        if (weight != nullptr || input != nullptr) {
            const std::string& name = weight != nullptr ? weight->of : input->of;
            given.emplace_back(name, random_tensor(node.type.shape, DType::float64, name));
        }
    }
    return evaluate(oracle, graph, [&](const std::string& name) {
        const auto found = std::ranges::find(given, name, &std::pair<std::string, Tensor>::first);
        return std::as_const(found->second).view();
    });
}

std::size_t workspace_of(const Graph& graph) {
    const auto backend = make_planning_backend();
    const Tensor weight(backend->memory(), {3, 3}, DType::float32), bias(backend->memory(), {3}, DType::float32);
    const Plan plan(*backend, graph,
                    [&](const std::string& name) { return name.ends_with("bias") ? bias.view() : weight.view(); });
    return plan.workspace_bytes();
}

TEST(Rematerialise, LeavesTheValuesToTheBit) {
    const auto oracle = make_oracle_backend();
    const std::vector<Tensor> expected = values(*oracle, chain());
    for (const int every : {1, 2, 3, 9}) {
        const std::vector<Tensor> found = values(*oracle, rematerialise(chain(), "result", every));
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t k = 0; k < found.size(); ++k) {
            expect_close(found[k], expected[k], 0.0);
        }
    }
}

TEST(Rematerialise, ComputesAgainWhatLiesBetweenTheInputsOfSoManyBlocks) {
    EXPECT_EQ(text_of(rematerialise(chain(), "result", 0)), text_of(chain()));
    const std::int64_t layers = count_of(chain(), "activate");
    EXPECT_EQ(layers, 2 * blocks);
    // The hidden field of each block; of the last block nothing.
    EXPECT_EQ(count_of(rematerialise(chain(), "result", 1), "activate"), layers + blocks - 1);
    // Of the first two blocks both hidden fields and the field between them.
    EXPECT_EQ(count_of(rematerialise(chain(), "result", 2), "activate"), layers + 3);
    EXPECT_EQ(text_of(rematerialise(chain(), "result", blocks)), text_of(chain())) << "only one input is kept";
}

TEST(Rematerialise, TakesLessMemory) {
    const std::size_t all = workspace_of(chain());
    EXPECT_LT(workspace_of(rematerialise(chain(), "result", 1)), all);
    EXPECT_LT(workspace_of(rematerialise(chain(), "result", 2)), all);
}

}  // namespace
}  // namespace plumecast::testing
