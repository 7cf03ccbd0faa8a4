#include <gmock/gmock.h>

#include <plumecast/graph/layers.hpp>

#include "onnx/export_onnx.hpp"
#include "support/comparison.hpp"

// What runtimes make of the files is compared in tests/integration/cli_onnx_test.py.
namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

TEST(OnnxFile, HoldsOpsWeightsAndMetadataUnderTheirNames) {
    Graph graph;
    graph.output("y", activate(linear(graph.input("x", {{1, 4, 3}}), 2, {"layer"}), Activation::relu()));
    std::vector<std::string> asked;
    const auto weights = [&](const std::string& name) {
        asked.push_back(name);
        return name == "layer.bias" ? host_zeros({2}) : host_zeros({2, 3});
    };
    const std::string file = onnx_file(graph, weights, {{"unit", "bar"}});
    EXPECT_THAT(file, ::testing::StartsWith("\x08\x07\x12\x09plumecast"));
    for (const char* text : {"MatMul", "Relu", "layer.weight^T", "layer.bias", "batch", "unit", "bar"}) {
        EXPECT_THAT(file, HasSubstr(text));
    }
    EXPECT_THAT(asked, ::testing::ElementsAre("layer.weight", "layer.bias"));
    EXPECT_EQ(file, onnx_file(graph, weights, {{"unit", "bar"}}));
}

TEST(OnnxFile, StoresSharedWeightsOnce) {
    Graph graph;
    const Value x = graph.input("x", {{1, 4, 3}});
    graph.output("y", linear(linear(x, 3, {"same"}), 3, {"same"}));
    int asked = 0;
    const auto weights = [&](const std::string& name) {
        ++asked;
        return name == "same.bias" ? host_zeros({3}) : random_tensor({3, 3}, DType::float32, "weight");
    };
    Graph once;
    once.output("y", linear(once.input("x", {{1, 4, 3}}), 3, {"same"}));
    EXPECT_LT(onnx_file(graph, weights, {}).size(), onnx_file(once, weights, {}).size() + 200);
}

TEST(OnnxFile, RefusesWhatOnnxRuntimesLack) {
    Graph graph;
    const Value x = graph.input("x", {{1, 4, 4, 4, 4, 1}});
    const ConvGeometry four{.outer = {3, 1, 1, 1}};
    graph.output("y", conv(x, four, 1, false, {"conv"}));
    const auto weights = [](const std::string&) { return host_zeros({1, 3, 3, 3, 3, 1}); };
    EXPECT_THAT([&] { onnx_file(graph, weights, {}); },
                ThrowsMessage<InvalidInput>(HasSubstr("three axes of space and time at once")));
    Graph training;
    training.output("m", training.add(MomentsOp{}, {training.input("x", {{4, 3}})}));
    EXPECT_THAT([&] { onnx_file(training, weights, {}); },
                ThrowsMessage<InvalidInput>(HasSubstr("op moments has no ONNX form")));
}

}  // namespace
}  // namespace plumecast::testing
