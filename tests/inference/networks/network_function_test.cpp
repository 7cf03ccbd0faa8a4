#include "inference/networks/network_function.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <plumecast/core/error.hpp>

#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/op_check.hpp"
#include "support/oracle_backend.hpp"
#include "support/samples/network_pass.hpp"
#include "support/samples/small_network.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t cases = 2;

std::vector<std::int64_t> extents_of(const Shape& shape) { return {shape.extents().begin(), shape.extents().end()}; }

template <class T>
ArrayView reading(const std::vector<T>& values, const std::vector<std::int64_t>& extents) {
    return view_of(values.data(), extents, "");
}

/// A small network on 5 x 7 cells (3 x 4 x 5 of three axes) and some times, with channels for two cases.
class Small {
   public:
    Small(Backend& backend, const NetworkConfig& config) : network(small_network(backend, config)), function(*network) {
        extents = config.space_axes() == 2 ? std::vector<std::int64_t>{cases, 5, 7, 3, 3}
                                           : std::vector<std::int64_t>{cases, 3, 4, 5, 2, 3};
        predicted = extents;
        predicted.back() = 2;
        channels = numbers("channels", extents);
        cotangent = numbers("cotangent", predicted);
    }

    static std::vector<double> numbers(const std::string& name, const std::vector<std::int64_t>& extents) {
        Shape shape;
        for (const std::int64_t extent : extents) {
            shape = shape.append(extent);
        }
        return as_double(random_tensor(shape, DType::float32, name));
    }
    std::vector<double> forward(ExecutionMode mode = ExecutionMode::evaluation) {
        std::vector<double> values(cotangent.size(), -7.0);
        function.forward(reading(channels, extents), output_to(values.data(), predicted), mode);
        return values;
    }
    /// By the channels and by all trainable weights.
    std::map<std::string, std::vector<double>> vjp(ExecutionMode mode = ExecutionMode::evaluation) {
        std::map<std::string, std::vector<double>> found;
        NetworkGradients gradients;
        found["channels"].assign(channels.size(), -7.0);
        gradients.channels = output_to(found["channels"].data(), extents);
        for (const Parameter& parameter : network->parameters().all()) {
            if (parameter.trainable) {
                std::vector<double>& to = found[parameter.name];
                to.assign(static_cast<std::size_t>(parameter.whole.count()), -7.0);
                gradients.weights[parameter.name] = output_to(to.data(), extents_of(parameter.whole));
            }
        }
        function.vjp(reading(channels, extents), reading(cotangent, predicted), gradients, mode);
        return found;
    }
    /// The sum of cotangent times prediction.
    double sum(ExecutionMode mode) {
        const std::vector<double> values = forward(mode);
        double total = 0.0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            total += values[i] * cotangent[i];
        }
        return total;
    }

    std::unique_ptr<Network> network;
    NetworkFunction function;
    std::vector<std::int64_t> extents, predicted;
    std::vector<double> channels, cotangent;
};

double distance(const std::vector<double>& a, const std::vector<double>& b) {
    double difference = 0.0, size = 0.0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        difference += (a.at(i) - b[i]) * (a.at(i) - b[i]);
        size += b[i] * b[i];
    }
    return std::sqrt(difference) / std::max(std::sqrt(size), 1e-3);
}

std::vector<double> joined(const std::map<std::string, std::vector<double>>& parts) {
    std::vector<double> all;
    for (const auto& [name, values] : parts) {
        all.insert(all.end(), values.begin(), values.end());
    }
    return all;
}

class NetworkFunctionTest : public ::testing::TestWithParam<std::string> {
   protected:
    std::vector<NetworkConfig> configurations() const {
        return {small_config(GetParam()), small_config_3d(GetParam())};
    }
};

TEST_P(NetworkFunctionTest, PredictsWhatTheDescriptionSays) {
    const auto oracle = make_oracle_backend();
    for (const NetworkConfig& config : configurations()) {
        Small small(*oracle, config);
        NetworkInput input;
        input.batch = cases;
        Shape whole;
        for (const std::int64_t extent : small.extents) {
            whole = whole.append(extent);
        }
        input.extents = whole.slice(1, whole.rank() - 1);
        Tensor values(oracle->memory(), whole, DType::float64);
        oracle->upload({whole, DType::float64, small.channels.data()}, values);
        input.groups.push_back({{0, 1, 2}, std::move(values)});
        EXPECT_LT(distance(small.forward(), as_double(described_prediction(*small.network, input))), 1e-12);
        const Tensor trained = described_prediction(*small.network, input, ExecutionMode::training);
        EXPECT_LT(distance(small.forward(ExecutionMode::training), as_double(trained)), 1e-12);
    }
}

TEST_P(NetworkFunctionTest, GivesTheDifferencesAlongADirection) {
    const auto oracle = make_oracle_backend();
    for (const NetworkConfig& config : configurations()) {
        for (const ExecutionMode mode : {ExecutionMode::evaluation, ExecutionMode::training}) {
            Small small(*oracle, config);
            const auto gradients = small.vjp(mode);
            std::map<std::string, std::vector<double>> directions;
            double expected = 0.0;
            for (const auto& [name, gradient] : gradients) {
                directions[name] = Small::numbers("direction of " + name, {static_cast<std::int64_t>(gradient.size())});
                for (std::size_t i = 0; i < gradient.size(); ++i) {
                    expected += gradient[i] * directions[name][i];
                }
            }
            const auto move = [&](double step) {
                for (const auto& [name, direction] : directions) {
                    double* values = name == "channels"
                                         ? small.channels.data()
                                         : small.network->parameters().at(name).weight.mutable_value().as<double>();
                    for (std::size_t i = 0; i < direction.size(); ++i) {
                        values[i] += step * direction[i];
                    }
                }
            };
            constexpr double step = 1e-6;
            move(step);
            const double above = small.sum(mode);
            move(-2.0 * step);
            const double below = small.sum(mode);
            EXPECT_NEAR((above - below) / (2.0 * step), expected, 1e-5 * std::abs(expected) + 1e-5);
        }
    }
}

TEST_P(NetworkFunctionTest, GivesOnTheCpuWhatItGivesInDoublePrecision) {
    const auto oracle = make_oracle_backend(), cpu = make_cpu_backend({.threads = 2});
    for (const NetworkConfig& config : configurations()) {
        for (const ExecutionMode mode : {ExecutionMode::evaluation, ExecutionMode::training}) {
            Small small(*cpu, config), right(*oracle, config);
            // Biases before a norm of the batch have derivatives of 0 but for rounding: all are compared together.
            EXPECT_LT(distance(joined(small.vjp(mode)), joined(right.vjp(mode))), 1e-5);
            EXPECT_LT(distance(small.forward(mode), right.forward(mode)), 1e-5);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Architectures, NetworkFunctionTest, ::testing::Values("fno", "conv_fno", "ufno", "cnn"),
                         [](const auto& name) { return name.param; });

std::vector<double> statistics_of(const Network& network) {
    std::vector<double> all;
    for (const Parameter& parameter : network.parameters().all()) {
        if (!parameter.trainable) {
            for (const double value : as_double(network.parameters().download(parameter))) {
                all.push_back(value);
            }
        }
    }
    return all;
}

TEST(NetworkFunction, MovesRunningStatisticsInForwardPassesOfATrainingAlone) {
    const auto backend = make_cpu_backend({.threads = 1});
    Small small(*backend, small_config("ufno"));
    const std::vector<double> before = statistics_of(*small.network);
    ASSERT_FALSE(before.empty());
    const std::vector<double> evaluated = small.forward();
    small.vjp(ExecutionMode::training);
    EXPECT_EQ(statistics_of(*small.network), before);
    EXPECT_NE(small.forward(ExecutionMode::training), evaluated);
    EXPECT_NE(statistics_of(*small.network), before);
    EXPECT_NE(small.forward(), evaluated) << "the running statistics are others";
}

TEST(NetworkFunction, SeesWeightsThatWereChanged) {
    const auto backend = make_cpu_backend({.threads = 1});
    Small small(*backend, small_config("conv_fno"));
    const std::vector<double> before = small.forward();
    const Parameter& bias = small.network->parameters().at("projection.second.bias");
    float* values = bias.weight.mutable_value().as<float>();
    values[0] += 2.0F;
    const std::vector<double> after = small.forward();
    for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_NEAR(after[i], before[i] + (i % 2 == 0 ? 2.0 : 0.0), 1e-5);
    }
}

TEST(NetworkFunction, GivesEightThreadsTheSame) {
    const auto backend = make_cpu_backend({.threads = 1});
    Small small(*backend, small_config("ufno"));
    const std::vector<double> expected = small.forward();
    const auto gradients = small.vjp();
    std::vector<int> same(8, 0);
    {
        std::vector<std::jthread> threads;
        for (std::size_t thread = 0; thread < same.size(); ++thread) {
            threads.emplace_back([&, thread] {
                same[thread] = small.forward() == expected && small.vjp() == gradients && small.forward() == expected;
            });
        }
    }
    EXPECT_EQ(same, std::vector<int>(8, 1));
}

TEST(NetworkFunction, ReadsElementsOfAnyTypeAndStride) {
    const auto backend = make_cpu_backend({.threads = 1});
    Small small(*backend, small_config("fno"));
    for (double& value : small.channels) {
        value = std::round(value * 4.0) / 4.0;  // what 16 bits hold as well
    }
    const std::vector<double> expected = small.forward();
    const std::vector<float> single(small.channels.begin(), small.channels.end());
    std::vector<bfloat16> half;
    std::vector<double> twice;
    for (const float value : single) {
        half.emplace_back(value);
        twice.insert(twice.end(), {static_cast<double>(value), 1e9});
    }
    ArrayView narrow{half.data(), ElementType::bfloat16, small.extents, ""};
    ArrayView spread{twice.data(), ElementType::float64, small.extents, "", {630, 126, 18, 6, 2}};
    for (const ArrayView& view : {reading(single, small.extents), narrow, spread}) {
        std::vector<float> values(expected.size());
        small.function.forward(view, output_to(values.data(), small.predicted), ExecutionMode::evaluation);
        for (std::size_t i = 0; i < values.size(); ++i) {
            EXPECT_EQ(values[i], static_cast<float>(expected[i]));
        }
    }
}

TEST(NetworkFunction, WritesThroughStrides) {
    const auto backend = make_cpu_backend({.threads = 1});
    Small small(*backend, small_config("fno"));
    const std::vector<double> expected = small.forward();
    std::vector<double> twice(2 * expected.size(), -7.0);
    small.function.forward(reading(small.channels, small.extents),
                           output_to(twice.data(), small.predicted, {420, 84, 12, 4, 2}), ExecutionMode::evaluation);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(twice[2 * i], expected[i]);
        EXPECT_EQ(twice[2 * i + 1], -7.0);
    }
}

TEST(NetworkFunction, StoresFieldsInSixteenBitsWhereTheBackendDoes) {
    const auto narrow = make_cpu_backend({.threads = 1, .precision = Precision::bf16}),
               backend = make_cpu_backend({.threads = 1});
    for (const char* architecture : {"fno", "ufno"}) {
        Small small(*narrow, small_config(architecture)), right(*backend, small_config(architecture));
        EXPECT_LT(distance(small.forward(), right.forward()), 0.02);
        const auto gradients = small.vjp();
        EXPECT_LT(distance(gradients.at("channels"), right.vjp().at("channels")), 0.1) << architecture;
    }
}

/// What a call is refused with.
std::string refused_by_function(const std::function<void()>& call) {
    try {
        call();
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "done";
}

TEST(NetworkFunction, RefusesWhatDoesNotFit) {
    const auto backend = make_cpu_backend({.threads = 1});
    Small small(*backend, small_config("fno"));
    std::vector<double> values(small.cotangent.size()), weight(6);
    const ArrayView channels = reading(small.channels, small.extents),
                    cotangent = reading(small.cotangent, small.predicted);
    const auto forward = [&](const ArrayView& from, const OutputArray& to) {
        return refused_by_function([&] { small.function.forward(from, to, ExecutionMode::evaluation); });
    };
    EXPECT_THAT(forward(reading(small.channels, {2, 5, 7, 9}), output_to(values.data(), small.predicted)),
                HasSubstr("channels has the shape [2, 5, 7, 9] (the network reads [B, space..., T, 3] with 2 axes"));
    EXPECT_THAT(forward(channels, output_to(values.data(), small.extents)), HasSubstr("want [2, 5, 7, 3, 2]"));
    ArrayView none = channels;
    none.data = nullptr;
    EXPECT_THAT(forward(none, output_to(values.data(), small.predicted)), HasSubstr("has no values"));
    EXPECT_THAT(forward(channels, output_to(small.channels.data(), small.predicted)), HasSubstr("shares memory"));
    const auto vjp = [&](const ArrayView& weights, const NetworkGradients& gradients) {
        return refused_by_function(
            [&] { small.function.vjp(channels, weights, gradients, ExecutionMode::evaluation); });
    };
    EXPECT_THAT(vjp(cotangent, {}), HasSubstr("no derivative is asked for"));
    EXPECT_THAT(vjp(channels, {output_to(values.data(), small.extents)}), HasSubstr("the cotangent has the shape"));
    EXPECT_THAT(vjp(cotangent, {std::nullopt, {{"lift.wight", output_to(weight.data(), {3, 2})}}}),
                HasSubstr("derivatives by 'lift.wight', which is no trainable weight of the network; did you mean "
                          "lift.weight?"));
    EXPECT_THAT(vjp(cotangent, {std::nullopt, {{"lift.weight", output_to(weight.data(), {3, 2})}}}),
                HasSubstr("want [3, 3]"));
}

}  // namespace
}  // namespace plumecast::testing
