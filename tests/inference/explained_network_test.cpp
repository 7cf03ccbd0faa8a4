
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "inference/described_cases.hpp"
#include "inference/explained_network.hpp"
#include "inference/prediction/latest_plans.hpp"
#include "support/backends.hpp"
#include "support/ranks.hpp"
#include "support/samples/small_network.hpp"

namespace plumecast::testing {
namespace {

constexpr Ceilings some_ceilings{1e9, 1e9};

/// What a prediction of three cases sends and holds on a rank that runs with the others.
struct Run {
    Traffic sent;
    std::size_t workspace_bytes = 0;
};

Run run_of(const FieldNetwork& network, const ProcessGrid& ranks, const Shape& extents) {
    Backend& backend = network.backend();
    const Batch batch = shard_of(network, ranks, extents);
    FieldInput input = network.input_for(batch);
    upload(backend, batch, input);
    FieldPlans plans(network);
    const PlannedPass pass = plans.pass(input);
    Tensor fields = pass.output(backend);
    const Traffic before = ranks.traffic();
    pass.run(input, fields);
    const Traffic after = ranks.traffic();
    return {{after.bytes - before.bytes, after.messages - before.messages}, pass.plan->workspace_bytes()};
}

/// The plan of each rank without the others beside a run of all of them.
void expect_plans_like_runs(const NetworkDescription& description, const Shape& extents, const GridShape& shape,
                            Route route, Precision precision) {
    SCOPED_TRACE(description.network.architecture + " on " + shape.text());
    on_ranks(shape.ranks(), [&](Communicator& world) {
        const auto backend = make_cpu_backend({.threads = 1, .precision = precision});
        const ProcessGrid ranks(world, shape, route);
        const Run run = run_of(network_on(*backend, description, &ranks), ranks, extents);
        const FieldNetwork alone = network_on(*backend, description);
        const ExplainedNetwork planned = explain_rank(alone, extents, 3, {shape, world.rank(), route}, some_ceilings);
        EXPECT_EQ(sent_by(planned.ops), run.sent) << "rank " << world.rank();
        EXPECT_EQ(planned.workspace_bytes, run.workspace_bytes) << "rank " << world.rank();
    });
}

class ExplainRankTest : public ::testing::TestWithParam<std::string> {};

TEST_P(ExplainRankTest, SaysWhatEachRankSendsAndHoldsInARunOfAll) {
    const NetworkConfig radial = small_config(GetParam()), cartesian = small_config_3d(GetParam());
    for (const Route route : {Route::automatic, Route::reduce, Route::transpose}) {
        for (const GridShape& shape : {GridShape{2, 1}, GridShape{1, 2}, GridShape{2, 2}, GridShape{1, 3}}) {
            expect_plans_like_runs(described(radial), {5, 11, 3}, shape, route, Precision::fp32);
        }
        expect_plans_like_runs(described(radial), {5, 11, 3}, {2, 2}, route, Precision::bf16);
        expect_plans_like_runs(guided(radial), {5, 11, 3}, {2, 2}, route, Precision::fp32);
        expect_plans_like_runs(described(cartesian), {2, 6, 5, 2}, {1, 2, 2}, route, Precision::fp32);
    }
}

INSTANTIATE_TEST_SUITE_P(Architectures, ExplainRankTest, ::testing::Values("fno", "conv_fno", "ufno", "cnn"),
                         [](const auto& name) { return name.param; });

/// Of two cases on the first rank of a grid, or another.
ExplainedNetwork rank_of_two_cases(const GridShape& shape, int rank = 0) {
    const auto backend = make_cpu_backend({.threads = 1});
    const FieldNetwork network = network_on(*backend, described(small_config("ufno")));
    return explain_rank(network, {5, 11, 3}, 2, {shape, rank}, some_ceilings);
}

TEST(ExplainRank, SendsInOpsThatStartExchangesAlone) {
    const ExplainedNetwork explained = rank_of_two_cases({1, 2});
    int exchanges = 0;
    for (const ExplainedOp& op : explained.ops) {
        const bool starts = op.name.starts_with("start_exchange ") || op.name.starts_with("exchange ");
        EXPECT_EQ(op.sent.messages > 0, starts) << op.name;
        EXPECT_EQ(op.sent.bytes > 0, starts) << op.name;
        exchanges += starts ? 1 : 0;
    }
    EXPECT_GT(exchanges, 5);
    EXPECT_TRUE(std::ranges::any_of(explained.ops, [](const ExplainedOp& op) { return op.name.ends_with(" halo"); }));
}

TEST(ExplainRank, TimesNothingAndTakesTheCeilingsAsTheyAre) {
    const ExplainedNetwork explained = rank_of_two_cases({1, 2});
    EXPECT_TRUE(std::ranges::all_of(explained.ops, [](const ExplainedOp& op) { return op.seconds == 0.0; }));
    EXPECT_EQ(explained.ceilings.bytes_per_second, some_ceilings.bytes_per_second);
}

TEST(ExplainRank, SendsNothingWhereGroupsShareCasesAlone) {
    EXPECT_EQ(sent_by(rank_of_two_cases({2, 1}, 1).ops), Traffic());
}

TEST(ExplainRank, HoldsLessWithMoreRanks) {
    const ExplainedNetwork one = rank_of_two_cases({}), four = rank_of_two_cases({2, 2});
    EXPECT_LT(four.workspace_bytes, one.workspace_bytes);
    EXPECT_LT(four.weight_bytes, one.weight_bytes) << "spectral weights are shared out";
}

TEST(ExplainRank, RefusesRanksThatDoNotFit) {
    EXPECT_THROW(rank_of_two_cases({2, 2}, 4), InvalidInput) << "ranks 0 to 3";
    EXPECT_THROW(rank_of_two_cases({2, 2}, -1), InvalidInput);
    EXPECT_THROW(rank_of_two_cases({3, 1}), InvalidInput) << "more groups than cases";
    EXPECT_THROW(rank_of_two_cases({1, 100}), InvalidInput) << "more cuts than cells";
    EXPECT_THROW(rank_of_two_cases({1, 2, 2}), InvalidInput) << "no axis y";
}

}  // namespace
}  // namespace plumecast::testing
