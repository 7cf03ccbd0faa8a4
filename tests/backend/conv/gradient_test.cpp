#include <gtest/gtest.h>

#include <string>

#include "backend/conv/conv_cases.hpp"
#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

class ConvGradient : public BackendTest {};
INSTANTIATE_TEST_SUITE_P(Backends, ConvGradient, ::testing::ValuesIn(op_backends()), choice_name);
class ConvAdjoint : public BackendTest {};
INSTANTIATE_TEST_SUITE_P(Backends, ConvAdjoint, ::testing::ValuesIn(backends_and_oracle()), choice_name);

TEST_P(ConvGradient, OfEachInputMatchesDefinition) {
    for (const ConvCase& c : conv_cases()) {
        for (double beta : {0.0, 1.0}) {
            std::vector<std::string> names;
            for (std::size_t i = 0; i < c.inputs.size(); ++i) {
                names.push_back("gx" + std::to_string(i));
            }
            const auto ops = [&](Arrays& a) {
                std::vector<OutputRef> gradients;
                for (std::size_t i = 0; i < c.inputs.size(); ++i) {
                    // the first input of several may differ from the rest in what is done with its destination
                    gradients.push_back(a.field_target(names[i], c.part(i), i == 0 ? beta : 1.0 - beta));
                }
                a.backend().conv_data_gradient(c.geometry, a.field("g", c.output()), a.random("w", c.weight()),
                                               gradients);
            };
            expect_like_oracle(backend(), names, ops, 2e-6, c.name + " beta " + std::to_string(beta));
        }
    }
}

TEST_P(ConvGradient, OfTheWeightMatchesDefinition) {
    for (const ConvCase& c : conv_cases()) {
        for (double beta : {0.0, 1.0}) {
            const auto ops = [&](Arrays& a) {
                a.backend().conv_weight_gradient(c.geometry, c.random_inputs(a), a.field("g", c.output()),
                                                 a.target("gw", c.weight(), beta));
            };
            expect_like_oracle(backend(), {"gw"}, ops, product_tolerance(2e-6),
                               c.name + " beta " + std::to_string(beta));
        }
    }
}

TEST_P(ConvAdjoint, IsTheDataGradient) {
    for (const ConvCase& c : conv_cases()) {
        if (c.inputs.size() > 1) {
            continue;
        }
        Arrays a(backend());
        const View w = a.random("w", c.weight());
        expect_adjoint(
            backend(), c.part(0), c.output(),
            [&](View x, View y) {
                backend().conv(c.geometry, std::vector<ConstView>{x}, w, {}, {y, 0.0}, Activation::identity());
            },
            [&](View y, View x) {
                backend().conv_data_gradient(c.geometry, y, w, std::vector<OutputRef>{{x, 0.0}});
            },
            adjoint_tolerance(), c.name);
    }
}

TEST_P(ConvAdjoint, InTheWeightIsTheWeightGradient) {
    for (const ConvCase& c : conv_cases()) {
        Arrays a(backend());
        const auto inputs = c.random_inputs(a);
        expect_adjoint(
            backend(), c.weight(), c.output(),
            [&](View w, View y) {
                backend().conv(c.geometry, inputs, w, {}, {y, 0.0}, Activation::identity());
            },
            [&](View y, View w) {
                backend().conv_weight_gradient(c.geometry, inputs, y, {w, 0.0});
            },
            adjoint_tolerance(), c.name);
    }
}

TEST_P(ConvAdjoint, OfAConvolutionIsTheTransposedOneWithTheSameNumbers) {
    const ConvGeometry down{.kernel = {4, 3, 4}, .stride = {2, 1, 2}};
    ConvGeometry up = down;
    up.transposed = true;
    Arrays a(backend());
    const View w = a.random("w", {5, 4, 3, 4, 3});  // [O, k, k, k, I] of one is [I, k, k, k, O] of the other
    const auto with = [&](const ConvGeometry& g) {
        return [&](View from, View to) {
            backend().conv(g, std::vector<ConstView>{from}, w, {}, {to, 0.0}, Activation::identity());
        };
    };
    expect_adjoint(backend(), {2, 6, 3, 4, 3}, {2, 3, 3, 2, 5}, with(down), with(up), adjoint_tolerance());
}

TEST(ConvOracle, WeightGradientMatchesDifferences) {
    const auto oracle = make_oracle_backend();
    for (const bool transposed : {false, true}) {
        const ConvGeometry g{.kernel = {1, 3, 3},
                             .stride = {1, 2, 1},
                             .padding_low = {0, 1, 0},
                             .padding_high = {0, 0, 1},
                             .transposed = transposed};
        const ConvCase c{"small", g, {2, 2, 3, 3}, {2, 1}, 2};
        Arrays a(*oracle);
        const auto inputs = c.random_inputs(a);
        const View w = a.random("w", c.weight()), y = a.output("y", c.output()), up = a.random("g", c.output());
        oracle->conv_weight_gradient(g, inputs, up, a.target("gw", c.weight(), 0.0));
        const auto loss = [&] {
            oracle->conv(g, inputs, w, {}, {y, 0.0}, Activation::identity());
            return dot(y, up);
        };
        expect_gradient(w, loss, a.download("gw"), 1e-8);
    }
}

}  // namespace
}  // namespace plumecast::testing
