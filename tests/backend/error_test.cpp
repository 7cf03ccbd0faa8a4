#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/op_check.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

class ErrorOp : public BackendTest {};
INSTANTIATE_TEST_SUITE_P(Backends, ErrorOp, ::testing::ValuesIn(backends()), choice_name);

/// Prediction, target, about two thirds active cells, `behind` of them behind the axis of the derivative; inverse
/// distances.
struct Fields {
    View prediction, target, active, inverse_distance;

    Fields(Arrays& a, const Shape& shape, std::int64_t behind = 1)
        : prediction(a.random("p", shape)), target(a.random("t", shape)) {
        const Shape map = shape.slice(0, 3);
        Tensor mask = random_tensor(behind > 1 ? map.append(behind) : map, DType::float32, "mask");
        for (float& value : mask.values<float>()) {
            value = value > -0.4f ? 1.0f : 0.0f;
        }
        active = a.upload("active", mask);
        inverse_distance = a.random("inverse", {shape[2]});
    }
};

const std::vector<Shape> error_shapes{{2, 3, 9, 4, 2}, {1, 1, 1, 1, 1}, {3, 2, 2, 5, 1},
                                      {2, 1, 3, 1, 3}, {0, 3, 4, 2, 2}, {1, 17, 33, 3, 1}};

/// How many cells may lie behind the axis of the derivative: one, or as many as there are times.
std::vector<std::int64_t> cells_behind(const Shape& shape) {
    return shape[3] > 1 ? std::vector<std::int64_t>{1, shape[3]} : std::vector<std::int64_t>{1};
}

TEST_P(ErrorOp, NormsMatchDefinition) {
    for (const Shape& shape : error_shapes) {
        for (const std::int64_t behind : cells_behind(shape)) {
            const auto ops = [&](Arrays& a) {
                const Fields f(a, shape, behind);
                a.backend().error_norms(f.prediction, f.target, f.active, f.inverse_distance,
                                        a.output64("sums", {shape[0], shape[4], 5}));
            };
            expect_like_oracle(backend(), {"sums"}, ops, 1e-6, shape.text());
        }
    }
}

TEST_P(ErrorOp, GradientMatchesDefinition) {
    for (const Shape& shape : error_shapes) {
        for (const std::int64_t behind : cells_behind(shape)) {
            const auto ops = [&](Arrays& a) {
                const Fields f(a, shape, behind);
                a.backend().error_gradient(f.prediction, f.target, f.active, f.inverse_distance,
                                           a.random64("coefficients", {shape[0], shape[4], 2}), a.output("g", shape));
            };
            expect_like_oracle(backend(), {"g"}, ops, 1e-6, shape.text());
        }
    }
}

TEST_P(ErrorOp, RatiosAreTheLossAndTheFactorsOfItsGradient) {
    Arrays a(backend());
    // two cases of two fields
    const std::vector<double> sums{9, 4, 1, 16, 8, 0, 4, 0, 0, 8, 25, 0, 4, 0, 8, 4, 16, 9, 9, 8};
    const View given = a.upload("sums", host_tensor<double>({1, 2, 2, 5}, sums), DType::float64);
    backend().error_ratios(given, {LossKind::relative_l2, 0.5}, 0.1, a.output64("values", {2}),
                           a.output64("coefficients", {2, 2, 2}));
    const std::vector<double> values = as_double(a.download("values")), factors = as_double(a.download("coefficients"));
    EXPECT_DOUBLE_EQ(values[0], 3.0 / 2.0 + 0.5 * 1.0 / 4.0);
    EXPECT_DOUBLE_EQ(values[1], 5.0 + 0.5 * 2.0 + 2.0 / 4.0 + 0.5 * 3.0 / 3.0);  // norms of zero divide as 1
    const std::vector<double> expected{0.1 / 6, 0.05 / 4, 0, 0, 0.1 / 5, 0.05 / 2, 0.1 / 8, 0.05 / 9};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(factors[i], expected[i], 1e-15) << i;
    }
}

TEST_P(ErrorOp, RatiosOfTwoAxesAreTheSobolevNormOfValuesAndAllDerivatives) {
    Arrays a(backend());
    // |e|^2 and |y|^2 stand with both axes; a field without truth and one without error
    const std::vector<double> sums{9, 4, 1, 16, 8, 25, 0, 4, 0, 8, 9, 4, 6, 5, 8, 25, 0, 7, 0, 8};
    const View given = a.upload("sums", host_tensor<double>({2, 1, 2, 5}, sums), DType::float64);
    backend().error_ratios(given, {LossKind::h1, 0.0}, 0.1, a.output64("values", {1}),
                           a.output64("coefficients", {1, 2, 2}));
    EXPECT_DOUBLE_EQ(as_double(a.download("values"))[0], 4.0 / 5.0 + 6.0);  // 16 over 25, and 36 over nothing
    const std::vector<double> factors = as_double(a.download("coefficients"));
    const std::vector<double> expected{0.1 / 20 / 2, 0.1 / 20, 0.1 / 6 / 2, 0.1 / 6};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(factors[i], expected[i], 1e-15) << i;
    }
}

TEST_P(ErrorOp, RatiosOfTheMeanSquareDivideByTheValuesThatCount) {
    Arrays a(backend());
    const std::vector<double> sums{9, 4, 1, 16, 8, 0, 0, 0, 0, 0};  // nothing counts in the second field
    const View given = a.upload("sums", host_tensor<double>({1, 1, 2, 5}, sums), DType::float64);
    backend().error_ratios(given, {LossKind::mse, 0.0}, 0.5, a.output64("values", {1}),
                           a.output64("coefficients", {1, 2, 2}));
    EXPECT_DOUBLE_EQ(as_double(a.download("values"))[0], 9.0 / 8.0);
    const std::vector<double> factors = as_double(a.download("coefficients"));
    EXPECT_EQ(factors, (std::vector<double>{0.5 * 2.0 / 8.0, 0.0, 0.5 * 2.0, 0.0}));
}

TEST_P(ErrorOp, NormsAreZeroWhereNoCellIsActive) {
    Arrays a(backend());
    const Fields f(a, {2, 2, 5, 3, 1});
    backend().fill(f.active, 0.0);
    backend().error_norms(f.prediction, f.target, f.active, f.inverse_distance, a.output64("sums", {2, 1, 5}));
    EXPECT_EQ(as_double(a.download("sums")), std::vector<double>(10, 0.0));
}

TEST(ErrorOracle, NormsOfALineByHand) {
    const auto oracle = make_oracle_backend();
    Arrays a(*oracle);
    const auto line = [&](const char* name, std::vector<float> values) {
        return a.upload(name, host_tensor<float>({1, 1, 4, 1, 1}, values));
    };
    const View prediction = line("p", {1, 2, 4, 9}), target = line("t", {0, 2, 5, 5});
    const View active = a.upload("a", host_tensor<float>({1, 1, 4}, std::vector<float>{0, 1, 1, 1}));
    const View inverse = a.upload("i", host_tensor<float>({4}, std::vector<float>{7, 0.5f, 2, 7}));
    oracle->error_norms(prediction, target, active, inverse, a.output64("sums", {1, 1, 5}));
    // e = 1 0 -1 4, of which the first is inactive; D e = -1 at cell 1 and 8 at cell 2; D y = 2.5 and 6
    EXPECT_EQ(as_double(a.download("sums")), (std::vector<double>{17, 54, 65, 42.25, 3}));
}

TEST(ErrorOracle, GradientMatchesDifferencesOfNorms) {
    const auto oracle = make_oracle_backend();
    Arrays a(*oracle);
    const Shape shape{2, 2, 5, 2, 2};
    const Fields f(a, shape);
    const View coefficients = a.random64("coefficients", {2, 2, 2}), sums = a.output64("sums", {2, 2, 5});
    oracle->error_gradient(f.prediction, f.target, f.active, f.inverse_distance, coefficients, a.output("g", shape));
    const auto loss = [&] {
        oracle->error_norms(f.prediction, f.target, f.active, f.inverse_distance, sums);
        double total = 0.0;
        for (std::int64_t pair = 0; pair < 4; ++pair) {
            const double *of = coefficients.as<double>() + 2 * pair, *sum = sums.as<double>() + 5 * pair;
            total += 0.5 * (of[0] * sum[0] + of[1] * sum[2]);
        }
        return total;
    };
    expect_gradient(f.prediction, loss, a.download("g"), 1e-8);
}

}  // namespace
}  // namespace plumecast::testing
