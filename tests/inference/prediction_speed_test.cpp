
#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include <plumecast/reservoir/dataset/dataset.hpp>

#include "inference/prediction_speed.hpp"
#include "support/samples/tiny_run.hpp"

namespace plumecast::testing {
namespace {

class PredictionSpeedTest : public ::testing::Test {
   protected:
    PredictionSpeedTest() {
        Recipe recipe = tiny_recipe(folder_, "fno");
        recipe.epochs = 1;
        trained(recipe);
        bundle_ = recipe.output + "/best";
    }

    ScratchFolder folder_;
    std::string bundle_;
    std::unique_ptr<Backend> backend_ = make_cpu_backend({.threads = 1});
};

TEST_F(PredictionSpeedTest, TimesTheNetworksAloneAndTheWholeWay) {
    const Predictor predictor(bundle_, *backend_);
    SpeedOptions options;
    options.batch = 2;
    options.rounds = 2;
    std::vector<int> told;
    options.progress = [&](int done, int all) {
        EXPECT_EQ(all, 4);
        told.push_back(done);
    };
    const std::string output = folder_.file("fields.h5");
    const PredictionSpeed speed = measure_prediction(predictor, folder_.file("sample.h5"), output, options);
    EXPECT_EQ(speed.cases, 3);
    EXPECT_GT(speed.compute, 0.0);
    EXPECT_GT(speed.whole, 0.0);
    EXPECT_DOUBLE_EQ(speed.kept_rate(), speed.compute / speed.whole);
    EXPECT_GT(speed.stages.checks, 0.0);
    EXPECT_GT(speed.stages.networks, 0.0);
    EXPECT_GT(speed.stages.judging, 0.0);
    EXPECT_GT(speed.stages.writing, 0.0);
    EXPECT_EQ(told, (std::vector<int>{1, 2, 3, 4}));
    EXPECT_EQ(Dataset(output).cases(), 3);
}

TEST_F(PredictionSpeedTest, TellsWhereTheWholeTimeWent) {
    const Predictor predictor(bundle_, *backend_);
    const PredictionReport report = predictor.predict(folder_.file("sample.h5"), folder_.file("fields.h5"), {});
    EXPECT_NEAR(report.stages.whole(), report.seconds, 1e-9);
    EXPECT_EQ(report.stages.networks, report.compute_seconds);
    EXPECT_GE(report.stages.physics, 0.0);
}

TEST_F(PredictionSpeedTest, EndsWhenAskedTo) {
    const Predictor predictor(bundle_, *backend_);
    SpeedOptions options;
    options.stop_requested = [] { return true; };
    const std::string output = folder_.file("fields.h5");
    EXPECT_THROW(measure_prediction(predictor, folder_.file("sample.h5"), output, options), Interrupted);
    EXPECT_FALSE(std::filesystem::exists(output));
}

}  // namespace
}  // namespace plumecast::testing
