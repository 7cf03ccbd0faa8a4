#include <plumecast/passes/partition/predict_on_ranks.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include <plumecast/plan/plan.hpp>

#include "passes/partition/rank_of_network.hpp"
#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/ranks.hpp"

namespace plumecast::testing {
namespace {

Traffic difference(const Traffic& after, const Traffic& before) {
    return {after.bytes - before.bytes, after.messages - before.messages};
}

struct Predicted {
    Tensor prediction;
    Traffic traffic;
};

Predicted by_layers(const RankOfNetwork& rank, Backend& backend) {
    rank.network->forward(rank.own, ExecutionMode::evaluation);  // plans are compared on the first use
    const Traffic before = rank.grid.traffic();
    const Variable y = rank.network->forward(rank.own, ExecutionMode::evaluation);
    Tensor host = host_zeros(y.shape());
    backend.download(y.value(), host);
    return {std::move(host), difference(rank.grid.traffic(), before)};
}

Predicted by_plan(const RankOfNetwork& rank, Backend& backend) {
    const Graph graph =
        predict_on_ranks(backend, rank.described(ExecutionMode::evaluation), rank.feed(), rank.grid, rank.cases);
    const Plan plan(backend, graph, rank.feed());
    const ValueType type = plan.graph().nodes()[static_cast<std::size_t>(plan.graph().outputs()[0].second)].type;
    Tensor workspace = plan.make_workspace(), y(backend.memory(), type.shape, backend.compute_type());
    const Traffic before = rank.grid.traffic();
    plan.run(workspace, rank.feed(), std::array{y.view()});
    Tensor host = host_zeros(type.shape);
    backend.download(y, host);
    return {std::move(host), difference(rank.grid.traffic(), before)};
}

class PredictOnRanksTest : public ::testing::TestWithParam<std::string> {};

TEST_P(PredictOnRanksTest, GivesTheBitsAndSendsTheBytesOfTheLayers) {
    struct Case {
        NetworkConfig config;
        Shape extents;
        GridShape grid;
    };
    const NetworkConfig radial = small_config(GetParam()), cartesian = small_config_3d(GetParam());
    const std::vector<Case> cases{{radial, {5, 11, 3}, {2, 1}},         {radial, {5, 11, 3}, {1, 2}},
                                  {radial, {5, 11, 3}, {2, 2}},         {radial, {5, 11, 3}, {1, 7}},
                                  {cartesian, {2, 6, 5, 2}, {1, 1, 2}}, {cartesian, {2, 6, 5, 2}, {1, 2, 2}}};
    for (const Case& c : cases) {
        for (const Route route : {Route::automatic, Route::reduce, Route::transpose}) {
            SCOPED_TRACE(c.grid.text());
            on_ranks(c.grid.ranks(), [&](Communicator& world) {
                const auto backend = make_cpu_backend({.threads = 1});
                const RankOfNetwork rank(world, c.grid, route, *backend, c.config, c.extents, 2);
                const Predicted layers = by_layers(rank, *backend), plan = by_plan(rank, *backend);
                EXPECT_EQ(plan.traffic, layers.traffic);
                EXPECT_EQ(plan.traffic.messages > 0, rank.grid.partitions_space());
                ASSERT_EQ(plan.prediction.shape(), layers.prediction.shape());
                if (GetParam() != "cnn") {  // whose plan adds up its residual blocks in another order
                    EXPECT_TRUE(std::ranges::equal(plan.prediction.values<float>(), layers.prediction.values<float>()));
                } else if (plan.prediction.shape().count() > 0) {
                    expect_close(plan.prediction, layers.prediction, 1e-5);
                }
            });
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Architectures, PredictOnRanksTest, ::testing::Values("fno", "conv_fno", "ufno", "cnn"),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace plumecast::testing
