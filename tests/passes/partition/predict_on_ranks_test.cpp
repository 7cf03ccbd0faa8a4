
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include <plumecast/plan/plan.hpp>

#include "passes/partition/predict_on_ranks.hpp"
#include "passes/partition/rank_of_network.hpp"
#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/oracle_backend.hpp"
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

TEST_P(PredictOnRanksTest, GivesWhatOneRankGives) {
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
                const auto alone = small_network(*backend, c.config);
                const Tensor whole = described_prediction(*alone, rank.whole);
                const Tensor expected =
                    RankOfNetwork::part_of(*backend, whole.view(), rank.predicted_box(whole.shape()));
                const Predicted plan = by_plan(rank, *backend);
                EXPECT_EQ(plan.traffic.messages > 0, rank.grid.partitions_space());
                ASSERT_EQ(plan.prediction.shape(), expected.shape());
                if (expected.shape().count() > 0) {
                    expect_close(plan.prediction, expected, 1e-5);
                }
            });
        }
    }
}

/// What all ranks of a grid send in a prediction of two cases [messages, bytes].
std::array<double, 2> sent(const NetworkConfig& config, const Shape& extents, const GridShape& shape, Route route) {
    std::array<double, 2> all{};
    on_ranks(shape.ranks(), [&](Communicator& world) {
        const auto backend = make_cpu_backend({.threads = 1});
        const RankOfNetwork rank(world, shape, route, *backend, config, extents, 2);
        const Traffic own = by_plan(rank, *backend).traffic;
        std::array<double, 2> sum{static_cast<double>(own.messages), static_cast<double>(own.bytes)};
        world.sum(sum);
        if (world.rank() == 0) {
            all = sum;
        }
    });
    return all;
}

TEST(PartitionTraffic, OfPredictionsIsAsEver) {
    struct Case {
        const char* architecture;
        std::array<double, 2> reduced, transposed, in_three_axes;
    };
    const std::vector<Case> cases{{"fno", {8, 4608}, {8, 9216}, {16, 7040}},
                                  {"conv_fno", {20, 12288}, {20, 21504}, {44, 18112}},
                                  {"ufno", {52, 17568}, {52, 26784}, {119, 63504}},
                                  {"cnn", {48, 14784}, {48, 14784}, {86, 64512}}};
    for (const Case& c : cases) {
        SCOPED_TRACE(c.architecture);
        const NetworkConfig radial = small_config(c.architecture), cartesian = small_config_3d(c.architecture);
        EXPECT_EQ(sent(radial, {5, 11, 3}, {2, 2}, Route::reduce), c.reduced);
        EXPECT_EQ(sent(radial, {5, 11, 3}, {2, 2}, Route::transpose), c.transposed);
        EXPECT_EQ(sent(cartesian, {2, 6, 5, 2}, {1, 2, 2}, Route::automatic), c.in_three_axes);
    }
}

/// The prediction of all ranks of a grid by transposes, on each of them.
std::vector<double> predicted_by_transposes(Communicator& world, const GridShape& shape, const NetworkConfig& config,
                                            const Shape& extents) {
    // Winograd's algorithm works in tiles, which begin where a rank's cells do.
    const auto backend = make_cpu_backend({.threads = 1, .direct_convolutions = true});
    const RankOfNetwork rank(world, shape, Route::transpose, *backend, config, extents, 2);
    const Tensor own = converted(by_plan(rank, *backend).prediction, DType::float64);
    Shape whole{2};
    for (const std::int64_t extent : extents.extents()) {
        whole = whole.append(extent);
    }
    whole = whole.append(config.fields);
    const Box box = rank.predicted_box(whole);
    Tensor sum = host_zeros(whole, DType::float64);
    make_oracle_backend()->copy_box(own, Box(box.extents()).low(), {sum}, box.low(), box.extents());
    world.sum(sum.values<double>());
    return {sum.values<double>().begin(), sum.values<double>().end()};
}

void expect_same_bits_on(const std::vector<GridShape>& shapes, NetworkConfig config, const Shape& extents) {
    config.width = 16;  // whole vectors of the processor
    const auto self = make_self_communicator();
    const std::vector<double> alone = predicted_by_transposes(*self, {}, config, extents);
    for (const GridShape& shape : shapes) {
        on_ranks(shape.ranks(), [&](Communicator& world) {
            EXPECT_EQ(predicted_by_transposes(world, shape, config, extents), alone) << shape.text();
        });
    }
}

TEST_P(PredictOnRanksTest, GivesTheSameBitsOnEveryGridByTransposes) {
    expect_same_bits_on({GridShape{1, 2}, GridShape{1, 3}, GridShape{1, 5}}, small_config(GetParam()), {5, 11, 3});
    expect_same_bits_on({GridShape{1, 2, 1}, GridShape{1, 1, 3}, GridShape{1, 2, 2}}, small_config_3d(GetParam()),
                        {3, 9, 11, 2});
}

INSTANTIATE_TEST_SUITE_P(Architectures, PredictOnRanksTest, ::testing::Values("fno", "conv_fno", "ufno", "cnn"),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace plumecast::testing
