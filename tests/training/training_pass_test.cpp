#include "training/training_pass.hpp"
#include "inference/explained_network.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "support/comparison.hpp"
#include "support/op_check.hpp"
#include "support/oracle_backend.hpp"
#include "support/samples/network_pass.hpp"
#include "support/samples/tiny_run.hpp"
#include "training/trained_network.hpp"

namespace plumecast::testing {
namespace {

const Shape radial_grid{4, 5, 3}, cartesian_grid{3, 4, 5, 2};

/// The loss of some batches together as a sum of passes, and the derivatives along random directions of all weights
/// that move, by gradients and by differences.
class Descent {
   public:
    Descent(const NetworkDescription& description, const std::vector<std::string>& frozen = {})
        : trained_(make_oracle_backend(), description, frozen) {}

    double loss(const std::vector<Batch>& batches) {
        std::int64_t cases = 0;
        for (const Batch& batch : batches) {
            cases += static_cast<std::int64_t>(batch.cases.size());
        }
        double sum = 0.0;
        for (const Batch& batch : batches) {
            trained_.run(batch, cases);
            sum += trained_.losses().back();
        }
        return sum;
    }
    /// The gradients that the passes left, which are then forgotten.
    std::map<std::string, Tensor> take_gradients() {
        std::map<std::string, Tensor> found;
        for (const Parameter& parameter : parameters().all()) {
            if (parameter.weight.has_gradient()) {
                found.emplace(parameter.name, converted(parameter.weight.gradient(), DType::float64));
                parameter.weight.clear_gradient();
            }
        }
        return found;
    }
    void move(const std::map<std::string, Tensor>& direction, double step) {
        for (const auto& [name, values] : direction) {
            trained_.backend().add(step, values.view(), {parameters().at(name).weight.mutable_value(), 1.0});
        }
    }
    const Parameters& parameters() const { return trained_.network().parameters(); }

   private:
    TrainedNetwork trained_;
};

void expect_derivatives(const NetworkDescription& description, const std::vector<Batch>& batches,
                        const std::vector<std::string>& frozen = {}) {
    Descent descent(description, frozen);
    descent.loss(batches);
    const std::map<std::string, Tensor> found = descent.take_gradients();
    std::size_t moving = 0;
    for (const Parameter& parameter : descent.parameters().all()) {
        moving += parameter.moves() ? 1 : 0;
        EXPECT_EQ(found.contains(parameter.name), parameter.moves()) << parameter.name;
    }
    ASSERT_GT(moving, 0U);
    for (const char* which : {"first", "second"}) {
        std::map<std::string, Tensor> direction;
        double expected = 0.0;
        for (const auto& [name, gradient] : found) {
            direction.emplace(name, random_tensor(gradient.shape(), DType::float64, which + name));
            expected += dot(gradient, direction.at(name));
        }
        const auto at = [&](double step) {
            descent.move(direction, step);
            const double loss = descent.loss(batches);
            descent.move(direction, -step);
            descent.take_gradients();
            return loss;
        };
        // Shorter than the way to the next bend of a ReLU, where there are some.
        const double step = description.network.architecture == "cnn" ? 1e-9 : 1e-6;
        const double differences = (at(step) - at(-step)) / (2.0 * step);
        EXPECT_NEAR(expected, differences, 1e-6 * std::abs(differences)) << which << " direction";
    }
}

NetworkDescription with_slopes(NetworkDescription network, Activation::Kind kind = Activation::Kind::tanh) {
    network.network.residual_blocks = 1;
    network.network.activation = {kind};
    return network;
}

class TrainingPassTest : public ::testing::TestWithParam<std::string> {};

TEST_P(TrainingPassTest, GivesTheSameBitsWhereBlocksAreComputedAgain) {
    for (const bool is_radial : {true, false}) {
        const NetworkDescription network = is_radial ? tiny_network(GetParam()) : tiny_network_3d(GetParam());
        const Shape& grid = is_radial ? radial_grid : cartesian_grid;
        TrainedNetwork keeping(make_oracle_backend(), network);
        for (const int blocks : {1, 2}) {
            TrainedNetwork recomputing(make_oracle_backend(), network, {}, nullptr, blocks);
            for (const char* batch : {"first", "second"}) {
                if (blocks == 1) {
                    keeping.run(random_cases(network, grid, batch));
                }
                recomputing.run(random_cases(network, grid, batch));
            }
            recomputing.expect_same(keeping, 0.0);
        }
    }
}

TEST_P(TrainingPassTest, HasTheDerivativesOfItsLoss) {
    for (const bool is_radial : {true, false}) {
        const NetworkDescription network =
            with_slopes(is_radial ? tiny_network(GetParam()) : tiny_network_3d(GetParam()));
        std::vector<Batch> batches;
        batches.push_back(random_cases(network, is_radial ? radial_grid : cartesian_grid, "one"));
        expect_derivatives(network, batches);
    }
}

TEST_P(TrainingPassTest, IsNearTheOracleInSinglePrecisionAndIn16Bits) {
    const NetworkDescription network = tiny_network(GetParam());
    const Batch batch = random_cases(network, radial_grid, "one");
    TrainedNetwork judge(make_oracle_backend(), network);
    judge.run(batch);
    const double rounded = GetParam() == "cnn" ? 0.2 : 0.1;  // the rounding of 17 layers moves some cells across 0
    for (const auto& [precision, tolerance] : {std::pair{Precision::fp32, 1e-5}, std::pair{Precision::bf16, rounded}}) {
        TrainedNetwork tried(make_cpu_backend({.threads = 1, .precision = precision}), network);
        tried.run(batch);
        tried.expect_same(judge, tolerance);
    }
}

INSTANTIATE_TEST_SUITE_P(Architectures, TrainingPassTest, ::testing::Values("fno", "conv_fno", "ufno", "cnn"),
                         [](const auto& name) { return name.param; });

TEST(TrainingPass, AddsTheGradientsOfTheBatchesOfAStep) {
    const NetworkDescription network = with_slopes(tiny_network("ufno"));
    std::vector<Batch> batches;
    for (const char* seed : {"one", "two", "three"}) {
        batches.push_back(random_cases(network, radial_grid, seed));
    }
    expect_derivatives(network, batches);
}

TEST(TrainingPass, LeavesFrozenLayersAndTheirStatistics) {
    const NetworkDescription network = with_slopes(tiny_network("ufno"));
    for (const std::vector<std::string>& frozen :
         {std::vector<std::string>{"lift"}, {"lift", "blocks.1.unet"}, {"lift", "blocks"}}) {
        std::vector<Batch> batches;
        batches.push_back(random_cases(network, radial_grid, "one"));
        expect_derivatives(network, batches, frozen);
        TrainedNetwork trained(make_oracle_backend(), network, frozen);
        const auto statistics = [&] {
            std::vector<double> all;
            for (const Parameter& parameter : trained.network().parameters().all()) {
                if (parameter.name.starts_with("blocks.1.unet") && !parameter.trainable) {
                    const std::vector<double> own = as_double(parameter.weight.value());
                    all.insert(all.end(), own.begin(), own.end());
                }
            }
            return all;
        };
        const std::vector<double> before = statistics();
        ASSERT_FALSE(before.empty());
        trained.run(batches.front());
        EXPECT_EQ(statistics() == before, frozen.size() > 1);
    }
}

TEST(TrainingPass, TakesTheLossOfCorrectedPhysicsAndOfSmoothActivations) {
    for (const Activation::Kind kind : {Activation::Kind::tanh, Activation::Kind::gelu}) {
        const NetworkDescription network = with_slopes(tiny_guided_network("ufno"), kind);
        std::vector<Batch> batches;
        batches.push_back(random_cases(network, radial_grid, "one"));
        expect_derivatives(network, batches);
    }
}

TEST(TrainingPass, HasTheLossOfWhatTheDescriptionSays) {
    const NetworkDescription network = tiny_network("fno");  // whose fields in training are those in evaluation
    TrainedNetwork trained(make_oracle_backend(), network);
    const Batch batch = random_cases(network, radial_grid, "one");
    const Tensor fields = described_fields(trained.network(), batch);
    const double expected = trained.loss_of(fields, batch);
    trained.run(batch);
    EXPECT_NEAR(trained.losses().back(), expected, 1e-13);
}

TEST(TrainingPass, ExplainsItsOps) {
    const NetworkDescription description = tiny_network("ufno");
    TrainedNetwork trained(make_cpu_backend({.threads = 1}), description);
    const auto operations = [](const std::vector<ExplainedOp>& ops) {
        return std::accumulate(ops.begin(), ops.end(), 0.0,
                               [](double sum, const ExplainedOp& op) { return sum + op.work.operations; });
    };
    const double step = operations(trained.explain(random_cases(description, radial_grid, "one")));
    const double forward = operations(explain_network(trained.network(), radial_grid, 2, 1).ops);
    EXPECT_GT(step, 2.5 * forward);  // forward, and a product for each of two gradients
    EXPECT_LT(step, 4.0 * forward);
}

}  // namespace
}  // namespace plumecast::testing
