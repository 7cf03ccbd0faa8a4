#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/op_check.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

class Norm : public BackendTest {};
INSTANTIATE_TEST_SUITE_P(Backends, Norm, ::testing::ValuesIn(op_backends()), choice_name);

const std::vector<Shape> norm_shapes{{1, 1}, {2, 3, 5, 4, 7}, {1031, 33}, {3, 1, 16}};
const std::vector<Activation> norm_activations{Activation::identity(), Activation::relu(), Activation::leaky_relu(0.1)};

double rows_of(const Shape& shape) { return static_cast<double>(shape.count() / shape[-1]); }

/// Everything a batch norm needs: input, its statistics, weight and bias.
struct BatchNorm {
    View x, weight, bias;
    BatchNormStatistics statistics;

    BatchNorm(Arrays& a, const Shape& shape)
        : x(a.field("x", shape)), weight(a.random("weight", {shape[-1]})), bias(a.random("bias", {shape[-1]})) {
        const View moments = a.output64("moments", {2, shape[-1]});
        a.backend().moments(x, moments);
        statistics = {moments, rows_of(shape), 1e-2};
    }
};

TEST_P(Norm, MomentsAreMeanAndSquaredDeviations) {
    for (const Shape& shape : norm_shapes) {
        const auto ops = [&](Arrays& a) { a.backend().moments(a.field("x", shape), a.output64("m", {2, shape[-1]})); };
        expect_like_oracle(backend(), {"m"}, ops, 1e-12, shape.text());
    }
}

TEST_P(Norm, MomentsSurviveALargeMean) {
    const auto ops = [](Arrays& a) {
        const View x = a.random("x", {1000, 3}), shift = a.output("shift", {1000, 3});
        a.backend().fill(shift, 4096.0);
        a.backend().add(1.0, shift, {x, 1.0});
        const View moments = a.output64("m", {2, 3});
        a.backend().moments(x, moments);
        a.backend().add(1.0, moments.rows(1, 2), {a.output64("deviations", {1, 3}), 0.0});
    };
    expect_like_oracle(backend(), {"deviations"}, ops, 1e-3);  // adding 4096 rounds the float32 values themselves
}

TEST_P(Norm, NormaliseMatchesDefinitionAndWorksInPlace) {
    for (const Shape& shape : norm_shapes) {
        for (const Activation& f : norm_activations) {
            const auto ops = [&](Arrays& a) {
                const BatchNorm n(a, shape);
                a.backend().normalise(n.x, n.statistics, n.weight, n.bias, f, a.field_output("y", shape));
                a.backend().normalise(n.x, n.statistics, n.weight, n.bias, f, n.x);
            };
            expect_like_oracle(backend(), {"y", "x"}, ops, 2e-6, shape.text());
        }
    }
}

TEST_P(Norm, NormaliseTakesRunningStatistics) {
    const auto ops = [](Arrays& a) {
        BatchNorm n(a, {6, 4});
        n.statistics.count = 100.0;
        a.backend().normalise(n.x, n.statistics, n.weight, n.bias, Activation::relu(), a.field_output("y", {6, 4}));
    };
    expect_like_oracle(backend(), {"y"}, ops, 2e-6);
}

TEST_P(Norm, GradientsMatchDefinition) {
    for (const Shape& shape : norm_shapes) {
        for (const Activation& f : norm_activations) {
            for (double beta : {0.0, 1.0, 0.5}) {
                const auto ops = [&](Arrays& a) {
                    const BatchNorm n(a, shape);
                    const View g = a.field("g", shape), sums = a.output64("sums", {2, shape[-1]});
                    a.backend().normalise_sums(n.x, g, n.statistics, n.weight, n.bias, f, sums);
                    a.backend().normalise_gradient(n.x, g, n.statistics, n.weight, n.bias, f, sums,
                                                   a.field_target("gx", shape, beta));
                };
                expect_like_oracle(backend(), {"sums", "gx"}, ops, 5e-6, shape.text());
            }
        }
    }
}

TEST(NormOracle, GradientsMatchDifferencesThroughTheStatistics) {
    const auto oracle = make_oracle_backend();
    const Shape shape{5, 3, 2};
    for (const Activation& f : norm_activations) {
        Arrays a(*oracle);
        const BatchNorm n(a, shape);
        const View g = a.random("g", shape), sums = a.output64("sums", {2, 2}), y = a.output("y", shape);
        oracle->normalise_sums(n.x, g, n.statistics, n.weight, n.bias, f, sums);
        oracle->normalise_gradient(n.x, g, n.statistics, n.weight, n.bias, f, sums, a.target("gx", shape, 0.0));
        const auto loss = [&] {
            const View moments = a.output64("varied", {2, 2});
            oracle->moments(n.x, moments);
            const BatchNormStatistics statistics{moments, n.statistics.count, n.statistics.epsilon};
            oracle->normalise(n.x, statistics, n.weight, n.bias, f, y);
            return dot(y, g);
        };
        expect_gradient(n.x, loss, a.download("gx"), 1e-7);
        expect_gradient(n.bias, loss, sums.rows(0, 1).reshaped({2}), 1e-7);
        expect_gradient(n.weight, loss, sums.rows(1, 2).reshaped({2}), 1e-7);
    }
}

}  // namespace
}  // namespace plumecast::testing
