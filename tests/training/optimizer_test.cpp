#include <plumecast/training/optimizer.hpp>

#include <gtest/gtest.h>

#include <cmath>

#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

/// Adam as Kingma and Ba state it, with coupled weight decay and clipping, for one flat vector; or AdamW as Loshchilov
/// and Hutter do.
struct PlainAdam {
    OptimizerOptions options;
    std::vector<double> weights, first, second;
    int steps = 0;

    void step(std::vector<double> gradient, double rate) {
        double norm = 0.0;
        for (double g : gradient) {
            norm += g * g;
        }
        norm = std::sqrt(norm);
        const double scale =
            options.gradient_clip > 0.0 && norm > options.gradient_clip ? options.gradient_clip / norm : 1.0;
        first.resize(weights.size());
        second.resize(weights.size());
        ++steps;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            const double decay = options.weight_decay * weights[i];
            const bool is_coupled = options.kind == OptimizerOptions::Kind::adam;
            const double g = gradient[i] * scale + (is_coupled ? decay : 0.0);
            first[i] = options.beta1 * first[i] + (1.0 - options.beta1) * g;
            second[i] = options.beta2 * second[i] + (1.0 - options.beta2) * g * g;
            const double mean = first[i] / (1.0 - std::pow(options.beta1, steps));
            const double square = second[i] / (1.0 - std::pow(options.beta2, steps));
            weights[i] -= rate * (mean / (std::sqrt(square) + options.epsilon) + (is_coupled ? 0.0 : decay));
        }
    }
};

class AdamTest : public BackendTest {
   protected:
    /// Two weights and a buffer between them, with random values.
    Parameters make_parameters() {
        Parameters parameters(backend(), 3);
        parameters.add({.of = "a", .shape = {3, 4}, .low = -1.0, .high = 1.0});
        parameters.add({.of = "statistics", .shape = {2}, .low = 1.0, .high = 1.0, .trainable = false});
        parameters.add({.of = "b", .shape = {2, 2, 3}, .high = 1.0, .complex_valued = true});
        return parameters;
    }
    std::vector<double> values(const Parameters& parameters) {
        std::vector<double> all;
        for (const char* name : {"a", "b"}) {
            const std::vector<double> own = as_double(parameters.download(parameters.at(name)));
            all.insert(all.end(), own.begin(), own.end());
        }
        return all;
    }
    /// Gives both weights gradients and returns them.
    std::vector<double> give_gradients(const Parameters& parameters, int step) {
        std::vector<double> all;
        for (const char* name : {"a", "b"}) {
            const Weight& weight = parameters.at(name).weight;
            const Tensor host = random_tensor(weight.shape(), DType::float32, name + std::to_string(step), 3.0);
            backend().upload(host, weight.gradient_output());
            const std::vector<double> own = as_double(host);
            all.insert(all.end(), own.begin(), own.end());
        }
        return all;
    }
    void expect_like_plain(const OptimizerOptions& options) {
        const Parameters parameters = make_parameters();
        Adam adam(parameters, options);
        PlainAdam plain{options, values(parameters), {}, {}};
        for (int step = 0; step < 10; ++step) {
            const double rate = 1e-2 / (1 + step);
            plain.step(give_gradients(parameters, step), rate);
            adam.step(rate);
            const std::vector<double> tried = values(parameters);
            for (std::size_t i = 0; i < tried.size(); ++i) {
                ASSERT_NEAR(tried[i], plain.weights[i], 2e-6) << "step " << step << ", weight " << i;
            }
        }
        EXPECT_EQ(adam.steps(), 10);
    }
    ScratchFolder folder_;
};

TEST_P(AdamTest, FollowsThePaper) {
    expect_like_plain({});
    OptimizerOptions other;
    other.beta1 = 0.8;
    other.beta2 = 0.95;
    other.epsilon = 1e-4;
    other.weight_decay = 0.1;
    expect_like_plain(other);
    other.kind = OptimizerOptions::Kind::adamw;
    expect_like_plain(other);
}

TEST_P(AdamTest, ClipsTheNormOverAllWeights) {
    OptimizerOptions options;
    options.gradient_clip = 0.5;
    options.epsilon = 0.1;  // else the scale of the gradient hardly matters
    expect_like_plain(options);
}

TEST_P(AdamTest, ForgetsGradientsAndSparesBuffers) {
    const Parameters parameters = make_parameters();
    Adam adam(parameters, {});
    give_gradients(parameters, 0);
    adam.step(1e-3);
    EXPECT_FALSE(parameters.at("a").weight.has_gradient());
    EXPECT_EQ(as_double(parameters.download(parameters.at("statistics"))), (std::vector<double>{1.0, 1.0}));
    EXPECT_THROW(adam.step(1e-3), Error);
}

TEST_P(AdamTest, LeavesFrozenWeightsAlone) {
    const Parameters parameters = make_parameters();
    parameters.freeze({"a"});
    Adam adam(parameters, {});
    const std::vector<double> before = values(parameters);
    const Weight& weight = parameters.at("b").weight;
    backend().fill(weight.gradient_output(), 1.0);
    adam.step(1e-2);
    const std::vector<double> after = values(parameters);
    for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_EQ(before[i] == after[i], i < 12) << i;
    }
    adam.save(folder_.file("optimizer.safetensors"));
    EXPECT_EQ(SafetensorsFile(folder_.file("optimizer.safetensors")).names(),
              (std::vector<std::string>{"b.first", "b.second"}));
}

TEST_P(AdamTest, ContinuesFromItsFileBitForBit) {
    const Parameters straight = make_parameters(), saved = make_parameters();
    Adam whole(straight, {}), before(saved, {});
    for (int step = 0; step < 3; ++step) {
        give_gradients(straight, step);
        whole.step(1e-3);
        give_gradients(saved, step);
        before.step(1e-3);
    }
    before.save(folder_.file("optimizer.safetensors"));
    Adam after(saved, {});
    after.load(folder_.file("optimizer.safetensors"), before.steps());
    give_gradients(straight, 3);
    whole.step(1e-3);
    give_gradients(saved, 3);
    after.step(1e-3);
    EXPECT_EQ(values(straight), values(saved));
}

TEST_P(AdamTest, RefusesMomentsOfAnotherNetwork) {
    const Parameters parameters = make_parameters();
    Adam(parameters, {}).save(folder_.file("optimizer.safetensors"));
    Parameters more(backend(), 3), other(backend(), 3);
    more.add({.of = "c", .shape = {1}, .high = 1.0});
    other.add({.of = "a", .shape = {4, 3}, .high = 1.0});
    EXPECT_THROW(Adam(more, {}).load(folder_.file("optimizer.safetensors"), 1), InvalidModel);
    EXPECT_THROW(Adam(other, {}).load(folder_.file("optimizer.safetensors"), 1), InvalidModel);
}

INSTANTIATE_TEST_SUITE_P(Backends, AdamTest, ::testing::ValuesIn(backends_and_oracle()), choice_name);

}  // namespace
}  // namespace plumecast::testing
