#include <gmock/gmock.h>

#include <plumecast/graph/layers.hpp>

#include "support/comparison.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(Graph, KnowsTheShapeOfEveryValue) {
    Graph graph;
    const Value x = graph.input("x", {{2, 6, 4, 5, 3}});
    EXPECT_EQ(linear(x, 7, {"linear"}).shape(), (Shape{2, 6, 4, 5, 7}));
    EXPECT_EQ(conv(x, {.stride = {2, 2, 1}}, 4, true, {"conv"}).shape(), (Shape{2, 3, 2, 5, 4}));
    EXPECT_EQ(spectral_conv(x, {2, 2, 3}, {"spectral"}).shape(), x.shape());
    EXPECT_EQ(concat(x, x).shape(), (Shape{2, 6, 4, 5, 6}));
    EXPECT_EQ(crop(x, {5, 4, 2}).shape(), (Shape{2, 5, 4, 2, 3}));
    EXPECT_EQ(graph.add(MomentsOp{}, {x}).type(), (ValueType{{2, 3}, DType::float64}));
}

TEST(Graph, RefusesWhatDoesNotFit) {
    Graph graph, other;
    const Value x = graph.input("x", {{2, 3}}), y = graph.input("y", {{2, 4}}), z = other.input("z", {{2, 3}});
    EXPECT_THAT([&] { x + y; }, ThrowsMessage<Error>(HasSubstr("terms of one type and shape")));
    EXPECT_THAT([&] { x + z; }, ThrowsMessage<Error>(HasSubstr("values of the same graph")));
    EXPECT_THAT([&] { graph.input("x", {{1}}); }, ThrowsMessage<Error>(HasSubstr("an input of a new name")));
    linear(x, 5, {"layer"});
    EXPECT_THAT([&] { linear(y, 5, {"layer"}); }, ThrowsMessage<Error>(HasSubstr("one shape for each weight")));
    EXPECT_THAT([&] { graph.output("nothing"); }, ThrowsMessage<Error>(HasSubstr("an output of this name")));
    EXPECT_THROW(spectral_conv(graph.input("field", {{1, 4, 4, 4, 2}}), {5, 1, 1}, {"s"}), InvalidInput);
}

TEST(Graph, SharesWeightsAndConstantsOfOneName) {
    Graph graph;
    const Value x = graph.input("x", {{1, 4, 4, 4, 2}});
    spectral_conv(spectral_conv(x, {1, 1, 2}, {"first"}), {1, 1, 2}, {"second"});
    int constants = 0;
    const Graph made = lowered(graph);
    for (const Node& node : made.nodes()) {
        constants += node.op.is<ConstantOp>() ? 1 : 0;
    }
    EXPECT_EQ(constants, 4);  // both axes of space have as many cells and modes
    EXPECT_EQ(linear(x, 3, {"same"}).input(1), linear(x, 3, {"same"}).input(1));
}

TEST(Graph, HasATextForm) {
    Graph graph;
    const Value x = graph.input("x", {{1, 4, 4, 4, 2}});
    const Value first = conv(x, {}, 3, true, {"conv"});
    const Value y = activate(first + linear(x, 3, {"linear"}), Activation::leaky_relu(0.1));
    graph.output("y", y);
    EXPECT_EQ(text_of(graph),
              "%1 = conv(x, conv.weight, conv.bias) kernel [3, 3, 3] stride [1, 1, 1] padding [1, 1, 1] [1, 1, 1] : "
              "float32 [1, 4, 4, 4, 3]\n"
              "%2 = matmul(x, linear.weight, linear.bias) transpose_b : float32 [1, 4, 4, 4, 3]\n"
              "%3 = add(%1, %2) : float32 [1, 4, 4, 4, 3]\n"
              "%4 = activate(%3) leaky_relu 0.1 : float32 [1, 4, 4, 4, 3]\n"
              "y = %4\n");
}

TEST(Graph, LosesOnPruningWhatNoOutputNeeds) {
    Graph graph;
    const Value x = graph.input("x", {{2, 3}});
    const Value kept = linear(x, 4, {"kept"});
    linear(x, 5, {"lost"});
    graph.output("y", kept);
    const Graph less = pruned(graph);
    EXPECT_EQ(less.nodes().size(), 4U);
    EXPECT_EQ(less.weights().size(), 2U);
    EXPECT_EQ(text_of(less), "%1 = matmul(x, kept.weight, kept.bias) transpose_b : float32 [2, 4]\ny = %1\n");
}

TEST(Evaluate, GivesOutputsInTheirOrderAndMemoryBack) {
    const auto oracle = make_oracle_backend();
    Graph graph;
    const Value x = graph.input("x", {{2, 3}});
    const Value twice = x + x, four = twice + twice, eight = four + four;
    graph.output("eight", eight);
    graph.output("x", x);
    const Tensor values = random_tensor({2, 3}, DType::float64, "x");
    oracle->reset_peak_bytes();
    const std::vector<Tensor> outputs = evaluate(*oracle, graph, [&](const std::string&) { return values.view(); });
    EXPECT_EQ(oracle->peak_bytes(), 3 * values.bytes());  // eight, its copy, and the copy of x; before, two at a time
    ASSERT_EQ(outputs.size(), 2U);
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_DOUBLE_EQ(outputs[0].values<double>()[i], 8.0 * values.values<double>()[i]);
        EXPECT_DOUBLE_EQ(outputs[1].values<double>()[i], values.values<double>()[i]);
    }
}

TEST(Evaluate, NamesAnArrayOfAnotherShape) {
    const auto oracle = make_oracle_backend();
    Graph graph;
    graph.output("y", activate(graph.input("x", {{2, 3}}), Activation::relu()));
    const Tensor values = random_tensor({3, 2}, DType::float64, "x");
    EXPECT_THAT([&] { evaluate(*oracle, graph, [&](const std::string&) { return values.view(); }); },
                ThrowsMessage<Error>(HasSubstr("array x of shape [3, 2] (the graph has [2, 3])")));
}

}  // namespace
}  // namespace plumecast::testing
