#include <gmock/gmock.h>

#include <functional>
#include <string>
#include <vector>

#include <plumecast/graph/layers.hpp>
#include <plumecast/plan/plan.hpp>
#include "passes/fuse.hpp"
#include "passes/needed_cells.hpp"

#include "support/comparison.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// x + x, which no header of the library knows and which says no more than it has to.
struct TwiceOp {
    static constexpr const char* name = "twice";
    ValueType result(ValueTypes inputs) const { return inputs[0]; }
    void evaluate(Backend& backend, OpInputs inputs, View result) const { backend.add(2.0, inputs[0], {result}); }
};

/// 4 x, by another op.
struct FourTimesOp {
    static constexpr const char* name = "four_times";
    ValueType result(ValueTypes inputs) const { return inputs[0]; }
    std::size_t fields() const { return 1; }
    Value lowered(const std::vector<Value>& inputs) const {
        const Value twice = inputs[0] + inputs[0];
        return twice + twice;
    }
};

Tensor values_of(const Graph& graph, const Tensor& x) {
    const auto oracle = make_oracle_backend();
    const Tensor value = std::move(evaluate(*oracle, graph, [&](const std::string&) { return x.view(); }).front());
    Tensor outliving = host_zeros(value.shape(), DType::float64);  // the memory of the other is the oracle's
    oracle->download(value.view(), outliving.view());
    return outliving;
}

void expect_times(double factor, const Tensor& found, const Tensor& x) {
    ASSERT_EQ(found.shape(), x.shape());
    for (std::size_t i = 0; i < x.values<double>().size(); ++i) {
        EXPECT_DOUBLE_EQ(found.values<double>()[i], factor * x.values<double>()[i]);
    }
}

TEST(AnyOp, IsTakenForOneThatNeedsAllAndMayDoNothing) {
    const Op op = TwiceOp();
    EXPECT_EQ(op->name(), "twice");
    EXPECT_EQ(op->title(), "twice");
    EXPECT_EQ(op->text(), "");
    EXPECT_EQ(op->given(), nullptr);
    EXPECT_EQ(op->fields(), 0U);
    EXPECT_EQ(op->taps(), 0.0);
    EXPECT_EQ(op->operations({}, {3, 4}), 12.0);
    EXPECT_TRUE(op->in_place(1).empty());
    EXPECT_FALSE(op->is_by_cell() || op->is_collective() || op->reads_wide());
    EXPECT_FALSE(op->cropped({2}) || op->narrowed() || op->with_addend() || op->activated(Activation::relu()));
    EXPECT_NE(op.as<TwiceOp>(), nullptr);
    EXPECT_EQ(op.as<AddOp>(), nullptr);
}

TEST(AnyOp, ThatReadsNeighboursIsNotComputedByCell) {
    const Op conv = ConvOp{}, sum = AddOp{};
    EXPECT_EQ(conv->fields(), 1U);
    EXPECT_NE(conv->neighbours(), nullptr);
    EXPECT_FALSE(conv->is_by_cell());
    EXPECT_EQ(sum->neighbours(), nullptr);
    EXPECT_TRUE(sum->is_by_cell());
}

TEST(AnyOp, ThatNobodyKnowsIsEvaluatedPlannedAndWritten) {
    Graph graph;
    const Tensor x = random_tensor({3, 5}, DType::float64, "x");
    graph.output("y", graph.add(TwiceOp(), {graph.input("x", {x.shape()})}));
    EXPECT_EQ(text_of(graph), "%1 = twice(x) : float32 [3, 5]\ny = %1\n");
    expect_times(2.0, values_of(graph, x), x);
    const auto oracle = make_oracle_backend();
    const Feed feed = [&](const std::string&) { return x.view(); };
    const Plan plan(*oracle, graph, feed);
    Tensor workspace = plan.make_workspace(), found = host_zeros(x.shape(), DType::float64);
    plan.run(workspace, feed, std::vector<View>{found.view()});
    expect_times(2.0, found, x);
}

TEST(AnyOp, WithoutGradientIsRefusedByName) {
    Graph graph;
    const Value x = graph.input("x", {{3}}), y = graph.add(TwiceOp(), {x});
    EXPECT_THAT([&] { gradients(y, x, {x}); }, ThrowsMessage<Error>(HasSubstr("op twice has no gradient")));
}

TEST(AnyOp, ThatOthersDoTheWorkOfHasTheirValuesAndGradients) {
    Graph graph;
    const Tensor values = random_tensor({3}, DType::float64, "x");
    const Value x = graph.input("x", {{3}}), y = graph.add(FourTimesOp(), {x});
    graph.output("y", y);
    expect_times(4.0, values_of(graph, values), values);
    EXPECT_EQ(text_of(lowered(graph)), "%1 = add(x, x) : float32 [3]\n%2 = add(%1, %1) : float32 [3]\ny = %2\n");
    Graph backward = graph;
    const Value again(backward, x.node());
    backward.output("g", gradients({backward, y.node()}, again, {again}).front());
    expect_times(4.0, values_of(pruned(backward, {"g"}), values), values);
}

TEST(AnyOp, ReadsNoMoreCellsThanItSays) {
    const auto cells_of = [](const Op& op) {
        Graph graph;
        graph.output("y", crop(graph.add(op, {graph.input("x", {{1, 8, 8, 8, 2}})}), {2, 8, 8}));
        return text_of(compute_needed_cells(graph));
    };
    EXPECT_THAT(cells_of(TwiceOp()), HasSubstr("twice(x) : float32 [1, 8, 8, 8, 2]"));
    EXPECT_THAT(cells_of(FourTimesOp()), HasSubstr("four_times(%1) : float32 [1, 2, 8, 8, 2]"));
}

TEST(SpectralConv, GivesTheFirstCellsOfItsResultAlone) {
    Graph graph;
    const Value x = graph.input("x", {{2, 6, 4, 5, 3}});
    graph.output("y", crop(spectral_conv(x, {2, 1, 2}, {"layer"}), {5, 2, 4}));
    const Graph needed = compute_needed_cells(graph);
    EXPECT_EQ(text_of(needed),
              "%1 = spectral_conv(x, layer.weight) modes 2 1 2 first [5, 2, 4] : float32 [2, 5, 2, 4, 3]\ny = %1\n");
    EXPECT_THAT(text_of(lowered(needed)), HasSubstr("fourier.4_cells.1_modes^T.first_2"));
    const Tensor field = random_tensor({2, 6, 4, 5, 3}, DType::float64, "x"),
                 weight = random_tensor({4, 2, 2, 2, 3, 3}, DType::float64, "weight");
    const auto oracle = make_oracle_backend();
    const Feed feed = [&](const std::string& name) { return name == "x" ? field.view() : weight.view(); };
    expect_close(evaluate(*oracle, needed, feed).front(), evaluate(*oracle, graph, feed).front(), 0.0);
}

TEST(SpectralConv, ChoosesTheTypeOfItsResultAndKeepsItsSpectrumWide) {
    Graph graph;
    const Value x = graph.input("x", {{1, 4, 4, 4, 2}});
    const Value y = spectral_conv(x, {1, 1, 2}, {"layer"});
    const std::optional<Op> narrow = node_of(y).op->narrowed();
    ASSERT_TRUE(narrow);
    Graph narrowed;
    const Value field = narrowed.input("x", x.type());
    narrowed.output("y", narrowed.add(*narrow, {field, narrowed.weight(graph.weights().front())}));
    const Graph ops = lowered(narrowed);
    int narrow_results = 0;
    for (const Node& node : ops.nodes()) {
        narrow_results += node.type.type == DType::bfloat16 ? 1 : 0;
    }
    EXPECT_EQ(narrow_results, 1);
    EXPECT_EQ(ops.nodes().back().type.type, DType::bfloat16);
}

}  // namespace
}  // namespace plumecast::testing
