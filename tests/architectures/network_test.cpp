#include <gmock/gmock.h>

#include <cmath>

#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/gradient_check.hpp"
#include "support/op_check.hpp"
#include "support/oracle_backend.hpp"
#include "support/samples/small_network.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

class NetworkTest : public ::testing::TestWithParam<std::string> {};

std::string architecture_name(const ::testing::TestParamInfo<std::string>& name) { return name.param; }

TEST_P(NetworkTest, MapsAnyGridToItsFields) {
    const auto plan = make_planning_backend();
    const auto network = make_network(*plan, small_config(GetParam()), 1);
    for (const Shape& extents : {Shape{5, 7, 3}, Shape{16, 8, 8}, Shape{1, 30, 2}}) {
        for (const std::int64_t batch : {1, 3}) {
            for (const ExecutionMode mode : {ExecutionMode::training, ExecutionMode::evaluation}) {
                Shape expected{batch};
                for (std::int64_t extent : extents.extents()) {
                    expected = expected.append(extent);
                }
                const Variable y = network->forward(small_input(*plan, extents, batch), mode);
                EXPECT_EQ(y.shape().text(), expected.append(2).text());
            }
        }
    }
}

/// Derivative of <output, cotangent> along a random direction of weights and inputs, from the tape and by differences.
struct Directional {
    Backend& backend;
    const Network& network;
    NetworkInput input;
    ExecutionMode mode;

    std::vector<Variable> variables() const {
        std::vector<Variable> all;
        for (const Parameter& parameter : network.parameters().all()) {
            if (parameter.trainable) {
                all.push_back(parameter.variable);
            }
        }
        for (const LiftInput& group : input.groups) {
            all.push_back(group.values);
        }
        return all;
    }
    double loss() const {
        const Variable y = network.forward(input, mode);
        return dot(y.value(), cotangent(backend, y.shape()));
    }
    Tensor direction(const Variable& variable, int which, std::size_t k) const {
        return random_tensor(variable.shape(), DType::float64, std::to_string(which) + ", " + std::to_string(k));
    }
    void move(int which, double step) const {
        const std::vector<Variable> all = variables();
        for (std::size_t k = 0; k < all.size(); ++k) {
            backend.add(step, direction(all[k], which, k), {all[k].mutable_value(), 1.0});
        }
    }
    double from_tape(int which) const {
        const std::vector<Variable> all = variables();
        double sum = 0.0;
        for (std::size_t k = 0; k < all.size(); ++k) {
            sum += dot(all[k].gradient(), direction(all[k], which, k));
        }
        return sum;
    }
    double from_differences(int which, double step) const {
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
    const Directional check{*oracle, *network, small_input(*oracle, extents, 2, 0, true), mode};
    {
        const Variable y = network->forward(check.input, mode);
        backward(y, cotangent(*oracle, y.shape()));
    }
    for (const Variable& variable : check.variables()) {
        ASSERT_TRUE(variable.has_gradient());
    }
    for (int which = 0; which < 2; ++which) {
        const double tape = check.from_tape(which), differences = check.from_differences(which, 1e-7);
        EXPECT_NEAR(tape, differences, 1e-6 * std::abs(differences)) << "direction " << which;
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

std::vector<Tensor> value_and_gradients(Backend& backend, const NetworkConfig& config, const Shape& extents,
                                        ExecutionMode mode) {
    const auto network = small_network(backend, config);
    const NetworkInput input = small_input(backend, extents, 2, 0, true);
    const Variable y = network->forward(input, mode);
    std::vector<Tensor> results;
    const auto keep = [&](ConstView device) {
        results.push_back(host_zeros(device.shape, DType::float64));
        backend.download(device, results.back());
    };
    keep(y.value());
    backward(y, cotangent(backend, y.shape()));
    for (const Parameter& parameter : network->parameters().all()) {
        keep(parameter.trainable ? parameter.variable.gradient() : parameter.variable.value());
    }
    keep(input.groups[0].values.gradient());
    return results;
}

void expect_agreement_with_the_oracle(const NetworkConfig& config, const Shape& extents) {
    const auto oracle = make_oracle_backend();
    for (const ExecutionMode mode : {ExecutionMode::training, ExecutionMode::evaluation}) {
        const auto right = value_and_gradients(*oracle, config, extents, mode);
        for (const BackendChoice& choice : backends()) {
            const auto backend = choice.make();
            if (backend == nullptr) {
                continue;
            }
            const auto tried = value_and_gradients(*backend, config, extents, mode);
            double error = 0.0, norm = 0.0;
            for (std::size_t k = 0; k < right.size(); ++k) {
                const double own = dot(right[k], right[k]);
                error += std::pow(relative_l2(tried[k], right[k]), 2) * own;
                norm += own;
            }
            expect_close(tried[0], right[0], 1e-5, choice.name + ", value");
            EXPECT_LE(std::sqrt(error / norm), 1e-5) << choice.name << ", gradients";
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
    const auto plan = make_planning_backend();
    NetworkConfig config = small_config_3d(GetParam());
    for (const bool strides : {false, true}) {
        config.time_kernel = strides ? 3 : 1;
        config.time_strides = strides;
        const auto network = make_network(*plan, config, 1);
        for (const Shape& extents : {Shape{2, 4, 5, 3}, Shape{9, 8, 7, 6}}) {
            const Variable y = network->forward(small_input(*plan, extents, 2), ExecutionMode::training);
            EXPECT_EQ(y.shape(), (Shape{2, extents[0], extents[1], extents[2], extents[3], 2}));
        }
    }
}

TEST_P(NetworkTest, NamesParametersAlikeOnTwoAndThreeAxesOfSpace) {
    const auto plan = make_planning_backend();
    const auto flat = make_network(*plan, small_config(GetParam()), 1);
    const auto deep = make_network(*plan, small_config_3d(GetParam()), 1);
    std::vector<std::string> names, same;
    for (const Parameter& parameter : flat->parameters().all()) {
        names.push_back(parameter.name);
    }
    for (const Parameter& parameter : deep->parameters().all()) {
        same.push_back(parameter.name);
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
    network->parameters().set_trainable(false);
    const Shape extents{5, 7, 3};
    const Variable all = network->forward(small_input(*backend, extents, 3), ExecutionMode::evaluation);
    for (std::int64_t b = 0; b < 3; ++b) {
        const Variable one = network->forward(small_input(*backend, extents, 1, b), ExecutionMode::evaluation);
        expect_close(one.value(), all.value().rows(b, b + 1), 1e-6, "case " + std::to_string(b));
    }
}

TEST_P(NetworkTest, GivesTheSameValueWithAndWithoutTape) {
    const auto oracle = make_oracle_backend();
    for (const Activation& f : {Activation::relu(), Activation{Activation::Kind::gelu}}) {
        NetworkConfig config = small_config(GetParam());
        config.activation = f;
        const auto network = small_network(*oracle, config);
        const NetworkInput input = small_input(*oracle, {3, 4, 3}, 2);
        const Variable taped = network->forward(input, ExecutionMode::evaluation);
        network->parameters().set_trainable(false);
        const Variable plain = network->forward(input, ExecutionMode::evaluation);
        EXPECT_TRUE(taped.requires_grad());
        EXPECT_FALSE(plain.requires_grad());
        expect_close(plain.value(), taped.value(), 1e-14);
    }
}

TEST_P(NetworkTest, HoldsFewActivationsWithoutTape) {
    NetworkConfig config = NetworkConfig::published(GetParam());
    config.channels = 3;
    config.modes = {4, 4, 4};  // weights of more modes would only take time
    config.residual_blocks = 1;
    const Shape extents{96, 200, 24};
    const auto plan = make_planning_backend();
    const auto network = make_network(*plan, config, 1);
    network->parameters().set_trainable(false);
    const std::size_t weights = plan->peak_bytes();
    network->forward(small_input(*plan, extents, 1), ExecutionMode::evaluation);
    const Shape padded = config.padded(extents);
    const auto activation = static_cast<std::size_t>(padded.count() * config.width) * sizeof(float);
    // The U-Net needs three at once; the fourth is what a first-fit arena loses between them.
    EXPECT_LE(plan->peak_bytes() - weights, activation * 9 / 2);
}

TEST_P(NetworkTest, StartsFromItsSeedAlone) {
    const auto oracle = make_oracle_backend();
    const NetworkConfig config = small_config(GetParam());
    const auto a = make_network(*oracle, config, 5), b = make_network(*oracle, config, 5);
    const auto other = make_network(*oracle, config, 6);
    EXPECT_EQ(as_double(a->parameters().at("lift.weight").variable.value()),
              as_double(b->parameters().at("lift.weight").variable.value()));
    EXPECT_NE(as_double(a->parameters().at("lift.weight").variable.value()),
              as_double(other->parameters().at("lift.weight").variable.value()));
}

TEST_P(NetworkTest, RefusesAGridOfAnotherRank) {
    const auto plan = make_planning_backend();
    const auto network = make_network(*plan, small_config(GetParam()), 1);
    try {
        network->forward(small_input(*plan, {4, 4, 4, 3}, 1), ExecutionMode::evaluation);
        FAIL();
    } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), HasSubstr("the network has 3 axes, time included"));
    }
}

INSTANTIATE_TEST_SUITE_P(Architectures, NetworkTest, ::testing::ValuesIn(architecture_names()), architecture_name);

TEST(Fno, RefusesAGridSmallerThanItsModes) {
    const auto plan = make_planning_backend();
    NetworkConfig config = small_config("fno");
    config.modes = {2, 2, 9};
    const auto network = make_network(*plan, config, 1);
    EXPECT_THROW(network->forward(small_input(*plan, {4, 4, 4}, 1), ExecutionMode::evaluation), InvalidInput);
}

TEST(MakeNetwork, RefusesAnUnusableConfiguration) {
    const auto plan = make_planning_backend();
    NetworkConfig config = small_config("ufno");
    config.width = 0;
    EXPECT_THROW(make_network(*plan, config, 1), InvalidInput);
}

}  // namespace
}  // namespace plumecast::testing
