#include <plumecast/layers/loss.hpp>

#include <gtest/gtest.h>

#include <cmath>

#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/op_check.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

constexpr std::int64_t rows = 3, columns = 5, steps = 2, fields = 2;
const std::vector<double> edges{0.1, 1.0, 4.0, 9.0, 20.0, 60.0};

/// Prediction and what it is compared with, on a backend; a quarter of the cells is inactive.
struct Comparison {
    Variable prediction;
    LossTarget target;
    Tensor inverse_distance;
    std::vector<double> p, y, active;

    Comparison(Backend& backend, std::int64_t batch, double target_scale = 1.0) {
        const Shape shape{batch, rows, columns, steps, fields};
        const auto uploaded = [&](const Tensor& host) {
            Tensor device(backend.memory(), host.shape(), backend.compute_type());
            backend.upload(host, device);
            return device;
        };
        const Tensor predicted = random_tensor(shape, DType::float32, "prediction");
        const Tensor truth = random_tensor(shape, DType::float32, "truth", target_scale);
        Tensor mask = host_zeros({batch, rows, columns});
        for (std::size_t i = 0; i < mask.values<float>().size(); ++i) {
            mask.values<float>()[i] = i % 4 == 2 ? 0.0F : 1.0F;
        }
        p = as_double(predicted);
        y = as_double(truth);
        active = as_double(mask);
        prediction = Variable(backend, uploaded(predicted), true);
        target.fields = uploaded(truth);
        target.active = uploaded(mask);
        inverse_distance = uploaded(host_tensor<double>({columns}, inverse_center_distances(edges)));
        target.inverse_distance = inverse_distance.view();
    }
};

double center(std::int64_t r) {
    return 0.5 * (edges[static_cast<std::size_t>(r)] + edges[static_cast<std::size_t>(r + 1)]);
}

/// Loss of one case, straight from the formula.
double case_loss(const Comparison& c, std::int64_t b, double weight) {
    double loss = 0.0;
    for (std::int64_t f = 0; f < fields; ++f) {
        double error = 0.0, truth = 0.0, error_slope = 0.0, truth_slope = 0.0;
        const auto at = [&](const std::vector<double>& v, std::int64_t z, std::int64_t r, std::int64_t t) {
            return v[static_cast<std::size_t>((((b * rows + z) * columns + r) * steps + t) * fields + f)];
        };
        for (std::int64_t cell = 0; cell < rows * columns * steps; ++cell) {
            const std::int64_t z = cell / (columns * steps), r = cell / steps % columns, t = cell % steps;
            if (c.active[static_cast<std::size_t>((b * rows + z) * columns + r)] == 0.0) {
                continue;
            }
            error += std::pow(at(c.p, z, r, t) - at(c.y, z, r, t), 2);
            truth += std::pow(at(c.y, z, r, t), 2);
            if (r > 0 && r + 1 < columns) {
                const double distance = center(r + 1) - center(r - 1);
                const double dp = (at(c.p, z, r + 1, t) - at(c.p, z, r - 1, t)) / distance;
                const double dy = (at(c.y, z, r + 1, t) - at(c.y, z, r - 1, t)) / distance;
                error_slope += std::pow(dp - dy, 2);
                truth_slope += dy * dy;
            }
        }
        const auto ratio = [](double e, double s) { return std::sqrt(e) / (s > 0.0 ? std::sqrt(s) : 1.0); };
        loss += ratio(error, truth) + weight * ratio(error_slope, truth_slope);
    }
    return loss;
}

class LossTest : public BackendTest {};

TEST_P(LossTest, IsTheFormulaOverActiveCells) {
    for (const double weight : {0.0, 0.5}) {
        const Comparison c(backend(), 3);
        const Loss loss = relative_l2_loss(c.prediction, c.target, {weight}, false);
        ASSERT_EQ(loss.per_case.size(), 3u);
        double mean = 0.0;
        for (std::int64_t b = 0; b < 3; ++b) {
            const double expected = case_loss(c, b, weight);
            EXPECT_NEAR(loss.per_case[static_cast<std::size_t>(b)], expected, 1e-6 * expected);
            mean += expected / 3.0;
        }
        EXPECT_NEAR(loss.value, mean, 1e-6 * mean);
        EXPECT_TRUE(loss.gradient.empty());
    }
}

TEST_P(LossTest, OfAZeroTargetIsTheAbsoluteNorm) {
    const Comparison c(backend(), 2, 0.0);
    const Loss loss = relative_l2_loss(c.prediction, c.target, {0.5}, true);
    const double expected = 0.5 * (case_loss(c, 0, 0.5) + case_loss(c, 1, 0.5));
    EXPECT_NEAR(loss.value, expected, 1e-6 * expected);
}

TEST_P(LossTest, OfAPerfectPredictionIsZeroWithZeroGradient) {
    Comparison c(backend(), 1);
    backend().add(1.0, c.target.fields, {c.prediction.mutable_value()});
    const Loss loss = relative_l2_loss(c.prediction, c.target, {0.5}, true);
    EXPECT_EQ(loss.value, 0.0);
    EXPECT_EQ(backend().squared_norm(loss.gradient), 0.0);
}

TEST_P(LossTest, IsNotANumberWhenThePredictionIsNot) {
    const Comparison c(backend(), 1);
    backend().fill(c.prediction.mutable_value(), std::nan(""));
    EXPECT_TRUE(std::isnan(relative_l2_loss(c.prediction, c.target, {0.5}, true).value));
}

INSTANTIATE_TEST_SUITE_P(Backends, LossTest, ::testing::ValuesIn(backends_and_oracle()), choice_name);

TEST(Loss, GradientAgreesWithDifferences) {
    const auto oracle = make_oracle_backend();
    for (const double scale : {1.0, 0.0}) {
        const Comparison c(*oracle, 2, scale);
        const Loss loss = relative_l2_loss(c.prediction, c.target, {0.5}, true);
        const auto value = [&] { return relative_l2_loss(c.prediction, c.target, {0.5}, false).value; };
        expect_gradient(c.prediction.mutable_value(), value, loss.gradient, 1e-7, 1e-6);
    }
}

TEST(Loss, GradientOnEveryBackendIsTheOracles) {
    const auto oracle = make_oracle_backend();
    const Comparison right(*oracle, 2);
    const Loss expected = relative_l2_loss(right.prediction, right.target, {0.5}, true);
    for (const BackendChoice& choice : backends()) {
        if (const auto backend = choice.make()) {
            const Comparison c(*backend, 2);
            const Loss loss = relative_l2_loss(c.prediction, c.target, {0.5}, true);
            Tensor host = host_zeros(loss.gradient.shape(), DType::float64);
            backend->download(loss.gradient, host);
            expect_close(host, expected.gradient, 1e-5, choice.name);
        }
    }
}

TEST(InverseCenterDistances, AreZeroAtBothEnds) {
    const std::vector<double> inverse = inverse_center_distances(edges);
    ASSERT_EQ(inverse.size(), 5u);
    EXPECT_EQ(inverse.front(), 0.0);
    EXPECT_EQ(inverse.back(), 0.0);
    EXPECT_DOUBLE_EQ(inverse[1], 1.0 / (6.5 - 0.55));
}

TEST(Loss, TakesTheAxesOfSpaceBeforeTheLastAsOne) {
    const auto oracle = make_oracle_backend();
    const Comparison flat(*oracle, 2);
    const Loss expected = relative_l2_loss(flat.prediction, flat.target, {}, true);
    Tensor values(oracle->memory(), {2, rows, 1, columns, steps, fields}, DType::float64);
    oracle->add(1.0, flat.prediction.value().reshaped(values.shape()), {values});
    LossTarget target{Tensor(oracle->memory(), values.shape(), DType::float64),
                      Tensor(oracle->memory(), {2, rows, 1, columns}, DType::float64), flat.inverse_distance.view()};
    oracle->add(1.0, flat.target.fields.view().reshaped(values.shape()), {target.fields});
    oracle->add(1.0, flat.target.active.view().reshaped({2, rows, 1, columns}), {target.active});
    const Variable prediction(*oracle, std::move(values), true);
    const Loss loss = relative_l2_loss(prediction, target, {}, true);
    EXPECT_EQ(loss.per_case, expected.per_case);
    EXPECT_EQ(loss.gradient.shape(), prediction.shape());
    EXPECT_EQ(as_double(loss.gradient), as_double(expected.gradient));
}

}  // namespace
}  // namespace plumecast::testing
