#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/op_check.hpp"

namespace plumecast::testing {
namespace {

class BoxOp : public BackendTest {};
INSTANTIATE_TEST_SUITE_P(Backends, BoxOp, ::testing::ValuesIn(op_backends()), choice_name);
class BoxAdjoint : public BackendTest {};
INSTANTIATE_TEST_SUITE_P(Backends, BoxAdjoint, ::testing::ValuesIn(backends_and_oracle()), choice_name);

using Edge = Padding::Edge;

struct PaddedCase {
    Shape padded;
    Padding padding;
    std::vector<Shape> terms;
};

const std::vector<PaddedCase> padded_cases{
    // constant over everything but channels; over batch and time; over space; full
    {{2, 5, 7, 4, 3},
     {{{3, Edge::zero}, {5, Edge::replicate}, {2, Edge::replicate}}},
     {{1, 1, 1, 1, 3}, {1, 3, 5, 1, 3}, {2, 1, 1, 2, 3}, {2, 3, 5, 2, 3}, {2, 3, 1, 1, 3}}},
    {{1, 3, 3, 3, 17}, {{{3, Edge::zero}, {3, Edge::replicate}, {3, Edge::zero}}}, {{1, 3, 3, 3, 17}}},
    {{3, 4, 2, 1}, {{{1, Edge::replicate}, {1, Edge::zero}}}, {{3, 1, 1, 1}, {1, 1, 1, 1}}},
    {{2, 2, 3, 2, 3, 2},
     {{{1, Edge::zero}, {2, Edge::zero}, {1, Edge::replicate}, {2, Edge::replicate}}},
     {{2, 1, 2, 1, 2, 2}, {1, 1, 1, 1, 2, 2}}},
    {{0, 4, 4, 2}, {{{3, Edge::zero}, {2, Edge::replicate}}}, {{0, 3, 2, 2}, {1, 3, 1, 2}}},
};

TEST_P(BoxOp, PaddedSumContinuesEveryTerm) {
    for (const PaddedCase& c : padded_cases) {
        const auto ops = [&](Arrays& a) {
            std::vector<ConstView> terms;
            for (std::size_t i = 0; i < c.terms.size(); ++i) {
                const std::string name = "term" + std::to_string(i);
                terms.emplace_back(i % 2 == 0 ? a.random(name, c.terms[i]) : a.field(name, c.terms[i]));
            }
            a.backend().padded_sum(terms, a.random("bias", {c.padded[-1]}), c.padding, a.field_output("y", c.padded));
            a.backend().padded_sum({}, a.random("bias", {c.padded[-1]}), c.padding, a.output("no terms", c.padded));
        };
        expect_like_oracle(backend(), {"y", "no terms"}, ops, 1e-6, c.padded.text());
    }
}

TEST_P(BoxOp, PaddedSumGradientSumsWhatShowsATerm) {
    for (const PaddedCase& c : padded_cases) {
        for (const Shape& term : c.terms) {
            for (double beta : {0.0, 1.0, 0.5}) {
                const auto ops = [&](Arrays& a) {
                    a.backend().padded_sum_gradient(a.field("g", c.padded), c.padding, a.target("gx", term, beta));
                    a.backend().padded_sum_gradient(a.field("g", c.padded), c.padding,
                                                    a.field_target("narrower", term, beta));
                };
                expect_like_oracle(backend(), {"gx", "narrower"}, ops, 1e-6, c.padded.text() + " " + term.text());
            }
        }
    }
}

TEST_P(BoxAdjoint, OfPaddedSum) {
    for (const PaddedCase& c : padded_cases) {
        for (const Shape& term : c.terms) {
            Arrays a(backend());
            const View no_bias = a.output("bias", {c.padded[-1]});
            backend().fill(no_bias, 0.0);
            expect_adjoint(
                backend(), term, c.padded,
                [&](View x, View y) { backend().padded_sum(std::vector<ConstView>{x}, no_bias, c.padding, y); },
                [&](View y, View x) {
                    backend().padded_sum_gradient(y, c.padding, {x, 0.0});
                },
                adjoint_tolerance(), c.padded.text() + " " + term.text());
        }
    }
}

TEST_P(BoxAdjoint, PaddedSumRepeatsTheLastCellOrIsSilent) {
    Arrays a(backend());
    const View row = a.upload("row", host_tensor<float>({1, 2, 1}, std::vector<float>{1.0f, 2.0f}));
    const View bias = a.upload("bias", host_tensor<float>({1}, std::vector<float>{10.0f}));
    const std::vector<ConstView> terms{row};
    backend().padded_sum(terms, bias, {{{2, Edge::replicate}}}, a.output("replicated", {1, 4, 1}));
    backend().padded_sum(terms, bias, {{{2, Edge::zero}}}, a.output("silent", {1, 4, 1}));
    EXPECT_EQ(as_double(a.download("replicated")), (std::vector<double>{11.0, 12.0, 12.0, 12.0}));
    EXPECT_EQ(as_double(a.download("silent")), (std::vector<double>{11.0, 12.0, 10.0, 10.0}));
}

struct BoxCase {
    Shape x, x_low, y, y_low, extents;
};

const std::vector<BoxCase> boxes{
    {{2, 5, 7, 4, 3}, {0, 0, 0, 0, 0}, {2, 3, 5, 2, 3}, {0, 0, 0, 0, 0}, {2, 3, 5, 2, 3}},
    {{2, 5, 7, 4, 3}, {0, 1, 2, 0, 0}, {2, 4, 9, 4, 3}, {0, 0, 5, 0, 0}, {2, 4, 3, 4, 3}},
    {{3, 4, 5}, {1, 2, 3}, {6, 3, 4}, {4, 1, 0}, {2, 2, 2}},
    {{4, 5}, {0, 0}, {4, 5}, {0, 0}, {4, 5}},
    {{7}, {2}, {5}, {1}, {4}},
    {{3, 4, 5}, {3, 0, 0}, {2, 4, 5}, {1, 0, 0}, {0, 4, 5}},
    {{2, 2, 3, 4, 5, 33}, {1, 0, 1, 1, 2, 0}, {1, 2, 2, 2, 3, 33}, {0, 0, 0, 0, 0, 0}, {1, 2, 2, 2, 3, 33}},
    {{64, 40, 24}, {3, 0, 0}, {70, 40, 24}, {9, 0, 0}, {61, 40, 24}}};

TEST_P(BoxOp, CopyBoxWritesOneBoxAndLeavesTheRest) {
    for (const BoxCase& c : boxes) {
        for (const double beta : {0.0, 1.0, -0.5}) {
            const auto ops = [&](Arrays& a) {
                a.backend().copy_box(a.random("x", c.x), c.x_low, {a.random("y", c.y), beta}, c.y_low, c.extents);
                a.backend().copy_box(a.field("u", c.x), c.x_low, {a.field("v", c.y), beta}, c.y_low, c.extents);
            };
            expect_like_oracle(backend(), {"y", "v"}, ops, beta == 0.0 ? 0.0 : 1e-6, c.x.text() + " " + c.y.text());
        }
    }
}

TEST_P(BoxAdjoint, OfCopyBox) {
    for (const BoxCase& c : boxes) {
        const auto copied = [&](View from, const Shape& from_low, View to, const Shape& to_low) {
            backend().fill(to, 0.0);
            backend().copy_box(from, from_low, {to}, to_low, c.extents);
        };
        expect_adjoint(
            backend(), c.x, c.y, [&](View x, View y) { copied(x, c.x_low, y, c.y_low); },
            [&](View y, View x) { copied(y, c.y_low, x, c.x_low); }, adjoint_tolerance(), c.x.text());
    }
}

}  // namespace
}  // namespace plumecast::testing
