#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/op_check.hpp"

namespace plumecast::testing {
namespace {

class Gemm : public BackendTest {};
INSTANTIATE_TEST_SUITE_P(Backends, Gemm, ::testing::ValuesIn(op_backends()), choice_name);

struct Extents {
    std::int64_t rows, columns, depth;
    Shape a(bool transposed) const { return transposed ? Shape{depth, rows} : Shape{rows, depth}; }
    Shape b(bool transposed) const { return transposed ? Shape{columns, depth} : Shape{depth, columns}; }
    std::string text() const { return Shape{rows, columns, depth}.text(); }
};

// Widths that fill vectors and that leave one, four or eight lanes; more rows than a block; factors too large to keep.
const std::vector<Extents> sizes{{1, 1, 1},    {0, 3, 5},    {7, 5, 3},    {1, 33, 17},  {130, 1, 12}, {67, 1, 133},
                                 {35, 36, 37}, {5, 6, 1000}, {9, 36, 150}, {60, 36, 36}, {20, 128, 9}, {3, 300, 130}};
const std::vector<Activation> gemm_activations{Activation::identity(),
                                               Activation::relu(),
                                               Activation::leaky_relu(0.1),
                                               {Activation::Kind::tanh},
                                               {Activation::Kind::gelu}};

TEST_P(Gemm, MatchesDefinitionForEveryTransposition) {
    for (const Extents& s : sizes) {
        for (int choice = 0; choice < 4; ++choice) {
            const bool ta = choice & 1, tb = choice & 2;
            const auto ops = [&](Arrays& a) {
                a.backend().gemm(ta, tb, a.field("a", s.a(ta)), a.random("b", s.b(tb)),
                                 a.field_target("c", {s.rows, s.columns}, 0.0), {}, Activation::identity());
                a.backend().gemm(ta, tb, a.field("a", s.a(ta)), a.random("b", s.b(tb)),
                                 a.field_target("biased", {s.rows, s.columns}, 0.0), a.random("bias", {s.columns}),
                                 Activation::relu());
            };
            expect_like_oracle(backend(), {"c", "biased"}, ops, 1e-6, s.text() + " " + std::to_string(choice));
        }
    }
}

TEST_P(Gemm, AddsScaledDestinationAndBiasBeforeTheActivation) {
    for (const Extents& s : sizes) {
        for (double beta : {0.0, 1.0, 0.5}) {
            for (const Activation& f : gemm_activations) {
                const auto ops = [&](Arrays& a) {
                    const View left = a.field("a", s.a(false)), right = a.random("b", s.b(false));
                    const Shape shape{s.rows, s.columns};
                    a.backend().gemm(false, false, left, right, a.field_target("c", shape, beta), {}, f);
                    a.backend().gemm(false, false, left, right, a.field_target("d", shape, beta),
                                     a.random("e", {s.columns}), f);
                };
                expect_like_oracle(backend(), {"c", "d"}, ops, 1e-5, s.text() + " beta " + std::to_string(beta));
            }
        }
    }
}

TEST_P(Gemm, PassesNanThroughTheActivationThatIsPartOfIt) {
    for (const Extents& s : {Extents{3, 5, 4}, Extents{70, 36, 36}}) {
        for (const Activation& f : gemm_activations) {
            Arrays a(backend());
            const View left = a.field("a", s.a(false));
            backend().fill(left.rows(1, 2), std::nan(""));
            backend().gemm(false, false, left, a.random("b", s.b(false)), a.field_target("c", {s.rows, s.columns}, 0.0),
                           a.random("bias", {s.columns}), f);
            const std::vector<double> c = as_double(a.download("c"));
            EXPECT_EQ(std::ranges::count_if(c, [](double value) { return std::isnan(value); }), s.columns) << s.text();
        }
    }
}

TEST_P(Gemm, TakesViewsThatBeginAnywhere) {
    const auto ops = [](Arrays& a) {
        // rows of odd length: every row of a view begins at another alignment
        const View left = a.field("a", {9, 5}), right = a.random("b", {7, 3}), c = a.field("c", {9, 3});
        for (std::int64_t first = 1; first < 5; ++first) {
            a.backend().gemm(false, false, left.rows(first, first + 4), right.rows(2, 7),
                             {c.rows(first, first + 4), 1.0}, {}, Activation::identity());
        }
    };
    expect_like_oracle(backend(), {"c"}, ops, 1e-6);
}

TEST_P(Gemm, TakesEveryMixtureOfElementTypes) {
    for (const Extents& s : sizes) {
        for (int choice = 0; choice < 16; ++choice) {
            const auto matrix = [&](Arrays& a, const char* name, const Shape& shape, bool is_field) {
                return is_field ? a.field(name, shape) : a.random(name, shape);
            };
            const bool ta = choice & 8;
            const auto ops = [&](Arrays& a) {
                const View left = matrix(a, "a", s.a(ta), choice & 1), right = matrix(a, "b", s.b(false), choice & 2);
                a.backend().gemm(ta, false, left, right, {matrix(a, "c", {s.rows, s.columns}, choice & 4), 0.5}, {},
                                 Activation::identity());
            };
            expect_like_oracle(backend(), {"c"}, ops, product_tolerance(1e-6), s.text() + " " + std::to_string(choice));
        }
    }
}

TEST_P(Gemm, ThrowsWhenExtentsDoNotMatch) {
    Arrays a(backend());
    const auto product = [&](const Shape& left, const Shape& right, const Shape& result) {
        backend().gemm(false, false, a.random("a", left), a.random("b", right), a.target("c", result, 0.0), {},
                       Activation::identity());
    };
    EXPECT_THROW(product({2, 3}, {4, 5}, {2, 5}), Error);
    EXPECT_THROW(product({2, 3}, {3, 5}, {2, 4}), Error);
    EXPECT_THROW(product({2, 3}, {3, 5}, {1, 5}), Error);
}

}  // namespace
}  // namespace plumecast::testing
