
#include <gmock/gmock.h>

#include "passes/fuse.hpp"
#include "passes/partition/partition.hpp"
#include "passes/partition/rank_of_network.hpp"
#include "support/comparison.hpp"
#include "support/oracle_backend.hpp"
#include "support/ranks.hpp"

namespace plumecast::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::int64_t cases_of_batch = 3;

struct CutNetwork {
    NetworkConfig config;
    Shape extents;
    std::vector<GridShape> grids;
};

/// Groups of cases, cuts of one axis and of two, that no power of two divides, and ranks that hold padding alone or, of
/// coarse levels, nothing.
std::vector<CutNetwork> cuts(const std::string& architecture) {
    return {{small_config(architecture), {5, 11, 3}, {{1, 2}, {2, 1}, {2, 2}, {1, 7}, {4, 1}}},
            {small_config_3d(architecture), {2, 6, 5, 2}, {{1, 2, 2}, {2, 1, 2}}}};
}

/// The prediction of one rank, and the running statistics that a step leaves.
std::vector<Tensor> alone(Backend& oracle, const CutNetwork& cut, ExecutionMode mode) {
    const auto world = make_self_communicator();
    const RankOfNetwork rank(*world, GridShape{}, Route::automatic, oracle, cut.config, cut.extents, cases_of_batch);
    return evaluate(oracle, rank.described(mode), rank.feed());
}

void expect_like_one_rank(const CutNetwork& cut, const GridShape& shape, Route route, ExecutionMode mode,
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
    static void expect_like_one_rank_on(const std::vector<CutNetwork>& cuts, ExecutionMode mode,
                                        const std::vector<Route>& routes) {
        for (const CutNetwork& cut : cuts) {
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
    std::vector<CutNetwork> few = cuts(GetParam());
    for (CutNetwork& cut : few) {
        cut.grids.resize(1);
    }
    expect_like_one_rank_on(few, ExecutionMode::evaluation, {Route::reduce, Route::transpose});
}

TEST_P(PartitionTest, MergesTheMomentsOfABatchThatRanksShare) {
    expect_like_one_rank_on(cuts(GetParam()), ExecutionMode::training, {Route::automatic});
}

INSTANTIATE_TEST_SUITE_P(Architectures, PartitionTest, ::testing::Values("fno", "conv_fno", "ufno", "cnn"),
                         [](const auto& name) { return name.param; });

TEST(Partition, ShowsItsCollectivesInTheTextForm) {
    NetworkConfig config = small_config("conv_fno");
    config.fourier_blocks = 0;
    on_ranks(2, [&](Communicator& world) {
        const ProcessGrid grid(world, {1, 2}, Route::reduce);
        const Graph whole = describe(config, whole_input(config, 1, {6, 6, 6}), ExecutionMode::evaluation);
        const std::string text = text_of(partition(whole, grid, {0, 1}));
        if (world.rank() == 0) {
            EXPECT_EQ(text, R"(%1 = rows(lift.weight) 0 1 2 : float32 [3, 3]
%2 = matmul(channels, %1) : float32 [1, 6, 4, 6, 3]
%3 = padded_sum(%2, lift.bias) padding 6 zero 4 replicate 6 replicate : float32 [1, 8, 4, 8, 3]
%4 = axis_transform(fourier.8_cells.2_modes.columns_0_to_4, %3) axis 2 : float32 [1, 8, 6, 8, 3]
%5 = axis_transform(time_fourier.8_cells.3_modes, %4) axis 3 : float32 [1, 8, 6, 6, 3]
%6 = axis_transform(fourier.8_cells.2_modes, %5) axis 1 : float32 [1, 6, 6, 6, 3]
%7 = combine_signs(%6) axis 2 dropped_from 6 : float32 [1, 6, 4, 6, 3]
%8 = combine_signs(%7) axis 1 dropped_from 6 : float32 [1, 4, 4, 6, 3]
%9 = exchange(%8) reduce_scatter : float32 [1, 8, 6, 3]
%10 = spectral_multiply(%9, blocks.0.spectral.weight) : float32 [1, 8, 6, 3]
%11 = exchange(%10) gather : float32 [1, 4, 4, 6, 3]
%12 = combine_signs(%11) axis 1 dropped_from 6 adjoint : float32 [1, 6, 4, 6, 3]
%13 = combine_signs(%12) axis 2 dropped_from 6 adjoint : float32 [1, 6, 6, 6, 3]
%14 = axis_transform(fourier.8_cells.2_modes^T, %13) axis 1 : float32 [1, 8, 6, 6, 3]
%15 = axis_transform(time_fourier_inverse.8_cells.3_modes, %14) axis 3 : float32 [1, 8, 6, 8, 3]
%16 = axis_transform(fourier.8_cells.2_modes^T.rows_0_to_4, %15) axis 2 : float32 [1, 8, 4, 8, 3]
%17 = matmul(%3, blocks.0.linear.weight, blocks.0.linear.bias) transpose_b : float32 [1, 8, 4, 8, 3]
%18 = add(%16, %17) : float32 [1, 8, 4, 8, 3]
%19 = exchange(%3) halo : float32 [1, 8, 5, 8, 3]
%20 = conv(%19, blocks.0.conv.weight, blocks.0.conv.bias) kernel [3, 3, 3] stride [1, 1, 1] padding [1, 1, 1] [1, 0, 1] : float32 [1, 8, 4, 8, 3]
%21 = add(%18, %20) : float32 [1, 8, 4, 8, 3]
%22 = activate(%21) relu : float32 [1, 8, 4, 8, 3]
%23 = crop(%22) from [0, 0, 0, 0, 0] : float32 [1, 6, 4, 6, 3]
%24 = matmul(%23, projection.first.weight, projection.first.bias) transpose_b : float32 [1, 6, 4, 6, 5]
%25 = activate(%24) relu : float32 [1, 6, 4, 6, 5]
%26 = matmul(%25, projection.second.weight, projection.second.bias) transpose_b : float32 [1, 6, 4, 6, 2]
prediction = %26
)");
        }
    });
}

TEST(Partition, RefusesGraphsThatAreFusedAlready) {
    on_ranks(2, [](Communicator& world) {
        const ProcessGrid grid(world, {1, 2});
        const NetworkConfig config = small_config("conv_fno");
        const Graph whole = describe(config, whole_input(config, 1, {6, 6, 6}), ExecutionMode::evaluation);
        EXPECT_THROW(partition(fuse_sums_and_activations(whole), grid, {0, 1}), Error);
    });
}

TEST(Partition, RefusesNetworksWhoseOpsKnowNoRanks) {
    for (const std::string architecture : {"f_fno", "uno"}) {
        for (const GridShape& shape : {GridShape{1, 2}, GridShape{2, 1}}) {
            SCOPED_TRACE(architecture + " on " + shape.text());
            on_ranks(2, [&](Communicator& world) {
                const ProcessGrid grid(world, shape);
                const NetworkConfig config = small_config(architecture);
                const Graph whole = describe(config, whole_input(config, 2, {6, 6, 6}), ExecutionMode::evaluation);
                EXPECT_THAT([&] { partition(whole, grid, grid.cases(2)); },
                            ::testing::ThrowsMessage<InvalidInput>(
                                AllOf(HasSubstr("knows no ranks"), HasSubstr("on one rank"))));
            });
        }
    }
}

TEST(Partition, RefusesMorePartsThanCells) {
    on_ranks(9, [](Communicator& world) {
        const ProcessGrid grid(world, {1, 9});
        const NetworkConfig config = small_config("fno");
        const Graph whole = describe(config, whole_input(config, 1, {6, 6, 6}), ExecutionMode::evaluation);
        EXPECT_THROW(partition(whole, grid, {0, 1}), InvalidInput);
    });
}

}  // namespace
}  // namespace plumecast::testing
