#include <gmock/gmock.h>

#include <algorithm>

#include <plumecast/architectures/describe.hpp>

#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/gradient_check.hpp"
#include "support/oracle_backend.hpp"
#include "support/samples/small_network.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

NetworkShapes shapes_of(const NetworkInput& input) {
    NetworkShapes shapes{{}, input.batch, input.extents};
    for (const LiftInput& group : input.groups) {
        shapes.groups.push_back(
            {"input." + std::to_string(shapes.groups.size()), group.channels, group.values.shape()});
    }
    return shapes;
}

/// A network, its input and its description, on the oracle.
struct Described {
    std::unique_ptr<Backend> oracle = make_oracle_backend();
    std::unique_ptr<Network> network;
    NetworkInput input;
    ExecutionMode mode;
    Tensor cotangent = {};

    Described(const NetworkConfig& config, const Shape& extents, ExecutionMode how)
        : network(small_network(*oracle, config)), input(small_input(*oracle, extents, 2, 0, true)), mode(how) {}

    Graph graph() const { return describe(network->config(), shapes_of(input), mode); }
    /// Leaves of the tape by the names of the graph.
    const Variable& leaf(const std::string& name) const {
        return name.starts_with("input.") ? input.groups.at(std::stoul(name.substr(6))).values
                                          : network->parameters().at(name).variable;
    }
    std::vector<Tensor> run(const Graph& graph) const {
        return evaluate(*oracle, graph, [&](const std::string& name) {
            return name == "cotangent" ? cotangent.view() : leaf(name).value();
        });
    }
};

NetworkConfig smooth(NetworkConfig config) {
    config.activation = {Activation::Kind::tanh};
    return config;
}

class DescribeTest : public ::testing::TestWithParam<std::string> {
   public:
    std::vector<std::pair<NetworkConfig, Shape>> cases() const {
        return {{small_config(GetParam()), {5, 7, 3}},
                {smooth(small_config(GetParam())), {3, 4, 3}},
                {small_config_3d(GetParam()), {3, 4, 5, 2}}};
    }
};

TEST_P(DescribeTest, GivesWhatTheNetworkGivesAndMovesRunningStatisticsAlike) {
    for (const auto& [config, extents] : cases()) {
        for (const ExecutionMode mode : {ExecutionMode::evaluation, ExecutionMode::training}) {
            const Described described(config, extents, mode);
            const Graph graph = described.graph();
            const std::vector<Tensor> outputs = described.run(graph);
            const Variable expected = described.network->forward(described.input, mode);
            for (std::size_t k = 0; k < outputs.size(); ++k) {
                const std::string& name = graph.outputs()[k].first;
                expect_close(outputs[k], name == "prediction" ? expected.value() : described.leaf(name).value(), 1e-13,
                             name);
            }
            const bool has_norms = GetParam() == "ufno" || GetParam() == "cnn";
            EXPECT_EQ(outputs.size() > 1, has_norms && mode == ExecutionMode::training);
        }
    }
}

TEST_P(DescribeTest, HasTheGradientsOfTheTape) {
    for (const auto& [config, extents] : cases()) {
        for (const ExecutionMode mode : {ExecutionMode::evaluation, ExecutionMode::training}) {
            Described described(config, extents, mode);
            Graph graph = described.graph();
            const Value prediction = graph.output("prediction");
            described.cotangent = cotangent(*described.oracle, prediction.shape());
            std::vector<Value> of;
            std::vector<std::string> names;
            for (std::size_t node = 0; node < graph.nodes().size(); ++node) {
                const Node& here = graph.nodes()[node];
                const auto* weight = std::get_if<WeightOp>(&here.op);
                const auto* given = std::get_if<InputOp>(&here.op);
                if (given != nullptr || (weight != nullptr && weight->trainable)) {
                    of.emplace_back(graph, static_cast<int>(node));
                    names.push_back(given != nullptr ? given->of : weight->of);
                }
            }
            const Value upstream = graph.input("cotangent", {prediction.shape()});
            const std::vector<Value> found = gradients(prediction, upstream, of);
            const std::size_t before = graph.outputs().size();
            for (std::size_t k = 0; k < found.size(); ++k) {
                ASSERT_TRUE(found[k].defined()) << names[k];
                graph.output("gradient of " + names[k], found[k]);
            }
            const std::vector<Tensor> outputs = described.run(pruned(graph));
            const Variable y = described.network->forward(described.input, mode);
            backward(y, cotangent(*described.oracle, y.shape()));
            for (std::size_t k = 0; k < names.size(); ++k) {
                expect_close(outputs[before + k], described.leaf(names[k]).gradient(), 1e-11, names[k]);
            }
        }
    }
}

TEST_P(DescribeTest, NamesTheWeightsOfTheNetworkWithShapesAndInitialValues) {
    for (const NetworkConfig& config : {small_config(GetParam()), small_config_3d(GetParam())}) {
        const auto oracle = make_oracle_backend();
        const auto network = make_network(*oracle, config, 3);
        const Shape extents = config.space_axes() == 2 ? Shape{5, 7, 3} : Shape{3, 4, 5, 2};
        const std::vector<WeightOp> weights =
            describe(config, whole_input(config, 1, extents), ExecutionMode::evaluation).weights();
        ASSERT_EQ(weights.size(), network->parameters().all().size());
        for (std::size_t k = 0; k < weights.size(); ++k) {
            const Parameter& parameter = network->parameters().all()[k];
            EXPECT_EQ(weights[k].of, parameter.name);
            EXPECT_EQ(weights[k].shape, parameter.whole) << parameter.name;
            EXPECT_EQ(weights[k].trainable, parameter.trainable) << parameter.name;
            EXPECT_EQ(weights[k].complex_valued, parameter.complex_valued) << parameter.name;
            const Tensor values = network->parameters().download(parameter);
            const auto [least, most] = std::ranges::minmax_element(values.values<double>());
            EXPECT_GE(*least, weights[k].low) << parameter.name;
            EXPECT_LE(*most, weights[k].high) << parameter.name;
            if (values.shape().count() > 50) {
                EXPECT_GT(*most - *least, 0.8 * (weights[k].high - weights[k].low)) << parameter.name;
            }
        }
    }
}

TEST_P(DescribeTest, RunsOnEveryBackendNearTheOracle) {
    const NetworkConfig config = small_config(GetParam());
    const Described judged(config, {5, 7, 3}, ExecutionMode::evaluation);
    const Tensor expected = std::move(judged.run(judged.graph()).front());
    const auto cpu = make_cpu_backend({.threads = 2});
    const auto network = small_network(*cpu, config);
    const NetworkInput input = small_input(*cpu, {5, 7, 3}, 2);
    const std::vector<Tensor> outputs =
        evaluate(*cpu, describe(config, shapes_of(input), ExecutionMode::evaluation), [&](const std::string& name) {
            return name.starts_with("input.") ? input.groups.at(std::stoul(name.substr(6))).values.value()
                                              : network->parameters().at(name).variable.value();
        });
    expect_close(outputs.front(), expected, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Architectures, DescribeTest, ::testing::Values("fno", "conv_fno", "ufno", "cnn"),
                         [](const auto& name) { return name.param; });

TEST(Describe, ReadsLikeThePaperInItsTextForm) {
    NetworkConfig config = small_config("conv_fno");
    config.fourier_blocks = 0;
    const std::string text = text_of(describe(config, whole_input(config, 1, {6, 6, 6}), ExecutionMode::evaluation));
    EXPECT_EQ(text,
              "%1 = rows(lift.weight) 0 1 2 : float32 [3, 3]\n"
              "%2 = matmul(channels, %1) : float32 [1, 6, 6, 6, 3]\n"
              "%3 = padded_sum(%2, lift.bias) padding 6 zero 6 replicate 6 replicate : float32 [1, 8, 8, 8, 3]\n"
              "%4 = axis_transform(fourier.8_cells.2_modes, %3) axis 2 : float32 [1, 8, 6, 8, 3]\n"
              "%5 = axis_transform(time_fourier.8_cells.3_modes, %4) axis 3 : float32 [1, 8, 6, 6, 3]\n"
              "%6 = axis_transform(fourier.8_cells.2_modes, %5) axis 1 : float32 [1, 6, 6, 6, 3]\n"
              "%7 = combine_signs(%6) axis 2 dropped_from 6 : float32 [1, 6, 4, 6, 3]\n"
              "%8 = combine_signs(%7) axis 1 dropped_from 6 : float32 [1, 4, 4, 6, 3]\n"
              "%9 = spectral_multiply(%8, blocks.0.spectral.weight) : float32 [1, 4, 4, 6, 3]\n"
              "%10 = combine_signs(%9) axis 1 dropped_from 6 adjoint : float32 [1, 6, 4, 6, 3]\n"
              "%11 = combine_signs(%10) axis 2 dropped_from 6 adjoint : float32 [1, 6, 6, 6, 3]\n"
              "%12 = axis_transform(fourier.8_cells.2_modes^T, %11) axis 1 : float32 [1, 8, 6, 6, 3]\n"
              "%13 = axis_transform(time_fourier_inverse.8_cells.3_modes, %12) axis 3 : float32 [1, 8, 6, 8, 3]\n"
              "%14 = axis_transform(fourier.8_cells.2_modes^T, %13) axis 2 : float32 [1, 8, 8, 8, 3]\n"
              "%15 = matmul(%3, blocks.0.linear.weight, blocks.0.linear.bias) transpose_b : float32 [1, 8, 8, "
              "8, 3]\n"
              "%16 = add(%14, %15) : float32 [1, 8, 8, 8, 3]\n"
              "%17 = conv(%3, blocks.0.conv.weight, blocks.0.conv.bias) kernel [3, 3, 3] stride [1, 1, 1] "
              "padding [1, 1, 1] [1, 1, 1] : float32 [1, 8, 8, 8, 3]\n"
              "%18 = add(%16, %17) : float32 [1, 8, 8, 8, 3]\n"
              "%19 = activate(%18) relu : float32 [1, 8, 8, 8, 3]\n"
              "%20 = crop(%19) from [0, 0, 0, 0, 0] : float32 [1, 6, 6, 6, 3]\n"
              "%21 = matmul(%20, projection.first.weight, projection.first.bias) transpose_b : float32 [1, 6, "
              "6, 6, 5]\n"
              "%22 = activate(%21) relu : float32 [1, 6, 6, 6, 5]\n"
              "%23 = matmul(%22, projection.second.weight, projection.second.bias) transpose_b : float32 [1, "
              "6, 6, 6, 2]\n"
              "prediction = %23\n");
}

TEST(Describe, RefusesAGridOfOtherAxes) {
    const NetworkConfig config = small_config("fno");
    EXPECT_THAT(
        [&] {
            describe(config, {{}, 1, {4, 4, 4, 4}}, ExecutionMode::evaluation);
        },
        ::testing::ThrowsMessage<InvalidInput>(HasSubstr("the network has 3 axes, time included")));
}

}  // namespace
}  // namespace plumecast::testing
