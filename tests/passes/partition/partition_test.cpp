#include <plumecast/passes/partition/partition.hpp>

#include <gmock/gmock.h>

#include "passes/partition/rank_of_network.hpp"
#include "support/comparison.hpp"
#include "support/oracle_backend.hpp"
#include "support/ranks.hpp"

namespace plumecast::testing {
namespace {

constexpr std::int64_t cases_of_batch = 3;

struct Cut {
    NetworkConfig config;
    Shape extents;
    std::vector<GridShape> grids;
};

/// Groups of cases, cuts of one axis and of two, that no power of two divides, and ranks that hold padding alone or, of
/// coarse levels, nothing.
std::vector<Cut> cuts(const std::string& architecture) {
    return {{small_config(architecture), {5, 11, 3}, {{1, 2}, {2, 1}, {2, 2}, {1, 7}, {4, 1}}},
            {small_config_3d(architecture), {2, 6, 5, 2}, {{1, 2, 2}, {2, 1, 2}}}};
}

/// The prediction of one rank, and the running statistics that a step leaves.
std::vector<Tensor> alone(Backend& oracle, const Cut& cut, ExecutionMode mode) {
    const auto world = make_self_communicator();
    const RankOfNetwork rank(*world, GridShape{}, Route::automatic, oracle, cut.config, cut.extents, cases_of_batch);
    return evaluate(oracle, rank.described(mode), rank.feed());
}

void expect_like_one_rank(const Cut& cut, const GridShape& shape, Route route, ExecutionMode mode,
                          const std::vector<Tensor>& expected) {
    SCOPED_TRACE(cut.config.architecture + " on " + shape.text());
    on_ranks(shape.ranks(), [&](Communicator& world) {
        const auto oracle = make_oracle_backend();
        const RankOfNetwork rank(world, shape, route, *oracle, cut.config, cut.extents, cases_of_batch);
        const Graph graph = rank.partitioned(mode);
        const std::vector<Tensor> found = evaluate(*oracle, graph, rank.feed());
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t k = 0; k < found.size(); ++k) {
            const std::string& name = graph.outputs()[k].first;
            const Box box = name == "prediction" ? rank.predicted_box(expected[k].shape()) : Box(expected[k].shape());
            ASSERT_EQ(found[k].shape(), box.extents());
            if (!box.empty()) {
                expect_close(found[k], RankOfNetwork::part_of(*oracle, expected[k].view(), box), 1e-12, name);
            }
        }
    });
}

class PartitionTest : public ::testing::TestWithParam<std::string> {
   protected:
    static void expect_like_one_rank_on(const std::vector<Cut>& cuts, ExecutionMode mode,
                                        const std::vector<Route>& routes) {
        for (const Cut& cut : cuts) {
            const auto oracle = make_oracle_backend();
            const std::vector<Tensor> expected = alone(*oracle, cut, mode);
            for (const GridShape& shape : cut.grids) {
                for (const Route route : routes) {
                    expect_like_one_rank(cut, shape, route, mode, expected);
                }
            }
        }
    }
};

TEST_P(PartitionTest, PredictsWhatOneRankPredicts) {
    expect_like_one_rank_on(cuts(GetParam()), ExecutionMode::evaluation, {Route::automatic});
}

TEST_P(PartitionTest, PredictsWhatOneRankPredictsByEveryRoute) {
    std::vector<Cut> few = cuts(GetParam());
    for (Cut& cut : few) {
        cut.grids.resize(1);
    }
    expect_like_one_rank_on(few, ExecutionMode::evaluation, {Route::reduce, Route::transpose});
}

TEST_P(PartitionTest, MergesTheMomentsOfABatchThatRanksShare) {
    expect_like_one_rank_on(cuts(GetParam()), ExecutionMode::training, {Route::automatic});
}

INSTANTIATE_TEST_SUITE_P(Architectures, PartitionTest, ::testing::Values("fno", "conv_fno", "ufno", "cnn"),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace plumecast::testing
