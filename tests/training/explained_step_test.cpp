
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "inference/planned_rank.hpp"
#include "support/ranks.hpp"
#include "support/samples/tiny_run.hpp"
#include "training/explained_step.hpp"
#include "training/training_pass.hpp"

namespace plumecast::testing {
namespace {

constexpr Ceilings any_ceilings{1e9, 1e9};

double operations_of(const ExplainedNetwork& explained) {
    return std::accumulate(explained.ops.begin(), explained.ops.end(), 0.0,
                           [](double sum, const ExplainedOp& op) { return sum + op.work.operations; });
}

TEST(ExplainStep, HasForwardAndBackwardPassTimed) {
    const auto backend = make_cpu_backend({.threads = 1});
    const FieldNetwork network(*backend, tiny_network("ufno"), 7);
    const ExplainedNetwork step = explain_step(network, {5, 11, 3}, 2, 1);
    const ExplainedNetwork pass = explain_network(network, {5, 11, 3}, 2, 1);
    EXPECT_GT(operations_of(step), 2.5 * operations_of(pass));
    EXPECT_LT(operations_of(step), 4.0 * operations_of(pass));
    EXPECT_GT(step.workspace_bytes, pass.workspace_bytes) << "the backward pass reads activations";
    EXPECT_EQ(step.weight_bytes, pass.weight_bytes);
    EXPECT_TRUE(std::ranges::any_of(step.ops, [](const ExplainedOp& op) { return op.seconds > 0.0; }));
    EXPECT_GT(step.ceilings.bytes_per_second, 0.0);
}

/// What a training pass of three cases sends on a rank that runs with the others, the second one of its shape.
Traffic sent_in_a_pass(const FieldNetwork& network, const Shape& extents, const Batch& batch) {
    RankShard shard(network, extents);
    const std::vector<Tensor> inverse = equal_distances(network, shard, LossKind::relative_l2);
    TrainingPass pass(network, {});
    const auto cases = static_cast<std::int64_t>(batch.cases.size());
    Traffic before;
    for (int round = 0; round < 2; ++round) {
        for (const Parameter& parameter : network.parameters().all()) {
            parameter.weight.clear_gradient();
        }
        before = network.parameters().grid()->traffic();
        pass.run(batch, target_of_ones(network, shard, cases, extents[-1], views_of(inverse)), {&shard, 3, 3}).wait();
    }
    const Traffic after = network.parameters().grid()->traffic();
    return {after.bytes - before.bytes, after.messages - before.messages};
}

/// The plan of each rank without the others beside a pass of all of them.
void expect_messages_of_a_run(const NetworkDescription& description, const Shape& extents, const GridShape& shape,
                              Route route) {
    SCOPED_TRACE(description.network.architecture + " on " + shape.text());
    on_ranks(shape.ranks(), [&](Communicator& world) {
        const auto backend = make_cpu_backend({.threads = 1});
        const ProcessGrid ranks(world, shape, route);
        const FieldNetwork network(*backend, description, 7, &ranks), alone(*backend, description, 7);
        const RankPlace place{shape, world.rank(), route};
        const ExplainedNetwork planned = explain_step(alone, extents, 3, place, any_ceilings);
        const PlannedRank share(alone, extents, 3, place);
        EXPECT_EQ(sent_by(planned.ops), sent_in_a_pass(network, extents, share.input())) << "rank " << world.rank();
        EXPECT_GT(sent_by(planned.ops).messages, 0);
    });
}

class ExplainStepTest : public ::testing::TestWithParam<std::string> {};

TEST_P(ExplainStepTest, SaysWhatEachRankSendsInARunOfAll) {
    for (const Route route : {Route::automatic, Route::transpose}) {
        for (const GridShape& shape : {GridShape{2, 1}, GridShape{1, 2}, GridShape{2, 2}}) {
            expect_messages_of_a_run(tiny_network(GetParam()), {5, 11, 3}, shape, route);
        }
    }
    expect_messages_of_a_run(tiny_network_3d(GetParam()), {2, 6, 5, 2}, {1, 2, 2}, Route::automatic);
}

INSTANTIATE_TEST_SUITE_P(Architectures, ExplainStepTest, ::testing::Values("fno", "conv_fno", "ufno", "cnn"),
                         [](const auto& name) { return name.param; });

TEST(ExplainStep, RefusesRanksThatDoNotFit) {
    const auto backend = make_cpu_backend({.threads = 1});
    const FieldNetwork network(*backend, tiny_network("fno"), 7);
    const auto explain = [&](const RankPlace& place) { explain_step(network, {5, 11, 3}, 2, place, any_ceilings); };
    EXPECT_THROW(explain({{2, 1}, 2}), InvalidInput);
    EXPECT_THROW(explain({{3, 1}, 0}), InvalidInput) << "more groups than cases";
    EXPECT_THROW(explain({{1, 100}, 0}), InvalidInput) << "more cuts than cells";
}

}  // namespace
}  // namespace plumecast::testing
