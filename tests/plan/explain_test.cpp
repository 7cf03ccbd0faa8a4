
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <vector>

#include <plumecast/graph/layers.hpp>

#include "plan/explain.hpp"
#include "support/comparison.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

/// Work of the op that a small graph ends with, on a backend of float64.
OpWork work_of_last(const Graph& graph) {
    const auto oracle = make_oracle_backend();
    return work_of(graph, graph.nodes().back(), *oracle);
}

TEST(OpWork, OfAMatrixProductCountsEachMultiplyAndAdd) {
    Graph graph;
    linear(graph.input("x", {{1, 2, 3, 4, 5}}), 7, {"layer"});
    const OpWork work = work_of_last(graph);
    EXPECT_EQ(work.operations, 2.0 * 24 * 5 * 7);
    EXPECT_EQ(work.bytes, 8.0 * (24 * 5 + 7 * 5 + 7 + 24 * 7));
}

TEST(OpWork, OfAConvolutionCountsEachWeightOncePerCell) {
    Graph graph;
    conv(graph.input("x", {{1, 4, 4, 4, 2}}), ConvGeometry(), 3, false, {"layer"});
    EXPECT_EQ(work_of_last(graph).operations, 2.0 * 64 * 27 * 2 * 3);
    Graph transposed;
    ConvGeometry doubling;
    doubling.kernel = {4, 4, 4};
    doubling.stride = {2, 2, 2};
    doubling.transposed = true;
    conv(transposed.input("x", {{1, 4, 4, 4, 2}}), doubling, 3, false, {"layer"});
    EXPECT_EQ(work_of_last(transposed).operations, 2.0 * 64 * 64 * 2 * 3);
}

/// Work of all ops of some name.
OpWork work_of_all(const Graph& graph, const std::string& name) {
    const auto oracle = make_oracle_backend();
    OpWork sum;
    for (const Node& node : graph.nodes()) {
        if (node.op->name() == name) {
            sum += work_of(graph, node, *oracle);
        }
    }
    return sum;
}

/// A graph and the gradients of its last value with respect to all weights and the input.
Graph with_gradients(const std::function<Value(const Value& x)>& layer, const ValueType& input) {
    Graph graph;
    const Value x = graph.input("x", input), y = layer(x);
    std::vector<Value> of{x};
    for (const WeightOp& weight : graph.weights()) {
        of.push_back(graph.weight(weight));
    }
    gradients(y, graph.input("g", y.type()), of);
    return graph;
}

TEST(OpWork, OfAGradientIsThatOfItsOp) {
    for (const bool transposed : {false, true}) {
        ConvGeometry geometry;
        geometry.kernel = {4, 4, 4};
        geometry.stride = {2, 2, 2};
        geometry.transposed = transposed;
        const Graph graph =
            with_gradients([&](const Value& x) { return conv(x, geometry, 3, false, {"layer"}); }, {{1, 4, 4, 4, 2}});
        const double forward = work_of_all(graph, "conv").operations;
        EXPECT_GT(forward, 0.0);
        EXPECT_EQ(work_of_all(graph, "conv_data_gradient").operations, forward);
        EXPECT_EQ(work_of_all(graph, "conv_weight_gradient").operations, forward);
    }
    const Graph graph = with_gradients(
        [](const Value& x) {
            return spectral_conv(x, {2, 2, 2}, {"layer"});
        },
        {{1, 4, 4, 4, 3}});
    const double forward = work_of_all(graph, "spectral_multiply").operations;
    EXPECT_GT(forward, 0.0);
    EXPECT_EQ(work_of_all(graph, "spectral_data_gradient").operations, forward);
    EXPECT_EQ(work_of_all(graph, "spectral_weight_gradient").operations, forward);
}

TEST(OpWork, OfTheGradientOfAConcatenationCountsTheBytesOfEachPart) {
    Graph graph;
    const Value a = graph.input("a", {{1, 4, 4, 4, 2}}), b = graph.input("b", {{1, 4, 4, 4, 5}});
    const Value weight = graph.weight({.of = "weight", .shape = ConvGeometry().weight_shape(7, 3)});
    const Value y = graph.add(ConvOp{ConvGeometry(), 2}, {a, b, weight});
    gradients(y, graph.input("g", y.type()), {a, b});
    EXPECT_EQ(work_of_all(graph, "conv_data_gradient").bytes,
              8.0 * (64 * 3 + static_cast<double>(weight.shape().count()) + 64 * 2 + 64 * 5));
    EXPECT_EQ(work_of_all(graph, "further_result").bytes, 0.0);
}

TEST(OpWork, OfTheGradientOfAProjectionCountsItsHiddenLayerAgain) {
    Graph graph;
    std::vector<Value> inputs{graph.input("x", {{6, 5}})};
    for (const Shape& shape : {Shape{7, 5}, Shape{7}, Shape{2, 7}, Shape{2}}) {
        inputs.push_back(graph.input("w" + std::to_string(inputs.size()), {shape}));
    }
    const Value y = graph.add(ProjectionOp{Activation::relu()}, inputs);
    gradients(y, graph.input("g", y.type()), inputs);
    EXPECT_EQ(work_of_all(graph, "projection").operations, 2.0 * 6 * (7 * 5 + 2 * 7));
    EXPECT_EQ(work_of_all(graph, "projection_gradient").operations, 2.0 * 6 * (3 * 7 * 5 + 2 * 2 * 7));
}

TEST(OpWork, OfAGivenValueIsNone) {
    Graph graph;
    graph.input("x", {{4}});
    EXPECT_EQ(work_of_last(graph).bytes, 0.0);
    EXPECT_EQ(work_of_last(graph).operations, 0.0);
}

TEST(Ceilings, SayWhetherMovingOrComputingTakesLonger) {
    const Ceilings ceilings{100.0, 10.0};
    EXPECT_EQ(ceilings.seconds({200.0, 5.0}), 2.0);
    EXPECT_EQ(ceilings.seconds({200.0, 50.0}), 5.0);
}

TEST(Ceilings, AreMeasuredOnABackend) {
    const auto cpu = make_cpu_backend({.threads = 1});
    const Ceilings ceilings = measure_ceilings(*cpu);
    EXPECT_GT(ceilings.bytes_per_second, 1e8);
    EXPECT_GT(ceilings.operations_per_second, 1e8);
}

TEST(Ceilings, OfADataSheetAreHigherForNumbersOfFewerBits) {
    const Ceilings fp32 = data_sheet_ceilings(Precision::fp32), tf32 = data_sheet_ceilings(Precision::tf32),
                   bf16 = data_sheet_ceilings(Precision::bf16);
    EXPECT_LT(fp32.operations_per_second, tf32.operations_per_second);
    EXPECT_DOUBLE_EQ(2.0 * tf32.operations_per_second, bf16.operations_per_second);
    EXPECT_EQ(fp32.bytes_per_second, bf16.bytes_per_second);
    EXPECT_EQ(fp32.seconds({.bytes = 4.8e12, .operations = 1.0}), 1.0) << "a second for 4.8 TB";
}

TEST(Explain, TellsEachOpInTheOrderOfThePlanWithTheWeightItReads) {
    const auto cpu = make_cpu_backend({.threads = 1});
    Graph graph;
    const Value x = graph.input("x", {{1, 4, 4, 4, 2}});
    graph.output("y", activate(linear(x, 3, {"first"}), Activation::relu()));
    Tensor values(cpu->memory(), {1, 4, 4, 4, 2}, DType::float32), weights(cpu->memory(), {3, 2}, DType::float32),
        bias(cpu->memory(), {3}, DType::float32), result(cpu->memory(), {1, 4, 4, 4, 3}, DType::float32);
    cpu->fill(values, 1.0);
    cpu->fill(weights, 1.0);
    cpu->fill(bias, -1.0);
    const Feed given = [&](const std::string& name) { return name == "first.weight" ? weights.view() : bias.view(); };
    const Plan plan(*cpu, graph, given);
    Tensor workspace = plan.make_workspace();
    const std::vector<ExplainedOp> ops = explain(
        *cpu, plan, workspace, [&](const std::string&) { return values.view(); }, std::array{result.view()}, 3);
    ASSERT_EQ(ops.size(), 2u);
    EXPECT_EQ(ops[0].name, "matmul first.weight");
    EXPECT_EQ(ops[1].name, "activate");
    EXPECT_EQ(ops[0].result, (Shape{1, 4, 4, 4, 3}));
    EXPECT_EQ(ops[0].bytes_in_use, plan.workspace_bytes());
    EXPECT_GT(ops[0].work.operations, 0.0);
    for (const ExplainedOp& op : ops) {
        EXPECT_GE(op.seconds, 0.0);
    }
    EXPECT_EQ(result.values<float>()[0], 1.0F);
}

TEST(ExplainMessages, CountsWhatEachOpSendsAndTimesNothing) {
    const auto planner = make_planning_backend();
    const auto ranks = make_planned_communicator(1, 3);
    Graph graph;
    const Value x = graph.input("x", {{4}});
    graph.output("y", activate(graph.add(SumOverRanksOp{ranks.get()}, {x}), Activation::relu()));
    const Tensor values(planner->memory(), {4}, DType::float32);
    Tensor result(planner->memory(), {4}, DType::float32);
    const Plan plan(*planner, graph, {});
    Tensor workspace = plan.make_workspace();
    const std::vector<ExplainedOp> ops = explain_messages(
        *planner, plan, workspace, [&](const std::string&) { return values.view(); }, std::array{result.view()},
        [&] { return ranks->traffic(); });
    ASSERT_EQ(ops.size(), 2u);
    EXPECT_EQ(ops[0].name, "sum_over_ranks");
    EXPECT_EQ(ops[0].sent, (Traffic{2 * 4 * 8, 2})) << "float64, to both others";
    EXPECT_EQ(ops[1].name, "activate");
    EXPECT_EQ(ops[1].sent, Traffic());
    EXPECT_EQ(ops[0].seconds, 0.0);
}

}  // namespace
}  // namespace plumecast::testing
