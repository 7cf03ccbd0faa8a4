#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "bindings/c_model.hpp"
#include "support/samples/recorded_model.hpp"

namespace plumecast::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Arrays of C by name; what they name must outlive it.
class NamedList {
   public:
    void add(const std::string& name, const void* data, ElementType type, std::vector<std::int64_t> extents) {
        names_.push_back(std::make_unique<std::string>(name));
        extents_.push_back(std::make_unique<std::vector<std::int64_t>>(std::move(extents)));
        list_.push_back({names_.back()->c_str(), c_array(data, type, *extents_.back())});
    }
    const plumecast_named* data() const { return list_.data(); }
    std::size_t size() const { return list_.size(); }

   private:
    std::vector<std::unique_ptr<std::string>> names_;
    std::vector<std::unique_ptr<std::vector<std::int64_t>>> extents_;
    std::vector<plumecast_named> list_;
};

/// A model with gradients, and its cases, behind the C face.
class CGradientsTest : public ::testing::Test {
   protected:
    CGradientsTest() {
        plumecast_model_load(device_, sample_.path().c_str(), &model_);
        cases_ = CModel::cases_of(sample_.content());
        for (const auto& [name, view] : weights_of_) {
            weights_.add(name, view.data, view.type, view.extents);
        }
    }
    ~CGradientsTest() override {
        plumecast_recording_release(recording_);
        release_handles();
    }

    void release_handles() {
        plumecast_cases_release(cases_);
        plumecast_model_release(model_);
        plumecast_device_release(device_);
        cases_ = nullptr;
        model_ = nullptr;
        device_ = nullptr;
    }
    plumecast_status record(const plumecast_options* options = nullptr) {
        plumecast_recording_release(recording_);
        return plumecast_record(model_, cases_, nullptr, 0, options, &recording_);
    }
    plumecast_status pull_back(const NamedList& gradients) {
        return plumecast_pull_back(recording_, weights_.data(), weights_.size(), gradients.data(), gradients.size());
    }
    NamedList permeability(std::vector<double>& values) {
        values.assign(60, -7.0);
        NamedList list;
        list.add("permeability_r", values.data(), ElementType::float64, {3, 4, 5});
        return list;
    }

    RecordedModel sample_ = RecordedModel::radial();
    FieldCotangents weights_of_ = sample_.weights();
    NamedList weights_;
    plumecast_device* device_ = open_cpu();
    plumecast_model* model_ = nullptr;
    plumecast_cases* cases_ = nullptr;
    plumecast_recording* recording_ = nullptr;
};

TEST_F(CGradientsTest, GivesThoseOfCppAfterTheHandlesAreReleased) {
    plumecast_options options{};
    options.size = sizeof options;
    options.batch = 2;
    options.limits = PLUMECAST_LIMITS_LEAVE_OUT;
    ASSERT_EQ(record(&options), PLUMECAST_OK) << plumecast_last_error();
    release_handles();
    std::vector<double> values;
    ASSERT_EQ(pull_back(permeability(values)), PLUMECAST_OK) << plumecast_last_error();
    const auto backend = make_cpu_backend({.threads = 1});
    EXPECT_EQ(values, sample_.gradients(Predictor(sample_.path(), *backend), Limits::leave_out).at("permeability_r"));
}

TEST_F(CGradientsTest, GivesSeriesAndThoseByTheirWeights) {
    ASSERT_EQ(record(), PLUMECAST_OK) << plumecast_last_error();
    std::vector<double> series(9, -7.0);
    EXPECT_EQ(plumecast_recorded_series(recording_, "mass_free", series.data(), 8), PLUMECAST_INVALID_INPUT);
    EXPECT_THAT(plumecast_last_error(), HasSubstr("room for 8 values of mass_free"));
    EXPECT_EQ(plumecast_recorded_series(recording_, "mass", series.data(), 9), PLUMECAST_INVALID_INPUT);
    ASSERT_EQ(plumecast_recorded_series(recording_, "bottom_hole_pressure", series.data(), 9), PLUMECAST_OK)
        << plumecast_last_error();
    const auto backend = make_cpu_backend({.threads = 1});
    const Predictor predictor(sample_.path(), *backend);
    Recording expected = predictor.record(views_of(sample_.content()), {});
    EXPECT_EQ(series, expected.series("bottom_hole_pressure"));
    const std::vector<double> ones(9, 1.0);
    weights_ = NamedList();
    weights_.add("bottom_hole_pressure", ones.data(), ElementType::float64, {3, 3});
    std::vector<double> values, of_cpp(60);
    ASSERT_EQ(pull_back(permeability(values)), PLUMECAST_OK) << plumecast_last_error();
    expected.pull_back({{"bottom_hole_pressure", view_of(ones.data(), {3, 3}, "")}},
                       {{"permeability_r", output_to(of_cpp.data(), {3, 4, 5})}});
    EXPECT_EQ(values, of_cpp);
    EXPECT_EQ(plumecast_recorded_series(recording_, "mass_free", series.data(), 9), PLUMECAST_INVALID_INPUT);
}

TEST_F(CGradientsTest, TellsStepsThatWereRetakenAfterThePullBack) {
    ASSERT_EQ(record(), PLUMECAST_OK) << plumecast_last_error();
    std::vector<std::int64_t> steps(3, -7);
    EXPECT_EQ(plumecast_retaken_steps(recording_, steps.data(), 3), PLUMECAST_INVALID_INPUT);
    EXPECT_THAT(plumecast_last_error(), HasSubstr("was not pulled back yet"));
    std::vector<double> values;
    ASSERT_EQ(pull_back(permeability(values)), PLUMECAST_OK) << plumecast_last_error();
    EXPECT_EQ(plumecast_retaken_steps(recording_, steps.data(), 2), PLUMECAST_INVALID_INPUT);
    EXPECT_THAT(plumecast_last_error(), HasSubstr("room for 2 numbers of steps (the recording has 3 cases)"));
    ASSERT_EQ(plumecast_retaken_steps(recording_, steps.data(), 3), PLUMECAST_OK);
    EXPECT_EQ(steps, std::vector<std::int64_t>(3, 0));
}

TEST_F(CGradientsTest, TakesTheDefaultOfLimitsFromAnOlderStruct) {
    plumecast_options options{};
    options.size = offsetof(plumecast_options, limits);
    options.batch = 2;
    options.limits = PLUMECAST_LIMITS_LEAVE_OUT;  // behind the end of what the caller knows
    ASSERT_EQ(record(&options), PLUMECAST_OK) << plumecast_last_error();
    std::vector<double> values;
    ASSERT_EQ(pull_back(permeability(values)), PLUMECAST_OK) << plumecast_last_error();
    const auto backend = make_cpu_backend({.threads = 1});
    EXPECT_EQ(values, sample_.gradients(Predictor(sample_.path(), *backend), Limits::apply).at("permeability_r"));
    options.size = sizeof options;
    options.limits = 7;
    EXPECT_EQ(record(&options), PLUMECAST_INVALID_INPUT);
    EXPECT_THAT(plumecast_last_error(), HasSubstr("limits is 7 (0 applies them, 1 leaves them out)"));
}

TEST_F(CGradientsTest, WritesTheFieldsThatAreAskedFor) {
    std::vector<float> recorded(180, -7.0F), predicted(180, -8.0F);
    NamedList outputs, expected;
    outputs.add("gas_saturation", recorded.data(), ElementType::float32, {3, 3, 4, 5});
    expected.add("gas_saturation", predicted.data(), ElementType::float32, {3, 3, 4, 5});
    ASSERT_EQ(plumecast_record(model_, cases_, outputs.data(), 1, nullptr, &recording_), PLUMECAST_OK);
    ASSERT_EQ(plumecast_predict(model_, cases_, expected.data(), 1, nullptr), PLUMECAST_OK);
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        EXPECT_TRUE(std::abs(recorded[i] - predicted[i]) < 1e-5F ||
                    (recorded[i] != recorded[i] && predicted[i] != predicted[i]));
    }
}

TEST_F(CGradientsTest, RefusesASecondPullBackAndNulls) {
    ASSERT_EQ(record(), PLUMECAST_OK);
    std::vector<double> values;
    const NamedList gradients = permeability(values);
    EXPECT_EQ(plumecast_pull_back(nullptr, weights_.data(), 1, gradients.data(), 1), PLUMECAST_INVALID_INPUT);
    EXPECT_EQ(plumecast_pull_back(recording_, nullptr, 1, gradients.data(), 1), PLUMECAST_INVALID_INPUT);
    EXPECT_EQ(plumecast_pull_back(recording_, weights_.data(), 1, nullptr, 1), PLUMECAST_INVALID_INPUT);
    EXPECT_EQ(plumecast_pull_back(recording_, weights_.data(), 0, gradients.data(), 1), PLUMECAST_INVALID_INPUT);
    EXPECT_EQ(plumecast_pull_back(recording_, weights_.data(), 1, gradients.data(), 0), PLUMECAST_INVALID_INPUT);
    EXPECT_EQ(pull_back(gradients), PLUMECAST_OK) << plumecast_last_error();
    EXPECT_EQ(pull_back(gradients), PLUMECAST_INVALID_INPUT);
    EXPECT_THAT(plumecast_last_error(), HasSubstr("was pulled back before"));
    plumecast_recording* none = nullptr;
    EXPECT_EQ(plumecast_record(nullptr, cases_, nullptr, 0, nullptr, &none), PLUMECAST_INVALID_INPUT);
    EXPECT_EQ(plumecast_record(model_, nullptr, nullptr, 0, nullptr, &none), PLUMECAST_INVALID_INPUT);
    EXPECT_EQ(plumecast_record(model_, cases_, nullptr, 0, nullptr, nullptr), PLUMECAST_INVALID_INPUT);
    EXPECT_EQ(plumecast_record(model_, cases_, nullptr, 1, nullptr, &none), PLUMECAST_INVALID_INPUT);
    plumecast_recording_release(nullptr);
}

TEST(CGradientsOfTwoPhases, AreThoseOfCpp) {
    const RecordedModel sample(tiny_guided_network("fno"), guided_content());
    plumecast_device* device = open_cpu();
    plumecast_model* model = nullptr;
    ASSERT_EQ(plumecast_model_load(device, sample.path().c_str(), &model), PLUMECAST_OK) << plumecast_last_error();
    plumecast_cases* cases = CModel::cases_of(sample.content());
    const FieldCotangents weights_of = sample.weights();
    NamedList weights, gradients;
    for (const auto& [name, view] : weights_of) {
        weights.add(name, view.data, view.type, view.extents);
    }
    std::vector<double> rates(3);
    gradients.add("injection_rate", rates.data(), ElementType::float64, {3});
    plumecast_recording* recording = nullptr;
    ASSERT_EQ(plumecast_record(model, cases, nullptr, 0, nullptr, &recording), PLUMECAST_OK) << plumecast_last_error();
    EXPECT_EQ(plumecast_pull_back(recording, weights.data(), weights.size(), gradients.data(), gradients.size()),
              PLUMECAST_OK)
        << plumecast_last_error();
    plumecast_recording_release(recording);
    plumecast_cases_release(cases);
    plumecast_model_release(model);
    plumecast_device_release(device);
    const auto backend = make_cpu_backend({.threads = 1});
    const auto expected = sample.gradients(Predictor(sample.path(), *backend), Limits::apply);
    for (std::size_t which = 0; which < rates.size(); ++which) {
        EXPECT_NEAR(rates[which], expected.at("injection_rate")[which], 1e-5 * std::abs(rates[which]));
    }
}

}  // namespace
}  // namespace plumecast::testing
