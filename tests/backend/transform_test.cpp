#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/op_check.hpp"
#include "support/oracle_arrays.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

class Transform : public BackendTest {};
INSTANTIATE_TEST_SUITE_P(Backends, Transform, ::testing::ValuesIn(op_backends()), choice_name);
class TransformAdjoint : public BackendTest {};
INSTANTIATE_TEST_SUITE_P(Backends, TransformAdjoint, ::testing::ValuesIn(backends_and_oracle()), choice_name);

struct Extents {
    std::int64_t outer, rows, depth, inner;
    std::string text() const { return Shape{outer, rows, depth, inner}.text(); }
};
const std::vector<Extents> sizes{{1, 1, 1, 1},  {0, 2, 3, 4},   {2, 3, 5, 7},     {1, 20, 17, 33},
                                 {3, 9, 4, 64}, {2, 5, 6, 131}, {1, 3, 11, 2500}, {2, 33, 8, 1}};
const std::vector<Activation> activations{Activation::identity(),
                                          Activation::relu(),
                                          Activation::leaky_relu(0.1),
                                          {Activation::Kind::tanh},
                                          {Activation::Kind::gelu}};

TEST_P(Transform, AxisProductMatchesDefinition) {
    for (const Extents& s : sizes) {
        for (double beta : {0.0, 1.0, 0.5}) {
            for (const Activation& f : activations) {
                const auto ops = [&](Arrays& a) {
                    a.backend().transform_axis(a.random("matrix", {s.rows, s.depth}),
                                               a.random("x", {s.outer, s.depth, s.inner}),
                                               a.target("y", {s.outer, s.rows, s.inner}, beta), f);
                    a.backend().transform_axis(a.random("matrix", {s.rows, s.depth}),
                                               a.field("u", {s.outer, s.depth, s.inner}),
                                               a.target("of a field", {s.outer, s.rows, s.inner}, beta), f);
                    a.backend().transform_axis(a.random("matrix", {s.rows, s.depth}),
                                               a.random("x", {s.outer, s.depth, s.inner}),
                                               a.field_target("to a field", {s.outer, s.rows, s.inner}, beta), f);
                    a.backend().transform_axis(a.random("matrix", {s.rows, s.depth}),
                                               a.field("u", {s.outer, s.depth, s.inner}),
                                               a.field_target("both", {s.outer, s.rows, s.inner}, beta), f);
                };
                expect_like_oracle(backend(), {"y", "of a field", "to a field", "both"}, ops, 1e-5,
                                   s.text() + " beta " + std::to_string(beta));
            }
        }
    }
}

TEST_P(Transform, AxisProductTakesViewsThatBeginAnywhere) {
    const auto ops = [](Arrays& a) {
        const View matrix = a.random("matrix", {6, 3}), x = a.random("x", {5, 3, 7}), y = a.random("y", {5, 4, 7});
        for (std::int64_t first = 1; first < 3; ++first) {
            a.backend().transform_axis(matrix.rows(first, first + 4), x.rows(first, first + 3),
                                       {y.rows(first, first + 3), 1.0}, Activation::identity());
        }
    };
    expect_like_oracle(backend(), {"y"}, ops, 1e-6);
}

TEST_P(Transform, AxisProductPassesNanThroughTheActivationThatIsPartOfIt) {
    for (const Activation& f : {Activation::relu(), Activation::leaky_relu(0.1)}) {
        Arrays a(backend());
        const View matrix = a.random("matrix", {22, 16});
        backend().fill(matrix.rows(3, 4), std::nan(""));
        backend().transform_axis(matrix, a.field("x", {2, 16, 36}), a.field_target("y", {2, 22, 36}, 0.0), f);
        const std::vector<double> y = as_double(a.download("y"));
        EXPECT_EQ(std::ranges::count_if(y, [](double value) { return std::isnan(value); }), 2 * 36);
    }
}

TEST_P(Transform, AxisProductThrowsWhenExtentsDoNotMatch) {
    Arrays a(backend());
    EXPECT_THROW(backend().transform_axis(a.random("m", {2, 3}), a.random("x", {1, 4, 5}),
                                          a.target("y", {1, 2, 5}, 0.0), Activation::identity()),
                 Error);
}

TEST_P(TransformAdjoint, OfAxisProductIsTheTransposedMatrix) {
    for (const Extents& s : sizes) {
        const Tensor host = random_tensor({s.rows, s.depth}, DType::float32, "matrix");
        Tensor flipped = host_zeros({s.depth, s.rows});
        for (std::int64_t m = 0; m < s.rows; ++m) {
            for (std::int64_t k = 0; k < s.depth; ++k) {
                flipped.view().as<float>()[k * s.rows + m] = host.view().as<float>()[m * s.depth + k];
            }
        }
        Arrays a(backend());
        const View matrix = a.upload("matrix", host), transposed = a.upload("transposed", flipped);
        const auto with = [&](View m) {
            return [&, m](View from, View to) { backend().transform_axis(m, from, {to, 0.0}, Activation::identity()); };
        };
        expect_adjoint(backend(), {s.outer, s.depth, s.inner}, {s.outer, s.rows, s.inner}, with(matrix),
                       with(transposed), adjoint_tolerance(), s.text());
    }
}

struct Signs {
    std::int64_t outer, n, mid, inner, dropped_from;
    Shape separate() const { return {outer, 2, n + 1, mid, 2, inner}; }
    Shape combined() const { return {outer, 2 * n, mid, 2, inner}; }
    std::string text() const { return Shape{outer, n, mid, inner, dropped_from}.text(); }
};
const std::vector<Signs> sign_cases{{1, 1, 1, 1, 1}, {2, 3, 4, 5, 3},  {1, 10, 3, 33, 10}, {0, 3, 2, 2, 3},
                                    {2, 5, 1, 7, 2}, {1, 4, 2, 16, 0}, {2, 3, 2, 3, 9}};

TEST_P(Transform, CombineSignsMatchesDefinitionBothWays) {
    for (const Signs& s : sign_cases) {
        const auto ops = [&](Arrays& a) {
            a.backend().combine_signs(a.random("x", s.separate()), a.output("y", s.combined()), s.dropped_from, false);
            a.backend().combine_signs(a.output("gx", s.separate()), a.random("gy", s.combined()), s.dropped_from, true);
        };
        expect_like_oracle(backend(), {"y", "gx"}, ops, 1e-6, s.text());
    }
}

TEST_P(TransformAdjoint, OfCombineSigns) {
    for (const Signs& s : sign_cases) {
        expect_adjoint(
            backend(), s.separate(), s.combined(),
            [&](View x, View y) { backend().combine_signs(x, y, s.dropped_from, false); },
            [&](View y, View x) { backend().combine_signs(x, y, s.dropped_from, true); }, adjoint_tolerance(),
            s.text());
    }
}

/// Cosines and sines [2 (n+1), points] of 2 pi k j / points.
Tensor cosine_sine_matrix(std::int64_t n, std::int64_t points) {
    Tensor matrix = host_zeros({2 * (n + 1), points}, DType::float64);
    for (std::int64_t k = 0; k <= n; ++k) {
        for (std::int64_t j = 0; j < points; ++j) {
            const double angle = 2.0 * std::numbers::pi * static_cast<double>(k * j) / static_cast<double>(points);
            matrix.view().as<double>()[k * points + j] = std::cos(angle);
            matrix.view().as<double>()[(n + 1 + k) * points + j] = std::sin(angle);
        }
    }
    return matrix;
}

/// sum_j x[o, j, m, :, i] e^{-2 pi i k j / points} for the signed frequencies 0 .. n-1, -n .. -1.
Tensor signed_spectrum(const Array<const double>& x, std::int64_t n) {
    const std::int64_t points = x.shape[1];
    Tensor spectrum = host_zeros(x.shape.with(1, 2 * n), DType::float64);
    const Array<double> y = array(spectrum.view());
    each_index(x.shape, [&](const Index& at) {
        for (std::int64_t row = 0; row < 2 * n; ++row) {
            const std::int64_t frequency = row < n ? row : row - 2 * n;
            const double angle =
                -2.0 * std::numbers::pi * static_cast<double>(frequency * at[1]) / static_cast<double>(points);
            // (re + i im) (cos + i sin), one part of x at a time
            const bool imaginary = at[3] == 1;
            y(at[0], row, at[2], 0, at[4]) += x(at) * (imaginary ? -std::sin(angle) : std::cos(angle));
            y(at[0], row, at[2], 1, at[4]) += x(at) * (imaginary ? std::cos(angle) : std::sin(angle));
        }
    });
    return spectrum;
}

TEST_P(TransformAdjoint, CosineAndSineSumsCombineToTheSignedFourierTransform) {
    for (const auto& [n, points] :
         std::vector<std::pair<std::int64_t, std::int64_t>>{{3, 7}, {5, 12}, {1, 4}, {4, 8}}) {
        const std::int64_t outer = 2, mid = 3, inner = 5;
        Arrays a(backend());
        const View x = a.random("x", {outer, points, mid, 2, inner});
        const View sums = a.output("sums", {outer, 2, n + 1, mid, 2, inner});
        backend().transform_axis(a.upload("matrix", cosine_sine_matrix(n, points)),
                                 x.reshaped({outer, points, mid * 2 * inner}),
                                 {sums.reshaped({outer, 2 * (n + 1), mid * 2 * inner}), 0.0}, Activation::identity());
        backend().combine_signs(sums, a.output("y", {outer, 2 * n, mid, 2, inner}), n, false);
        const Tensor values = a.download("x");
        const double tolerance = backend().compute_type() == DType::float64 ? 1e-13 : 1e-6;
        expect_close(a.download("y"), signed_spectrum(array(values.view()), n), tolerance, std::to_string(points));
    }
}

struct Modes {
    std::int64_t batch, pencils, times, inputs, outputs;
    Shape x() const { return {batch, pencils, 2, times, inputs}; }
    Shape w() const { return {pencils, times, 2, inputs, outputs}; }
    Shape y() const { return {batch, pencils, 2, times, outputs}; }
    std::string text() const { return Shape{batch, pencils, times, inputs, outputs}.text(); }
};
const std::vector<Modes> mode_cases{{1, 1, 1, 1, 1},   {2, 3, 4, 5, 7},  {1, 2, 3, 36, 36}, {0, 2, 2, 3, 4},
                                    {3, 1, 2, 16, 33}, {2, 5, 1, 1, 20}, {9, 2, 2, 3, 5},   {6, 1, 3, 4, 2}};

TEST_P(Transform, ComplexProductAndGradientsMatchDefinition) {
    for (const Modes& s : mode_cases) {
        for (double beta : {0.0, 1.0, 0.5}) {
            const auto ops = [&](Arrays& a) {
                const View x = a.random("x", s.x()), w = a.random("w", s.w()), g = a.random("g", s.y());
                a.backend().complex_product(x, w, a.output("y", s.y()));
                a.backend().complex_product_data_gradient(g, w, a.output("gx", s.x()));
                a.backend().complex_product_weight_gradient(x, g, a.target("gw", s.w(), beta));
            };
            expect_like_oracle(backend(), {"y", "gx", "gw"}, ops, 1e-6, s.text());
        }
    }
}

TEST_P(TransformAdjoint, OfComplexProductConjugatesTheWeight) {
    for (const Modes& s : mode_cases) {
        Arrays a(backend());
        const View w = a.random("w", s.w());
        expect_adjoint(
            backend(), s.x(), s.y(), [&](View x, View y) { backend().complex_product(x, w, y); },
            [&](View y, View x) { backend().complex_product_data_gradient(y, w, x); }, adjoint_tolerance(), s.text());
    }
}

TEST_P(TransformAdjoint, OfComplexProductInTheWeight) {
    for (const Modes& s : mode_cases) {
        Arrays a(backend());
        const View x = a.random("x", s.x());
        expect_adjoint(
            backend(), s.w(), s.y(), [&](View w, View y) { backend().complex_product(x, w, y); },
            [&](View y, View w) {
                backend().complex_product_weight_gradient(x, y, {w, 0.0});
            },
            adjoint_tolerance(), s.text());
    }
}

TEST(TransformOracle, ComplexWeightGradientMatchesDifferences) {
    const auto oracle = make_oracle_backend();
    Arrays a(*oracle);
    const Modes s{2, 2, 3, 2, 3};
    const View x = a.random("x", s.x()), w = a.random("w", s.w()), g = a.random("g", s.y()), y = a.output("y", s.y());
    oracle->complex_product_weight_gradient(x, g, a.target("gw", s.w(), 0.0));
    const auto loss = [&] {
        oracle->complex_product(x, w, y);
        return dot(y, g);
    };
    expect_gradient(w, loss, a.download("gw"), 1e-8);
}

}  // namespace
}  // namespace plumecast::testing
