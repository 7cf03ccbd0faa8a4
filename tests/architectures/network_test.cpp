#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include <plumecast/passes/for_prediction.hpp>
#include <plumecast/plan/plan.hpp>

#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/op_check.hpp"
#include "support/oracle_backend.hpp"
#include "support/samples/network_pass.hpp"
#include "support/samples/small_network.hpp"

namespace plumecast::testing {
namespace {

class NetworkTest : public ::testing::TestWithParam<std::string> {};

std::string architecture_name(const ::testing::TestParamInfo<std::string>& name) { return name.param; }

/// The extents of a prediction.
Shape predicted(const NetworkConfig& config, const Shape& extents, std::int64_t batch, ExecutionMode mode) {
    const auto plan = make_planning_backend();
    Graph graph = describe(config, shapes_of(small_input(*plan, extents, batch)), mode);
    return graph.output("prediction").shape();
}

TEST_P(NetworkTest, HasAsManyWeightsAsAFileMustHold) {
    const auto plan = make_planning_backend();
    const Network network(*plan, small_config(GetParam()), 1);
    double numbers = 0.0;
    for (const Parameter& parameter : network.parameters().all()) {
        numbers += static_cast<double>(parameter.whole.count());
    }
    EXPECT_FALSE(has_more_weights(network.config(), numbers));
    EXPECT_TRUE(has_more_weights(network.config(), numbers - 1.0));
}

TEST_P(NetworkTest, IsTooLargeForAFileBeforeItIsDescribed) {
    for (std::int64_t NetworkConfig::*entry : {&NetworkConfig::width, &NetworkConfig::residual_blocks}) {
        NetworkConfig config = small_config(GetParam());
        config.*entry = std::numeric_limits<std::int64_t>::max() / 2;
        EXPECT_TRUE(has_more_weights(config, 1e9));
    }
}

TEST_P(NetworkTest, MapsAnyGridToItsFields) {
    for (const Shape& extents : {Shape{5, 7, 3}, Shape{16, 8, 8}, Shape{1, 30, 2}}) {
        for (const std::int64_t batch : {1, 3}) {
            for (const ExecutionMode mode : {ExecutionMode::training, ExecutionMode::evaluation}) {
                Shape expected{batch};
                for (const std::int64_t extent : extents.extents()) {
                    expected = expected.append(extent);
                }
                EXPECT_EQ(predicted(small_config(GetParam()), extents, batch, mode).text(), expected.append(2).text());
            }
        }
    }
}

/// Derivative of <output, cotangent> along a random direction of weights and inputs, from gradients and by differences
/// of what the description says.
struct Directional {
    Backend& backend;
    const Network& network;
    NetworkInput input;
    ExecutionMode mode;

    std::vector<std::pair<std::string, View>> arrays() {
        std::vector<std::pair<std::string, View>> all;
        for (const Parameter& parameter : network.parameters().all()) {
            if (parameter.trainable) {
                all.emplace_back(parameter.name, parameter.weight.mutable_value());
            }
        }
        for (std::size_t group = 0; group < input.groups.size(); ++group) {
            all.emplace_back("input." + std::to_string(group), input.groups[group].values.view());
        }
        return all;
    }
    double loss() const {
        const Tensor y = described_prediction(network, input, mode);
        return dot(y, cotangent(backend, y.shape()));
    }
    static Tensor direction(const Shape& shape, int which, const std::string& name) {
        return random_tensor(shape, DType::float64, std::to_string(which) + ", " + name);
    }
    void move(int which, double step) {
        for (const auto& [name, values] : arrays()) {
            backend.add(step, direction(values.shape, which, name), {values, 1.0});
        }
    }
    double from_gradients(int which, const NetworkPass& pass) {
        double sum = 0.0;
        for (const auto& [name, values] : arrays()) {
            sum += dot(pass.gradients.at(name), direction(values.shape, which, name));
        }
        return sum;
    }
    double from_differences(int which, double step) {
        move(which, step);
        const double high = loss();
        move(which, -2.0 * step);
        const double low = loss();
        move(which, step);
        return (high - low) / (2.0 * step);
    }
};

void expect_directional_gradients(const NetworkConfig& config, const Shape& extents, ExecutionMode mode) {
    const auto oracle = make_oracle_backend();
    const auto network = small_network(*oracle, config);
    Directional check{*oracle, *network, small_input(*oracle, extents, 2), mode};
    const NetworkPass pass = network_pass(*network, check.input, mode);
    for (int which = 0; which < 2; ++which) {
        const double found = check.from_gradients(which, pass), differences = check.from_differences(which, 1e-7);
        EXPECT_NEAR(found, differences, 1e-6 * std::abs(differences)) << "direction " << which;
    }
}

TEST_P(NetworkTest, HasGradientsOfWeightsAndInputs) {
    // tanh: a kink of relu within the step would spoil the differences.
    NetworkConfig config = small_config(GetParam());
    config.activation = {Activation::Kind::tanh};
    expect_directional_gradients(config, {3, 4, 3}, ExecutionMode::training);
    expect_directional_gradients(config, {3, 4, 3}, ExecutionMode::evaluation);
}

TEST_P(NetworkTest, HasGradientsUnderGelu) {
    NetworkConfig config = small_config(GetParam());
    config.activation = {Activation::Kind::gelu};
    expect_directional_gradients(config, {3, 4, 3}, ExecutionMode::evaluation);
}

NetworkPass pass_on(Backend& backend, const NetworkConfig& config, const Shape& extents, ExecutionMode mode) {
    const auto network = small_network(backend, config);
    return network_pass(*network, small_input(backend, extents, 2), mode);
}

void expect_agreement_with_the_oracle(const NetworkConfig& config, const Shape& extents) {
    const auto oracle = make_oracle_backend();
    for (const ExecutionMode mode : {ExecutionMode::training, ExecutionMode::evaluation}) {
        const NetworkPass right = pass_on(*oracle, config, extents, mode);
        const auto network = small_network(*oracle, config);
        expect_close(right.prediction, described_prediction(*network, small_input(*oracle, extents, 2), mode), 1e-12);
        for (const BackendChoice& choice : backends()) {
            const auto backend = choice.make();
            if (backend == nullptr) {
                continue;
            }
            const NetworkPass tried = pass_on(*backend, config, extents, mode);
            expect_close(tried.prediction, right.prediction, 1e-5, choice.name + ", value");
            EXPECT_LE(relative_l2_of_all(tried.gradients, right.gradients), 1e-5) << choice.name << ", gradients";
            EXPECT_EQ(tried.statistics.size(), right.statistics.size());
            for (const auto& [name, values] : right.statistics) {
                expect_close(tried.statistics.at(name), values, 1e-5, choice.name + ", " + name);
            }
        }
    }
}

TEST_P(NetworkTest, AgreesWithTheOracleOnEveryBackend) {
    expect_agreement_with_the_oracle(small_config(GetParam()), {3, 4, 3});
}

TEST_P(NetworkTest, AgreesWithTheOracleOnThreeAxesOfSpace) {
    expect_agreement_with_the_oracle(small_config_3d(GetParam()), {2, 4, 5, 2});
}

TEST_P(NetworkTest, HasGradientsOnThreeAxesOfSpace) {
    NetworkConfig config = small_config_3d(GetParam());
    config.activation = {Activation::Kind::tanh};
    expect_directional_gradients(config, {2, 4, 5, 2}, ExecutionMode::training);
}

TEST_P(NetworkTest, MapsGridsOfThreeAxesOfSpaceToItsFields) {
    NetworkConfig config = small_config_3d(GetParam());
    for (const bool strides : {false, true}) {
        config.time_kernel = strides ? 3 : 1;
        config.time_strides = strides;
        for (const Shape& extents : {Shape{2, 4, 5, 3}, Shape{9, 8, 7, 6}}) {
            EXPECT_EQ(predicted(config, extents, 2, ExecutionMode::training),
                      (Shape{2, extents[0], extents[1], extents[2], extents[3], 2}));
        }
    }
}

TEST_P(NetworkTest, NamesParametersAlikeOnTwoAndThreeAxesOfSpace) {
    const auto plan = make_planning_backend();
    const Network flat(*plan, small_config(GetParam()), 1), deep(*plan, small_config_3d(GetParam()), 1);
    std::vector<std::string> names, same;
    for (const Parameter& parameter : flat.parameters().all()) {
        names.push_back(parameter.name);
    }
    for (const Parameter& parameter : deep.parameters().all()) {
        same.push_back(parameter.name);
    }
    if (GetParam() == "f_fno") {  // has weights for each axis, so those of one axis more
        EXPECT_THAT(same, ::testing::IsSupersetOf(names));
        EXPECT_GT(same.size(), names.size());
        return;
    }
    EXPECT_EQ(same, names);
}

TEST_P(NetworkTest, TakesTheStepsOfTimeOnTheirOwnInTwoAxesToo) {
    NetworkConfig config = small_config(GetParam());
    config.time_kernel = 1;
    config.time_strides = false;
    config.activation = {Activation::Kind::tanh};
    expect_directional_gradients(config, {3, 4, 3}, ExecutionMode::training);
}

TEST_P(NetworkTest, GivesABatchTheResultsOfItsCases) {
    const auto backend = make_cpu_backend({.threads = 1});
    const auto network = small_network(*backend, small_config(GetParam()));
    const Shape extents{5, 7, 3};
    const Tensor all = described_prediction(*network, small_input(*backend, extents, 3));
    for (std::int64_t b = 0; b < 3; ++b) {
        const Tensor one = described_prediction(*network, small_input(*backend, extents, 1, b));
        expect_close(one, all.view().rows(b, b + 1), 1e-6, "case " + std::to_string(b));
    }
}

TEST_P(NetworkTest, HoldsFewActivations) {
    NetworkConfig config = NetworkConfig::published(GetParam());
    config.channels = 3;
    config.modes = {4, 4, 4};  // weights of more modes would only take time
    config.residual_blocks = 1;
    const Shape extents{96, 200, 24};
    const auto backend = make_planning_backend();
    const Network network(*backend, config, 1);
    const NetworkInput input = small_input(*backend, extents, 1);
    const Feed feed = feed_of(network, input);
    const Plan plan(
        *backend, for_prediction(*backend, describe(config, shapes_of(input), ExecutionMode::evaluation), feed), feed);
    const Shape padded = config.padded(extents);
    const auto activation = static_cast<std::size_t>(padded.count() * config.width) * sizeof(float);
    EXPECT_LE(plan.workspace_bytes(), activation * 9 / 2) << "the U-Net needs three at once";
}

TEST_P(NetworkTest, StartsFromItsSeedAlone) {
    const auto oracle = make_oracle_backend();
    const NetworkConfig config = small_config(GetParam());
    const Network a(*oracle, config, 5), b(*oracle, config, 5), other(*oracle, config, 6);
    const auto lift = [](const Network& network) {
        return as_double(network.parameters().at("lift.weight").weight.value());
    };
    EXPECT_EQ(lift(a), lift(b));
    EXPECT_NE(lift(a), lift(other));
}

INSTANTIATE_TEST_SUITE_P(Architectures, NetworkTest, ::testing::ValuesIn(architecture_names()), architecture_name);

TEST(Fno, HasTheGradientsOfItsMlpsAndOfZerosBehindTheLift) {
    NetworkConfig config = small_config("fno");
    config.activation = {Activation::Kind::gelu};
    config.fourier_blocks = 2;
    config.last_activation = false;
    config.spectral_mlp = 2;
    config.channel_mlp = 2;
    NetworkConfig padded = config;
    padded.pad_lifted = true;
    padded.edges.assign(3, Padding::Edge::zero);
    config.lifting = 4;
    for (const NetworkConfig& each : {config, padded}) {
        expect_directional_gradients(each, {3, 4, 3}, ExecutionMode::training);
    }
}

TEST(Fno, RefusesAGridSmallerThanItsModes) {
    NetworkConfig config = small_config("fno");
    config.modes = {2, 2, 9};
    EXPECT_THROW(predicted(config, {4, 4, 4}, 1, ExecutionMode::evaluation), InvalidInput);
}

TEST(Network, RefusesAnUnusableConfiguration) {
    const auto plan = make_planning_backend();
    NetworkConfig config = small_config("ufno");
    config.width = 0;
    EXPECT_THROW(Network(*plan, config, 1), InvalidInput);
    config = small_config("ufno");
    config.architecture = "unet";
    EXPECT_THROW(Network(*plan, config, 1), InvalidInput);
}

}  // namespace
}  // namespace plumecast::testing
