
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "passes/counted_ops.hpp"
#include "passes/described_network.hpp"
#include "passes/fold_layers.hpp"
#include "passes/fuse.hpp"
#include "passes/needed_cells.hpp"

namespace plumecast::testing {
namespace {

class NeededCellsTest : public ::testing::TestWithParam<std::string> {};

TEST_P(NeededCellsTest, LeavesTheValues) {
    for (const DescribedNetwork& network : described_networks(GetParam())) {
        const Tensor expected = network.run(network.graph);
        expect_close(network.run(compute_needed_cells(network.graph)), expected, 1e-13);
        const Graph joined = fuse_concatenations(fold_linear_layers(fold_batch_norms(network.graph)));
        expect_close(network.run(compute_needed_cells(joined)), expected, 1e-13);
        expect_close(network.run(fuse_sums_and_activations(compute_needed_cells(joined))), expected, 1e-13);
    }
}

INSTANTIATE_TEST_SUITE_P(Architectures, NeededCellsTest, ::testing::Values("fno", "conv_fno", "ufno", "cnn"),
                         [](const auto& name) { return name.param; });

/// Cells of the last sum of branches in a network whose grid of 16 cells is padded to 24.
Shape cells_of_last_sum(const std::string& architecture, std::int64_t cells) {
    const NetworkConfig config = small_config(architecture);
    const Shape extents{cells, cells, cells};
    const Graph graph = compute_needed_cells(fuse_concatenations(fold_linear_layers(
        fold_batch_norms(describe(config, whole_input(config, 1, extents), ExecutionMode::evaluation)))));
    Shape last;
    for (const Node& node : graph.nodes()) {
        last = node.op.is<AddOp>() && node.type.shape.rank() == 5 ? node.type.shape : last;
    }
    return last.slice(1, 4);
}

// A convolution reaches one cell further than its result, and gives no more than is wanted.
TEST(NeededCells, OfTheLastSumAreThoseWanted) {
    for (const char* architecture : {"fno", "conv_fno", "ufno"}) {
        for (const std::int64_t cells : {16, 41}) {
            EXPECT_EQ(cells_of_last_sum(architecture, cells), Shape({cells, cells, cells})) << architecture;
        }
    }
}

/// Extents of the result of a convolution of 20 cells an axis, of which so many are wanted, and its high padding.
std::pair<Shape, ConvGeometry::Axes> cut_convolution(const ConvGeometry& geometry, const Shape& wanted) {
    Graph graph;
    const Value x = graph.input("x", {{1, 20, 20, 20, 2}});
    graph.output("y", crop(conv(x, geometry, 2, true, {"conv"}), wanted));
    const Graph needed = compute_needed_cells(graph);
    for (const Node& node : needed.nodes()) {
        if (const auto* op = node.op.as<ConvOp>()) {
            return {node.type.shape.slice(1, 4), op->geometry.padding_high};
        }
    }
    return {};
}

TEST(NeededCells, OfAConvolutionEndWhereItsPaddingIsLessOrWhereItIsTransposedMore) {
    using Axes = ConvGeometry::Axes;
    const ConvGeometry same, halves{.stride = {2, 2, 2}},
        doubles{.kernel = {4, 4, 4}, .stride = {2, 2, 2}, .transposed = true};
    EXPECT_EQ(cut_convolution(same, {20, 19, 12}), std::pair(Shape({20, 19, 12}), Axes({1, 0, 0})));
    EXPECT_EQ(cut_convolution(same, {18, 20, 20}), std::pair(Shape({20, 20, 20}), Axes({1, 1, 1})))
        << "not worth a crop before it, which has to come after it";
    EXPECT_EQ(cut_convolution(halves, {10, 9, 6}), std::pair(Shape({10, 9, 6}), Axes({1, 1, 1})))
        << "every second cell: the last padding is never read";
    EXPECT_EQ(cut_convolution(doubles, {40, 39, 24}), std::pair(Shape({40, 39, 24}), Axes({1, 2, 3})));
}

TEST(NeededCells, OfConvolutionsOverFourAxesEndSoToo) {
    const ConvGeometry geometry{.outer = {3, 1, 1, 1}};
    Graph graph;
    const Value x = graph.input("x", {{2, 8, 6, 5, 4, 2}});
    graph.output("y", crop(conv(x, geometry, 3, true, {"conv"}), {7, 6, 4, 4}));
    const Graph needed = compute_needed_cells(graph);
    EXPECT_EQ(count_of(needed, "crop"), 0) << text_of(needed);
    EXPECT_NE(text_of(needed).find("[2, 7, 6, 4, 4, 3]"), std::string::npos) << text_of(needed);
}

TEST(NeededCells, AreAllWhereNothingIsCropped) {
    Graph graph;
    const Value x = graph.input("x", {{1, 4, 4, 4, 2}});
    graph.output("y", conv(x, ConvGeometry(), 2, true, {"conv"}) + linear(x, 2, {"linear"}));
    EXPECT_EQ(text_of(compute_needed_cells(graph)), text_of(graph));
}

TEST(NeededCells, AreNotCutOffWhereThatSparesLittle) {
    Graph graph;
    const Value x = graph.input("x", {{1, 20, 20, 20, 2}});
    graph.output("y", crop(linear(x, 3, {"linear"}), {19, 19, 19}));
    EXPECT_EQ(text_of(compute_needed_cells(graph)), text_of(graph));
    Graph half;
    const Value z = half.input("x", {{1, 20, 20, 20, 2}});
    half.output("y", crop(linear(z, 3, {"linear"}), {10, 20, 20}));
    const Graph cropped = compute_needed_cells(half);
    EXPECT_EQ(count_of(cropped, "crop"), 1);
    EXPECT_NE(text_of(cropped).find("matmul(%1, linear.weight, linear.bias) transpose_b : float32 [1, 10, 20, 20, 3]"),
              std::string::npos)
        << text_of(cropped);
}

// The crop goes over all channels before a convolution, and over the few of its result after it.
TEST(NeededCells, AreNotCutOffBeforeAConvolutionToFewChannelsWhereACropAfterItCostsLess) {
    const auto cells_of_conv = [](std::int64_t results) {
        Graph graph;
        const Value x = graph.input("x", {{1, 20, 20, 20, 36}});
        graph.output("y", crop(conv(x, ConvGeometry(), results, true, {"conv"}), {20, 20, 14}));
        Shape cells;
        const Graph needed = compute_needed_cells(graph);
        for (const Node& node : needed.nodes()) {
            cells = node.op.is<ConvOp>() ? node.type.shape : cells;
        }
        return cells.slice(1, 4);
    };
    EXPECT_EQ(cells_of_conv(36), Shape({20, 20, 14}));
    EXPECT_EQ(cells_of_conv(1), Shape({20, 20, 20}));
}

}  // namespace
}  // namespace plumecast::testing
