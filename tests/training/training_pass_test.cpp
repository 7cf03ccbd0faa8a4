#include "training/training_pass.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "support/comparison.hpp"
#include "support/oracle_backend.hpp"
#include "support/samples/tiny_run.hpp"
#include "training/trained_network.hpp"

namespace plumecast::testing {
namespace {

/// A network, and what its training passes leave: losses, gradients and running statistics.
class Trained {
   public:
    Trained(std::unique_ptr<Backend> backend, const NetworkDescription& description,
            const std::vector<std::string>& frozen = {})
        : backend_(std::move(backend)), network_(*backend_, description, 5) {
        network_.parameters().freeze(frozen);
    }
    /// By the plan of a training graph, or by layers and tape. `cases` counts those of the step.
    void run(const Batch& batch, bool by_plan, std::int64_t cases = 2) {
        const Tensor distances =
            on_backend(random_tensor({batch.active.shape()[-1]}, DType::float64, "distances", 0.3));
        const LossTarget target{on_backend(batch.targets), on_backend(batch.active), distances, nullptr, cases};
        if (by_plan) {
            TrainingPass pass(network_, {});
            StartedLoss loss = pass.run(batch, target);
            losses_.push_back(loss.wait().value);
            return;
        }
        const Variable prediction = network_.forward(batch, ExecutionMode::training);
        Loss loss = relative_l2_loss(prediction, target, {}, true);
        backward(prediction, std::move(loss.gradient));
        losses_.push_back(loss.value);
    }
    /// Loss, all gradients together and all statistics together as those of another network, to a relative tolerance.
    void expect_same(const Trained& other, double tolerance) const {
        ASSERT_EQ(losses_.size(), other.losses_.size());
        for (std::size_t k = 0; k < losses_.size(); ++k) {
            EXPECT_NEAR(losses_[k], other.losses_[k], tolerance * other.losses_[k]);
        }
        std::vector<double> own, expected;
        for (const bool of_gradients : {true, false}) {
            for (const Parameter& parameter : network_.parameters().all()) {
                const Variable& theirs = other.network_.parameters().at(parameter.name).variable;
                ASSERT_EQ(parameter.variable.has_gradient(), theirs.has_gradient()) << parameter.name;
                if (parameter.variable.has_gradient() == of_gradients) {
                    append(own, of_gradients ? parameter.variable.gradient() : parameter.variable.value());
                    append(expected, of_gradients ? theirs.gradient() : theirs.value());
                }
            }
            const auto count = static_cast<std::int64_t>(own.size());
            ASSERT_TRUE(count > 0 || !of_gradients);
            expect_close(host_tensor<double>({count}, own), host_tensor<double>({count}, expected), tolerance,
                         of_gradients ? "gradients" : "statistics");
            own.clear();
            expected.clear();
        }
    }

   private:
    Tensor on_backend(ConstView host) const {
        Tensor tensor(backend_->memory(), host.shape, backend_->compute_type());
        backend_->upload(host, tensor);
        return tensor;
    }
    static void append(std::vector<double>& all, ConstView values) {
        const Tensor wide = converted(values, DType::float64);
        all.insert(all.end(), wide.values<double>().begin(), wide.values<double>().end());
    }

    std::unique_ptr<Backend> backend_;
    FieldNetwork network_;
    std::vector<double> losses_;
};

const Shape radial_grid{4, 5, 3}, cartesian_grid{3, 4, 5, 2};

class TrainingPassTest : public ::testing::TestWithParam<std::string> {};

TEST_P(TrainingPassTest, IsThatOfTheLayersInDoublePrecision) {
    for (const bool is_radial : {true, false}) {
        NetworkDescription network = is_radial ? tiny_network(GetParam()) : tiny_network_3d(GetParam());
        network.network.residual_blocks = 1;
        const Batch batch = random_cases(network, is_radial ? radial_grid : cartesian_grid, "one");
        Trained planned(make_oracle_backend(), network), taped(make_oracle_backend(), network);
        planned.run(batch, true);
        taped.run(batch, false);
        planned.expect_same(taped, 1e-11);
    }
}

TEST_P(TrainingPassTest, IsThatOfTheLayersInSinglePrecisionAndIn16Bits) {
    const NetworkDescription network = tiny_network(GetParam());
    const Batch batch = random_cases(network, radial_grid, "one");
    for (const auto& [precision, tolerance] : {std::pair{Precision::fp32, 1e-5}, std::pair{Precision::bf16, 0.05}}) {
        const CpuOptions options{.threads = 1, .precision = precision};
        Trained planned(make_cpu_backend(options), network), taped(make_cpu_backend(options), network);
        planned.run(batch, true);
        taped.run(batch, false);
        planned.expect_same(taped, tolerance);
    }
}

INSTANTIATE_TEST_SUITE_P(Architectures, TrainingPassTest, ::testing::Values("fno", "conv_fno", "ufno", "cnn"),
                         [](const auto& name) { return name.param; });

TEST(TrainingPass, AddsTheGradientsOfTheBatchesOfAStep) {
    const NetworkDescription network = tiny_network("ufno");
    Trained planned(make_oracle_backend(), network), taped(make_oracle_backend(), network);
    for (const std::string seed : {"one", "two", "three"}) {
        const Batch batch = random_cases(network, radial_grid, seed);
        planned.run(batch, true, 6);
        taped.run(batch, false, 6);
    }
    planned.expect_same(taped, 1e-11);
}

TEST(TrainingPass, LeavesFrozenLayersAndTheirStatistics) {
    const NetworkDescription network = tiny_network("ufno");
    const Batch batch = random_cases(network, radial_grid, "one");
    for (const std::vector<std::string>& frozen :
         {std::vector<std::string>{"lift"}, {"lift", "blocks.1.unet"}, {"lift", "blocks"}}) {
        Trained planned(make_oracle_backend(), network, frozen), taped(make_oracle_backend(), network, frozen);
        planned.run(batch, true);
        taped.run(batch, false);
        planned.expect_same(taped, 1e-11);
    }
}

TEST(TrainingPass, TakesTheLossOfCorrectedPhysicsAndOfSmoothActivations) {
    NetworkDescription network = tiny_guided_network("ufno");
    for (const Activation activation : {Activation::relu(), Activation{Activation::Kind::gelu}}) {
        network.network.activation = activation;
        const Batch batch = random_cases(network, radial_grid, "one");
        Trained planned(make_oracle_backend(), network), taped(make_oracle_backend(), network);
        planned.run(batch, true);
        taped.run(batch, false);
        planned.expect_same(taped, 1e-11);
    }
}

}  // namespace
}  // namespace plumecast::testing
