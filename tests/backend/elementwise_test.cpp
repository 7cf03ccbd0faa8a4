#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/op_check.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

class Elementwise : public BackendTest {};
INSTANTIATE_TEST_SUITE_P(Backends, Elementwise, ::testing::ValuesIn(op_backends()), choice_name);

const std::vector<Shape> shapes{{0, 3}, {1}, {3, 5, 7}, {2, 20001}};
const std::vector<Activation> activations{Activation::identity(),
                                          Activation::relu(),
                                          Activation::leaky_relu(0.1),
                                          {Activation::Kind::tanh},
                                          {Activation::Kind::gelu, 0.1}};

TEST_P(Elementwise, UploadThenDownloadKeepsFloat32) {
    const Tensor host = random_tensor({3, 5}, DType::float32, "host");
    Arrays arrays(backend());
    arrays.upload("x", host);
    expect_close(arrays.download("x"), host, 0.0);
}

TEST_P(Elementwise, UploadConvertsFloat64) {
    const Tensor host = random_tensor({3, 5}, DType::float64, "host");
    Arrays arrays(backend());
    arrays.upload("x", host);
    expect_close(arrays.download("x"), host, 1e-7);
}

TEST_P(Elementwise, TransfersKeepEveryElementOfALargeArray) {
    const Shape shape{3, 1000003};  // more than a backend is likely to copy in one piece
    Tensor host = host_zeros(shape), back = host_zeros(shape);
    for (std::int64_t i = 0; i < shape.count(); ++i) {
        host.view().as<float>()[i] = static_cast<float>(i % 9973);
    }
    Tensor device(backend().memory(), shape, backend().compute_type());
    backend().upload(host, device);
    std::ranges::fill(host.values<float>(), -1.0f);  // free to be used again
    backend().download(device, back);
    for (std::int64_t i = 0; i < shape.count(); ++i) {
        ASSERT_EQ(back.view().as<float>()[i], static_cast<float>(i % 9973)) << i;
    }
}

TEST_P(Elementwise, FillSetsEveryElementOfEitherType) {
    for (const Shape& shape : shapes) {
        const auto ops = [&](Arrays& a) {
            a.backend().fill(a.output("y", shape), 0.75);
            a.backend().fill(a.field_output("field", shape), 0.75);
            a.backend().fill(a.output64("y64", shape), 0.1);
        };
        expect_like_oracle(backend(), {"y", "field", "y64"}, ops, 0.0, shape.text());
    }
}

TEST_P(Elementwise, AddScalesBothTerms) {
    for (const Shape& shape : shapes) {
        for (double beta : {0.0, 1.0, 0.5}) {
            const auto ops = [&](Arrays& a) {
                a.backend().add(-1.5, a.random("x", shape), a.target("y", shape, beta));
                a.backend().add(-1.5, a.field("u", shape), a.field_target("v", shape, beta));
                a.backend().add(-1.5, a.field("u", shape), a.target("wider", shape, beta));
                a.backend().add(-1.5, a.random("x", shape), a.field_target("rounded", shape, beta));
            };
            expect_like_oracle(backend(), {"y", "v", "wider", "rounded"}, ops, 1e-6,
                               shape.text() + " beta " + std::to_string(beta));
        }
    }
}

TEST_P(Elementwise, AddConvertsBetweenTypesForBetaZero) {
    const auto ops = [](Arrays& a) {
        a.backend().add(2.0, a.random64("x64", {3, 5}), a.target("y", {3, 5}, 0.0));
        a.backend().add(2.0, a.random("x", {3, 5}), {a.output64("y64", {3, 5}), 0.0});
        a.backend().add(2.0, a.random64("x64", {3, 5}), a.field_target("v", {3, 5}, 0.0));
        a.backend().add(2.0, a.field("u", {3, 5}), {a.output64("v64", {3, 5}), 0.0});
    };
    expect_like_oracle(backend(), {"y", "y64", "v", "v64"}, ops, 1e-7);
}

TEST_P(Elementwise, AddProductMultipliesElementByElement) {
    for (const Shape& shape : shapes) {
        for (double beta : {0.0, 1.0, 0.5}) {
            const auto ops = [&](Arrays& a) {
                a.backend().add_product(a.random("a", shape), a.random("x", shape), a.target("y", shape, beta));
            };
            expect_like_oracle(backend(), {"y"}, ops, 1e-6, shape.text() + " beta " + std::to_string(beta));
        }
    }
}

TEST_P(Elementwise, AddProductWithOneFactorIsItsOwnAdjoint) {
    Arrays arrays(backend());
    const ConstView weight = arrays.random("a", {3, 5, 7});
    const auto multiply = [&](View from, View to) { backend().add_product(weight, from, {to}); };
    expect_adjoint(backend(), {3, 5, 7}, {3, 5, 7}, multiply, multiply, adjoint_tolerance());
}

TEST_P(Elementwise, AddProductRefusesDifferentCounts) {
    Arrays arrays(backend());
    EXPECT_THROW(backend().add_product(arrays.random("a", {4}), arrays.random("x", {5}), arrays.target("y", {4}, 0.0)),
                 Error);
}

TEST_P(Elementwise, ActivateMatchesDefinitionAndWorksInPlace) {
    for (const Shape& shape : shapes) {
        for (const Activation& f : activations) {
            const auto ops = [&](Arrays& a) {
                a.backend().activate(f, a.field("x", shape), a.field_output("y", shape));
                const View z = a.field("z", shape);
                a.backend().activate(f, z, z);
            };
            expect_like_oracle(backend(), {"y", "z"}, ops, 1e-6, shape.text());
        }
    }
}

TEST_P(Elementwise, ActivatePassesNanOn) {
    const Tensor host = host_tensor<float>({2}, std::vector<float>{std::nanf(""), 1.0f});
    for (const Activation& f : activations) {
        Arrays arrays(backend());
        backend().activate(f, arrays.upload("x", host), arrays.output("y", {2}));
        EXPECT_TRUE(std::isnan(arrays.download("y").values<double>()[0]));
        EXPECT_FALSE(std::isnan(arrays.download("y").values<double>()[1]));
    }
}

TEST_P(Elementwise, ActivationGradientMatchesDefinition) {
    for (const Shape& shape : shapes) {
        for (const Activation& f : activations) {
            const auto ops = [&](Arrays& a) {
                const View g = a.field("g", shape);
                a.backend().activation_gradient(f, a.field("kept", shape), g);
            };
            expect_like_oracle(backend(), {"g"}, ops, 2e-6, shape.text());
        }
    }
}

TEST(ElementwiseOracle, ActivationGradientMatchesDifferences) {
    const auto oracle = make_oracle_backend();
    for (const Activation& f : activations) {
        Arrays a(*oracle);
        const Shape shape{4, 6};
        const View x = a.random("x", shape), y = a.output("y", shape), upstream = a.random("g", shape);
        oracle->activate(f, x, y);
        const View gradient = a.upload("gradient", upstream);
        oracle->activation_gradient(f, f.known_from_output() ? y : x, gradient);
        const auto loss = [&] {
            oracle->activate(f, x, y);
            return dot(y, upstream);
        };
        expect_gradient(x, loss, gradient, 1e-8);
    }
}

TEST_P(Elementwise, AdamFollowsItsFormulaOverSeveralSteps) {
    for (const Shape& shape : shapes) {
        for (const bool decoupled : {false, true}) {
            const auto ops = [&](Arrays& a) {
                const View w = a.random("w", shape), m = a.output("m", shape), v = a.output("v", shape);
                a.backend().fill(m, 0.0);
                a.backend().fill(v, 0.0);
                AdamStep step{.learning_rate = 0.01, .weight_decay = 0.1, .gradient_scale = 0.5};
                step.decoupled_decay = decoupled;
                for (step.step = 1; step.step <= 3; ++step.step) {
                    const View g = a.random("g" + std::to_string(step.step), shape);
                    a.backend().adam(step, std::array{AdamParameter{g, w, m, v}});
                }
            };
            expect_like_oracle(backend(), {"w", "m", "v"}, ops, 2e-6,
                               shape.text() + (decoupled ? ", decoupled decay" : ""));
        }
    }
}

TEST_P(Elementwise, AdamMovesManyArraysAtOnceAndClipsTheirCommonNorm) {
    for (const double clip : {0.5, 1e9}) {
        const auto ops = [&](Arrays& a) {
            std::vector<AdamParameter> targets;
            std::vector<ConstView> gradients;
            for (std::int64_t n = 0; n < 700; ++n) {  // more than one launch of the CUDA backend takes
                const Shape shape{n % 3, 2 + n % 2};
                const std::string name = std::to_string(n);
                targets.push_back({a.random("g" + name, shape), a.random("w" + name, shape),
                                   a.random("m" + name, shape), a.output("v" + name, shape)});
                a.backend().fill(targets.back().second, 0.5);
                gradients.push_back(targets.back().gradient);
            }
            const View norm = a.output64("norm", {1});
            a.backend().squared_norm(gradients, norm);
            a.backend().adam({.step = 3, .clip_norm = clip, .squared_norm = norm}, targets);
        };
        expect_like_oracle(backend(), {"norm", "w0", "w1", "w2", "m2", "v2", "w640", "w641", "w698", "v698"}, ops, 2e-6,
                           "clipped to " + std::to_string(clip));
    }
}

TEST(ElementwiseOracle, FirstAdamStepMovesByTheLearningRate) {
    const auto oracle = make_oracle_backend();
    Arrays a(*oracle);
    const View w = a.random("w", {3}), g = a.random("g", {3}), m = a.output("m", {3}), v = a.output("v", {3});
    const Tensor before = a.download("w");
    oracle->fill(m, 0.0);
    oracle->fill(v, 0.0);
    oracle->adam({.learning_rate = 0.25, .epsilon = 0.0, .weight_decay = 0.0}, std::array{AdamParameter{g, w, m, v}});
    for (std::size_t i = 0; i < 3; ++i) {
        const double move = w.as<double>()[i] - before.values<double>()[i];
        EXPECT_NEAR(move, g.as<double>()[i] > 0.0 ? -0.25 : 0.25, 1e-12);
    }
}

TEST(ElementwiseOracle, DecoupledDecayShrinksTheWeightAndLeavesTheMomentsAlone) {
    const auto oracle = make_oracle_backend();
    Arrays a(*oracle);
    const View w = a.random("w", {3}), g = a.output("g", {3}), m = a.output("m", {3}), v = a.output("v", {3});
    const Tensor before = a.download("w");
    for (const View& zero : {g, m, v}) {
        oracle->fill(zero, 0.0);
    }
    AdamStep step{.learning_rate = 0.25, .weight_decay = 0.4};
    step.decoupled_decay = true;
    oracle->adam(step, std::array{AdamParameter{g, w, m, v}});
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(w.as<double>()[i], 0.9 * before.values<double>()[i], 1e-15);
        EXPECT_EQ(m.as<double>()[i], 0.0);
        EXPECT_EQ(v.as<double>()[i], 0.0);
    }
}

}  // namespace
}  // namespace plumecast::testing
