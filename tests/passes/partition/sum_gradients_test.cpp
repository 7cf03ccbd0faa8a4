
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/plan/plan.hpp>

#include "passes/partition/overlap_messages.hpp"
#include "passes/partition/sum_gradients.hpp"
#include "support/comparison.hpp"
#include "support/oracle_backend.hpp"
#include "support/ranks.hpp"
#include "support/trace.hpp"

namespace plumecast::testing {
namespace {

const std::vector<Shape> shapes{{5}, {2, 3}, {40}, {1}};

/// Sums over ranks of inputs `0`, `1`, ..., under the same names.
Graph sums_of_inputs(Communicator& ranks, std::int64_t most) {
    Graph graph;
    std::vector<Value> partial;
    for (const Shape& shape : shapes) {
        partial.push_back(graph.input(std::to_string(partial.size()), {shape}));
    }
    const std::vector<Value> sums = summed_over_ranks(partial, ranks, most);
    for (std::size_t k = 0; k < sums.size(); ++k) {
        graph.output(std::to_string(k), sums[k]);
    }
    return graph;
}

/// An array of a rank.
Tensor values_of(int rank, const std::string& name) {
    return random_tensor(shapes[std::stoul(name)], DType::float64, name + " of rank " + std::to_string(rank));
}

TEST(SummedOverRanks, AddsWhatTravelsTogetherAndWhatTravelsAlone) {
    on_several_ranks([](Communicator& ranks) {
        const auto oracle = make_oracle_backend();
        std::vector<Tensor> own;
        for (std::size_t k = 0; k < shapes.size(); ++k) {
            own.push_back(values_of(ranks.rank(), std::to_string(k)));
        }
        const Feed feed = [&](const std::string& name) { return own[std::stoul(name)].view(); };
        for (const std::int64_t most : {1, 30, 1000}) {
            const Graph graph = sums_of_inputs(ranks, most);
            for (const Graph& ready : {graph, overlap_messages(graph)}) {
                const std::vector<Tensor> found = evaluate(*oracle, ready, feed);
                for (std::size_t k = 0; k < shapes.size(); ++k) {
                    Tensor expected = host_zeros(shapes[k], DType::float64);
                    for (int rank = 0; rank < ranks.size(); ++rank) {
                        const Tensor term = values_of(rank, std::to_string(k));
                        oracle->add(1.0, term.view(), {expected.view(), 1.0});
                    }
                    expect_close(found[k].view(), expected.view(), 1e-15, "sum " + std::to_string(k));
                }
            }
        }
    });
}

TEST(SummedOverRanks, SendsAsManyNumbersTogetherAsAreAdmitted) {
    on_several_ranks([](Communicator& ranks) {
        const auto exchanges = [&](std::int64_t most) {
            const Graph graph = sums_of_inputs(ranks, most);
            return std::ranges::count_if(graph.nodes(), [](const Node& node) { return node.op.is<ExchangeOp>(); });
        };
        EXPECT_EQ(exchanges(11), 2 * 3) << "5 and 6 numbers, 40, 1";
        EXPECT_EQ(exchanges(10), 2 * 4);
    });
}

TEST(SummedOverRanksOnRanks, SendsEachNumberTwiceButToItself) {
    on_ranks(4, [](Communicator& ranks) {
        const auto oracle = make_oracle_backend();
        const Graph graph = sums_of_inputs(ranks, 1000);
        std::deque<Tensor> own;
        const Feed feed = [&](const std::string& name) -> ConstView {
            own.push_back(values_of(ranks.rank(), name));
            return std::as_const(own.back()).view();
        };
        const Traffic before = ranks.traffic();
        evaluate(*oracle, graph, feed);
        EXPECT_EQ(ranks.traffic().bytes - before.bytes, 2 * 52 * 8 * 3 / 4);
        EXPECT_EQ(ranks.traffic().messages - before.messages, 2 * 3);
    });
}

/// A chain of matrix products and the gradients of their weights.
Graph chain_with_gradients(Communicator& ranks, int layers, std::int64_t most) {
    Graph graph;
    Value x = graph.input("x", {{6, 4}});
    std::vector<Value> weights;
    for (int layer = 0; layer < layers; ++layer) {
        weights.push_back(graph.weight({.of = "w" + std::to_string(layer), .shape = {4, 4}}));
        x = graph.add(MatMulOp{}, {x, weights.back()});
    }
    std::vector<Value> found = gradients(x, graph.input("g", x.type()), weights);
    std::ranges::reverse(found);
    const std::vector<Value> sums = summed_over_ranks(found, ranks, most);
    for (std::size_t k = 0; k < sums.size(); ++k) {
        graph.output("gradient." + std::to_string(k), sums[k]);
    }
    return graph;
}

TEST(SummedOverRanksOnRanks, TravelsWhileGradientsOfEarlierLayersAreComputed) {
    on_ranks(2, [](Communicator& ranks) {
        constexpr int layers = 5;
        Trace trace;
        const auto world = traced(ranks, trace);
        const auto oracle = make_traced_oracle(trace);
        const Graph graph = overlap_messages(chain_with_gradients(*world, layers, 16));
        const Tensor field = random_tensor({6, 4}, DType::float64, "x"),
                     matrix = random_tensor({4, 4}, DType::float64, "w");
        const Feed feed = [&](const std::string& name) { return name.starts_with("w") ? matrix.view() : field.view(); };
        trace.clear();
        evaluate(*oracle, graph, feed);
        EXPECT_EQ(trace.count("start"), 2 * layers);
        EXPECT_EQ(trace.count("wait"), 2 * layers);
        const std::vector<int> behind = trace.during_transfers("gemm");
        int hidden = 0;
        for (const int products : behind) {
            hidden += products > 0 ? 1 : 0;
        }
        EXPECT_GE(hidden, 2 * layers - 4) << "all but what sets out with the last gradients";
    });
}

}  // namespace
}  // namespace plumecast::testing
