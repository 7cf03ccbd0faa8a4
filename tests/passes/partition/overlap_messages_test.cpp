
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <plumecast/plan/plan.hpp>

#include "passes/counted_ops.hpp"
#include "passes/partition/overlap_messages.hpp"
#include "passes/partition/predict_on_ranks.hpp"
#include "passes/partition/rank_of_network.hpp"
#include "passes/partition/sum_gradients.hpp"
#include "support/comparison.hpp"
#include "support/oracle_backend.hpp"
#include "support/ranks.hpp"
#include "support/trace.hpp"

namespace plumecast::testing {
namespace {

constexpr int convolutions = 9;  // of a U-Net

/// A run of the plan of one block of a network on half of a grid, traced.
Trace trace_of(Communicator& ranks, const NetworkConfig& config, Route route) {
    Trace trace;
    const auto world = traced(ranks, trace);
    const auto backend = make_traced_oracle(trace);
    const RankOfNetwork rank(*world, {1, ranks.size()}, route, *backend, config, {14, 14, 6}, 1);
    const Graph graph =
        predict_on_ranks(*backend, rank.described(ExecutionMode::evaluation), rank.feed(), rank.grid, rank.cases);
    const Plan plan(*backend, graph, rank.feed());
    const ValueType type = plan.graph().nodes()[static_cast<std::size_t>(plan.graph().outputs()[0].second)].type;
    Tensor workspace = plan.make_workspace(), y(backend->memory(), type.shape, backend->compute_type());
    trace.clear();
    plan.run(workspace, rank.feed(), std::vector<View>{y.view()});
    return trace;
}

NetworkConfig one_block(const std::string& architecture) {
    NetworkConfig config = small_config(architecture);
    config.fourier_blocks = architecture == "fno" ? 1 : 0;
    config.extended_blocks = architecture == "fno" ? 0 : 1;
    config.modes = {2, 2, 2};
    return config;
}

TEST(OverlapMessagesOnRanks, ComputesTheUNetWhileASpectrumTravels) {
    for (const Route route : {Route::reduce, Route::transpose}) {
        on_ranks(2, [&](Communicator& ranks) {
            expect_unet_behind_messages(trace_of(ranks, one_block("ufno"), route), convolutions);
        });
    }
}

TEST(OverlapMessagesOnRanks, ComputesAConvolutionWhileASpectrumTravels) {
    on_ranks(2, [](Communicator& ranks) {
        EXPECT_EQ(trace_of(ranks, one_block("conv_fno"), Route::automatic).most_during_a_transfer("conv"), 1);
    });
}

TEST(OverlapMessagesOnRanks, MultipliesByTheMatrixWhileMultipliedModesTravel) {
    on_ranks(2, [](Communicator& ranks) {
        EXPECT_EQ(trace_of(ranks, one_block("fno"), Route::automatic).most_during_a_transfer("gemm"), 1);
    });
}

TEST(OverlapMessagesOnRanks, SendsOneMessagePerNeighbourForEachFieldOfAUNet) {
    on_ranks(2, [](Communicator& ranks) {
        const Trace trace = trace_of(ranks, one_block("ufno"), Route::automatic);
        const int fields = 9, spectra = 2;  // v, six of the encoder's and three of the decoder's but the last
        EXPECT_EQ(trace.count("start"), fields + spectra);
        EXPECT_EQ(trace.count("wait"), fields + spectra);
    });
}

TEST(OverlapMessages, ComputesWhatTheGraphComputed) {
    for (const char* architecture : {"ufno", "cnn"}) {
        on_ranks(3, [&](Communicator& world) {
            const auto oracle = make_oracle_backend();
            const RankOfNetwork rank(world, {1, 3}, Route::automatic, *oracle, small_config(architecture), {5, 11, 3},
                                     2);
            const Graph graph = rank.partitioned(ExecutionMode::training), overlapped = overlap_messages(graph);
            EXPECT_EQ(count_of(overlapped, "exchange"), 0);
            EXPECT_EQ(count_of(overlapped, "start_exchange"), count_of(graph, "exchange"));
            EXPECT_EQ(count_of(overlapped, "finish_exchange"), count_of(graph, "exchange"));
            const std::vector<Tensor> expected = evaluate(*oracle, graph, rank.feed()),
                                      found = evaluate(*oracle, overlapped, rank.feed());
            for (std::size_t k = 0; k < found.size(); ++k) {
                EXPECT_TRUE(std::ranges::equal(found[k].values<double>(), expected[k].values<double>()));
            }
        });
    }
}

/// A step of training on a rank, whose gradients are summed in buckets of so many numbers.
Graph step_on(const RankOfNetwork& rank, Communicator& world, std::int64_t most) {
    Graph graph = rank.partitioned(ExecutionMode::training);
    const Value prediction = graph.output("prediction");
    std::vector<Value> weights;
    for (const WeightOp& weight : graph.weights()) {
        if (weight.trainable) {
            weights.push_back(graph.weight(weight));
        }
    }
    const std::vector<Value> found = gradients(prediction, graph.input("upstream", prediction.type()), weights);
    const std::vector<Value> sums = summed_over_ranks(found, world, most);
    for (std::size_t k = 0; k < sums.size(); ++k) {
        graph.output("gradient." + std::to_string(k), sums[k]);
    }
    return overlap_messages(sum_norm_gradients(pruned(graph), rank.grid));
}

/// What all ranks come to, in its order, without sums of gradients.
std::vector<std::string> events_of(const Graph& graph) {
    std::vector<std::string> events;
    for (const Node& node : graph.nodes()) {
        const auto* start = node.op.as<StartExchangeOp>();
        if (start != nullptr && start->of.kind != ExchangeOp::Kind::sums) {
            events.push_back(start->text() + " " + start->of.sent.text());
        } else if (node.op.is<SumOverRanksOp>() || node.op.is<MergeMomentsOp>()) {
            events.push_back("norm " + node.type.shape.text());
        }
    }
    return events;
}

TEST(OverlapMessages, OrdersExchangesAlikeWhateverSumsTravelBesides) {
    on_ranks(2, [](Communicator& world) {
        const auto oracle = make_oracle_backend();
        const RankOfNetwork rank(world, {1, 2}, Route::automatic, *oracle, small_config("ufno"), {5, 11, 3}, 2);
        const Graph many = step_on(rank, world, 1), few = step_on(rank, world, std::int64_t{1} << 20);
        EXPECT_GT(count_of(many, "start_exchange"), count_of(few, "start_exchange"));
        EXPECT_FALSE(events_of(few).empty());
        EXPECT_EQ(events_of(many), events_of(few));
    });
}

}  // namespace
}  // namespace plumecast::testing
