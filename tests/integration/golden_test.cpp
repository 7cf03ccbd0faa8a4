#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <plumecast/training/optimizer.hpp>

#include "integration/golden_case.hpp"
#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/long_tests.hpp"

namespace plumecast::testing {
namespace {

constexpr double tolerance = 1e-5;

std::vector<BackendChoice> places() {
    std::vector<BackendChoice> all = cuda_backends();
    all.push_back({"cpu", "", [] { return make_cpu_backend(); }});
    return all;
}

/// Files of a reference, and where to compute.
using GoldenChoice = std::tuple<std::string, BackendChoice>;

class GoldenTest : public ::testing::TestWithParam<GoldenChoice> {
   protected:
    void SetUp() override {
        const BackendChoice& choice = std::get<BackendChoice>(GetParam());
        backend_ = choice.make();
        if (backend_ == nullptr) {
            GTEST_SKIP() << choice.missing;
        }
        case_.emplace(*backend_, stem());
    }
    const std::string& stem() const { return std::get<std::string>(GetParam()); }
    GoldenCase& golden() { return *case_; }

   private:
    std::unique_ptr<Backend> backend_;
    std::optional<GoldenCase> case_;
};

TEST_P(GoldenTest, ConfigurationIsInferredFromNamesAndShapes) {
    const bool is_ufno = stem() == "ufno_small";
    const NetworkConfig& config = golden().network().config();
    EXPECT_EQ(config.architecture, is_ufno ? "ufno" : "conv_fno");
    EXPECT_EQ(config.width, is_ufno ? 8 : 4);
    EXPECT_EQ(config.channels, is_ufno ? 12 : 5);
    EXPECT_EQ(config.modes, is_ufno ? (std::vector<std::int64_t>{5, 6, 4}) : (std::vector<std::int64_t>{3, 4, 3}));
    EXPECT_EQ(config.fourier_blocks, 3);
    EXPECT_EQ(config.extended_blocks, 3);
}

TEST_P(GoldenTest, EvaluationOutputEqualsPyTorchs) {
    const Tensor output = golden().forward(ExecutionMode::evaluation);
    expect_close(golden().host(output), golden().reference("output_evaluation", output.shape()), tolerance, "output");
}

TEST_P(GoldenTest, PlannedOutputEqualsPyTorchs) {
    const Tensor output = golden().planned();
    expect_close(golden().host(output), golden().reference("output_evaluation", output.shape()), tolerance, "output");
}

TEST_P(GoldenTest, TrainingOutputLossAndBuffersEqualPyTorchs) {
    const Tensor output = golden().forward(ExecutionMode::training);
    expect_close(golden().host(output), golden().reference("output_training", output.shape()), tolerance, "output");
    EXPECT_NEAR(golden().loss_of(output) / golden().reference("adam_losses", {6}).values<double>()[0], 1.0, tolerance);
    golden().forward_backward();
    golden().expect_buffers(tolerance);
}

/// In the reference one of 786,432 hidden values of the projection lies 9e-7 above ReLU's kink, where their root mean
/// square is 4.3: in float32 it may fall on either side, and then some gradients move by up to 7e-5. A bias moved by
/// 5e-6 leaves no doubt; the next value of that unit is 9e-4 away from the kink.
void leave_kink(Network& network) {
    const Parameter& bias = network.parameters().at("projection.first.bias");
    Tensor values = network.parameters().download(bias);
    values.values<float>()[107] += 5e-6F;
    network.parameters().assign(bias.name, values);
}

TEST_P(GoldenTest, GradientsOfTheUntouchedReferenceDifferByNoMoreThanOneKink) {
    golden().forward_backward();
    golden().expect_gradients(1e-4);
}

TEST_P(GoldenTest, GradientsOfInputsAndAllWeightsEqualPyTorchs) {
    if (stem() == "ufno_small") {
        leave_kink(golden().network());
    }
    golden().forward_backward();
    golden().expect_gradients(tolerance);
}

TEST_P(GoldenTest, SixStepsOfAdamLoseWhatPyTorchsLose) {
    const Tensor losses = golden().reference("adam_losses", {6});
    Adam adam(golden().network().parameters(), {});
    for (std::size_t step = 0; step < 6; ++step) {
        EXPECT_NEAR(golden().forward_backward() / losses.values<double>()[step], 1.0, tolerance) << "step " << step;
        adam.step(1e-3);
    }
}

INSTANTIATE_TEST_SUITE_P(Networks, GoldenTest,
                         ::testing::Combine(::testing::Values("ufno_small", "conv_fno_small"),
                                            ::testing::ValuesIn(places())),
                         [](const auto& choice) {
                             return std::get<0>(choice.param) + "_" + std::get<1>(choice.param).name;
                         });

/// What bfloat16 fields may be off, relative: an output (L2) and a loss.
constexpr double narrow_output = 0.02, narrow_loss = 0.01;

class NarrowGoldenTest : public GoldenTest {};

// On the host CUDA's kernels take several seconds a step: two of the six steps there, all in the label long.
TEST_P(NarrowGoldenTest, OutputAndLossesAreNearPyTorchs) {
    const Tensor output = golden().forward(ExecutionMode::evaluation);
    const Tensor right = golden().reference("output_evaluation", output.shape());
    RecordProperty("relative_l2", std::to_string(relative_l2(golden().host(output), right)));
    expect_close(golden().host(output), right, narrow_output, "output");
    expect_close(golden().host(golden().planned()), right, narrow_output, "planned output");
    const Tensor losses = golden().reference("adam_losses", {6});
    Adam adam(golden().network().parameters(), {});
    const bool is_on_host = std::get<BackendChoice>(GetParam()).name == "cuda_kernels_bf16";
    const std::size_t steps = is_on_host && !are_tests_long() ? 2 : 6;
    for (std::size_t step = 0; step < steps; ++step) {
        EXPECT_NEAR(golden().forward_backward() / losses.values<double>()[step], 1.0, narrow_loss) << "step " << step;
        adam.step(1e-3);
    }
}

INSTANTIATE_TEST_SUITE_P(Networks, NarrowGoldenTest,
                         ::testing::Combine(::testing::Values("ufno_small", "conv_fno_small"),
                                            ::testing::ValuesIn(bfloat16_backends())),
                         [](const auto& choice) {
                             return std::get<0>(choice.param) + "_" + std::get<1>(choice.param).name;
                         });

}  // namespace
}  // namespace plumecast::testing
