#include <plumecast/inference/loss.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <plumecast/graph/layers.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>

#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/op_check.hpp"
#include "support/oracle_backend.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

constexpr std::int64_t rows = 3, columns = 5, steps = 2, fields = 2;
const std::vector<double> edges{0.1, 1.0, 4.0, 9.0, 20.0, 60.0};

/// Prediction and what it is compared with, on a backend; a quarter of the cells is inactive.
struct Comparison {
    Tensor prediction;
    LossTarget target;
    Tensor inverse_distance, inverse_rows;
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
        prediction = uploaded(predicted);
        target.fields = uploaded(truth);
        target.active = uploaded(mask);
        inverse_distance = uploaded(host_tensor<double>({columns}, inverse_center_distances(edges)));
        inverse_rows = uploaded(host_tensor<double>({rows}, std::vector<double>{0.0, 0.7, 0.0}));
        target.inverse_distances = {inverse_distance.view()};
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

std::vector<double> losses(Backend& backend, const Comparison& c, double weight) {
    return field_losses(backend, c.prediction.view(), c.target, {weight});
}

/// Losses without a weight, of which h1 wants the distances of all axes.
constexpr LossOptions h1{.derivative_weight = 0.0, .kind = LossKind::h1};
constexpr LossOptions mse{.derivative_weight = 0.0, .kind = LossKind::mse};

std::vector<double> losses(Backend& backend, Comparison& c, const LossOptions& options) {
    c.target.inverse_distances = {c.inverse_distance.view()};
    if (options.kind == LossKind::h1) {
        c.target.inverse_distances.insert(c.target.inverse_distances.begin(), c.inverse_rows.view());
    }
    return field_losses(backend, c.prediction.view(), c.target, options);
}

/// The relative Sobolev norm of a case, or its mean squared error, straight from the formula.
double case_loss(const Comparison& c, std::int64_t b, const LossOptions& options) {
    double loss = 0.0;
    for (std::int64_t f = 0; f < fields; ++f) {
        double error = 0.0, truth = 0.0, count = 0.0;
        const auto place = [&](std::int64_t z, std::int64_t r, std::int64_t t) {
            return static_cast<std::size_t>((((b * rows + z) * columns + r) * steps + t) * fields + f);
        };
        const auto add = [&](std::size_t high, std::size_t low, double inverse) {
            error += std::pow(inverse * ((c.p[high] - c.y[high]) - (c.p[low] - c.y[low])), 2);
            truth += std::pow(inverse * (c.y[high] - c.y[low]), 2);
        };
        for (std::int64_t cell = 0; cell < rows * columns * steps; ++cell) {
            const std::int64_t z = cell / (columns * steps), r = cell / steps % columns, t = cell % steps;
            if (c.active[static_cast<std::size_t>((b * rows + z) * columns + r)] == 0.0) {
                continue;
            }
            const std::size_t at = place(z, r, t);
            error += std::pow(c.p[at] - c.y[at], 2);
            truth += std::pow(c.y[at], 2);
            count += 1.0;
            if (options.kind == LossKind::h1 && r > 0 && r + 1 < columns) {
                add(place(z, r + 1, t), place(z, r - 1, t), 1.0 / (center(r + 1) - center(r - 1)));
            }
            if (options.kind == LossKind::h1 && z > 0 && z + 1 < rows) {
                add(place(z + 1, r, t), place(z - 1, r, t), 0.7);
            }
        }
        loss += options.kind == LossKind::h1 ? std::sqrt(error / truth) : error / count;
    }
    return loss;
}

/// Half of the sum of two losses and its gradient.
Tensor gradient(Backend& backend, const Comparison& c, const LossOptions& options) {
    Graph graph;
    std::vector<std::pair<const char*, ConstView>> arrays{
        {"prediction", c.prediction.view()}, {"target", c.target.fields.view()}, {"active", c.target.active.view()}};
    if (options.kind == LossKind::h1) {
        arrays.emplace_back("inverse.rows", c.inverse_rows.view());
    }
    arrays.emplace_back("inverse", c.inverse_distance.view());
    std::vector<Value> inputs;
    for (const auto& [name, array] : arrays) {
        inputs.push_back(graph.input(name, {array.shape}));
    }
    const LossInputs compared{inputs[0], inputs[1], inputs[2], {inputs.begin() + 3, inputs.end()}};
    graph.output("gradient", field_loss(compared, {options.kind, options.derivative_weight}, 0.5).gradient);
    return std::move(
        evaluate(backend, graph, [&](const std::string& of) {
            return std::ranges::find(arrays, of, [](const auto& array) { return std::string(array.first); })->second;
        }).front());
}

class LossTest : public BackendTest {};

TEST_P(LossTest, IsTheFormulaOverActiveCells) {
    for (const double weight : {0.0, 0.5}) {
        const Comparison c(backend(), 3);
        const std::vector<double> found = losses(backend(), c, weight);
        ASSERT_EQ(found.size(), 3u);
        for (std::int64_t b = 0; b < 3; ++b) {
            const double expected = case_loss(c, b, weight);
            EXPECT_NEAR(found[static_cast<std::size_t>(b)], expected, 1e-6 * expected);
        }
    }
}

TEST_P(LossTest, IsTheSobolevNormOverAllAxesOrTheMeanSquareOverActiveCells) {
    for (const LossOptions& options : {h1, mse}) {
        Comparison c(backend(), 3);
        const std::vector<double> found = losses(backend(), c, options);
        ASSERT_EQ(found.size(), 3U);
        for (std::int64_t b = 0; b < 3; ++b) {
            const double expected = case_loss(c, b, options);
            EXPECT_NEAR(found[static_cast<std::size_t>(b)], expected, 1e-6 * expected);
        }
    }
}

TEST_P(LossTest, OfAZeroTargetIsTheAbsoluteNorm) {
    const Comparison c(backend(), 2, 0.0);
    const std::vector<double> found = losses(backend(), c, 0.5);
    for (std::int64_t b = 0; b < 2; ++b) {
        const double expected = case_loss(c, b, 0.5);
        EXPECT_NEAR(found[static_cast<std::size_t>(b)], expected, 1e-6 * expected);
    }
}

TEST_P(LossTest, OfAPerfectPredictionIsZeroWithZeroGradient) {
    Comparison c(backend(), 1);
    backend().add(1.0, c.target.fields.view(), {c.prediction.view()});
    EXPECT_EQ(losses(backend(), c, 0.5), std::vector<double>{0.0});
    EXPECT_EQ(backend().squared_norm(gradient(backend(), c, {0.5})), 0.0);
}

TEST_P(LossTest, IsNotANumberWhenThePredictionIsNot) {
    Comparison c(backend(), 1);
    backend().fill(c.prediction.view(), std::nan(""));
    EXPECT_TRUE(std::isnan(losses(backend(), c, 0.5).front()));
}

INSTANTIATE_TEST_SUITE_P(Backends, LossTest, ::testing::ValuesIn(backends_and_oracle()), choice_name);

TEST(Loss, GradientAgreesWithDifferences) {
    const auto oracle = make_oracle_backend();
    for (const double scale : {1.0, 0.0}) {
        Comparison c(*oracle, 2, scale);
        const auto value = [&] {
            const std::vector<double> both = losses(*oracle, c, 0.5);
            return 0.5 * (both[0] + both[1]);
        };
        const Tensor found = gradient(*oracle, c, {0.5});
        expect_gradient(c.prediction.view(), value, found, 1e-7, 1e-6);
    }
}

TEST(Loss, GradientOfTheSobolevNormAndOfTheMeanSquareAgreesWithDifferences) {
    const auto oracle = make_oracle_backend();
    for (const LossOptions& options : {h1, mse}) {
        Comparison c(*oracle, 2);
        const auto value = [&] {
            const std::vector<double> both = losses(*oracle, c, options);
            return 0.5 * (both[0] + both[1]);
        };
        expect_gradient(c.prediction.view(), value, gradient(*oracle, c, options), 1e-7, 1e-6);
    }
}

TEST(Loss, GradientOnEveryBackendIsTheOracles) {
    const auto oracle = make_oracle_backend();
    const Comparison right(*oracle, 2);
    for (const LossOptions& options : {LossOptions{0.5}, h1, mse}) {
        const Tensor expected = gradient(*oracle, right, options);
        for (const BackendChoice& choice : backends()) {
            if (const auto backend = choice.make()) {
                const Comparison c(*backend, 2);
                const Tensor found = gradient(*backend, c, options);
                Tensor host = host_zeros(found.shape(), DType::float64);
                backend->download(found.view(), host);
                expect_close(host, expected, 1e-5, choice.name);
            }
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

TEST(InverseDistances, OfH1AreSharesOfTheLengthOfTheGridAndOfOthersInMetres) {
    const auto found = [](double stretch, const LossOptions& options) {
        DatasetContent content = sample_content();
        for (auto* edges_of_axis : {&content.r_edges, &content.z_edges}) {
            std::ranges::for_each(*edges_of_axis, [=](double& edge) { edge *= stretch; });
        }
        return inverse_distances_of(Dataset(views_of(content)), options);
    };
    const std::vector<std::vector<double>> once = found(1.0, h1), twice = found(2.0, h1);
    ASSERT_EQ(once.size(), 2u);
    for (std::size_t axis = 0; axis < 2; ++axis) {
        ASSERT_EQ(once[axis].size(), axis == 0 ? 4u : 5u) << "z, then r";
        for (std::size_t i = 0; i < once[axis].size(); ++i) {
            EXPECT_NEAR(once[axis][i], twice[axis][i], 1e-12 * once[axis][i]);
        }
        EXPECT_GT(once[axis][1], 1.0 / static_cast<double>(once[axis].size()));
    }
    const std::vector<std::vector<double>> metres = found(1.0, {0.5}), longer = found(2.0, {0.5});
    ASSERT_EQ(metres.size(), 1u);
    EXPECT_DOUBLE_EQ(metres[0][1], 2.0 * longer[0][1]);
}

TEST(Loss, TakesTheAxesOfSpaceBeforeTheLastAsOne) {
    const auto oracle = make_oracle_backend();
    Comparison flat(*oracle, 2);
    const std::vector<double> expected = losses(*oracle, flat, 0.5);
    const Shape deep{2, rows, 1, columns, steps, fields};
    LossTarget target{Tensor(oracle->memory(), deep, DType::float64),
                      Tensor(oracle->memory(), {2, rows, 1, columns}, DType::float64),
                      {flat.inverse_distance.view()}};
    oracle->add(1.0, std::as_const(flat.target.fields).view().reshaped(deep), {target.fields.view()});
    oracle->add(1.0, std::as_const(flat.target.active).view().reshaped({2, rows, 1, columns}), {target.active.view()});
    EXPECT_EQ(field_losses(*oracle, std::as_const(flat.prediction).view().reshaped(deep), target, {0.5}), expected);
}

}  // namespace
}  // namespace plumecast::testing
