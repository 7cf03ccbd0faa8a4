#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <plumecast/inference/bundle.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "bindings/c_model.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

/// Of a map of a plane alone to a field over times.
NetworkDescription plane_network() {
    NetworkDescription description = tiny_network("fno");
    Channel map = make_channel("map", "/inputs/map", Transform::log, 0.1, 0.7);
    map.unit = "m";
    description.channels = {map};
    description.fields = {Field{"u", "K", 0.5, 2.0}};
    description.network.channels = description.network.fields = 1;
    description.network.modes = {2, 2, 2};
    description.network.activation = {Activation::Kind::gelu};
    return description;
}

/// Two cases of 4 x 5 points at three times, as arrays of C and of C++.
class CGeneric : public ::testing::Test {
   protected:
    CGeneric() {
        write_tiny_model(folder_.file("model"), *make_cpu_backend({.threads = 1}), plane_network());
        for (std::size_t i = 0; i < map_.size(); ++i) {
            map_[i] = 1.0F + 0.5F * std::sin(static_cast<float>(i));
        }
        plumecast_model_load(device_, folder_.file("model").c_str(), &model_);
        plumecast_cases_create_generic("y,x", &cases_);
        set("/inputs/map", "m", map_.data(), ElementType::float32, {2, 4, 5});
        set("times", "s", times_.data(), ElementType::float64, {3});
    }
    ~CGeneric() override {
        plumecast_cases_release(cases_);
        plumecast_model_release(model_);
        plumecast_device_release(device_);
    }

    plumecast_status set(const char* name, const char* unit, const void* data, ElementType type,
                         std::vector<std::int64_t> extents) {
        const plumecast_array array = c_array(data, type, extents);
        return plumecast_cases_set(cases_, name, unit, &array);
    }
    std::vector<float> predicted(const plumecast_cases* cases) const {
        std::vector<float> found(120, -7.0F);
        std::vector<std::int64_t> extents = {2, 3, 4, 5};
        const plumecast_named output{"u", c_array(found.data(), ElementType::float32, extents)};
        EXPECT_EQ(plumecast_predict(model_, cases, &output, 1, nullptr), PLUMECAST_OK) << plumecast_last_error();
        return found;
    }
    MemoryCases views() const {
        MemoryCases cases;
        cases.arrays["/inputs/map"] = view_of(map_.data(), {2, 4, 5}, "m");
        cases.arrays["times"] = view_of(times_.data(), {3}, "s");
        cases.attributes = {{"geometry", "generic"}, {"axes", "y,x"}};
        return cases;
    }

    ScratchFolder folder_;
    std::vector<float> map_ = std::vector<float>(40);
    std::vector<double> times_ = {1.0, 2.0, 4.0};
    plumecast_device* device_ = open_cpu();
    plumecast_model* model_ = nullptr;
    plumecast_cases* cases_ = nullptr;
};

TEST_F(CGeneric, PredictsTheBitsOfTheLibraryFromAMapThatKnowsNoTime) {
    std::vector<float> found(120, -7.0F), expected(120, -8.0F);
    std::vector<std::int64_t> extents = {2, 3, 4, 5};
    const plumecast_named output{"u", c_array(found.data(), ElementType::float32, extents)};
    ASSERT_EQ(plumecast_cases_check(cases_, nullptr), PLUMECAST_OK) << plumecast_last_error();
    ASSERT_EQ(plumecast_predict(model_, cases_, &output, 1, nullptr), PLUMECAST_OK) << plumecast_last_error();
    const auto backend = make_cpu_backend({.threads = 1});
    const Predictor predictor(folder_.file("model"), *backend);
    predictor.predict(PredictionInput(views()), PredictedArrays{{{"u", output_to(expected.data(), extents)}}}, {});
    EXPECT_EQ(found, expected);
    EXPECT_NE(found[0], found[1]) << "at another point";
}

TEST_F(CGeneric, GivesGradientsOfTheShapeOfTheInput) {
    std::vector<float> weights(120, 1.0F);
    std::vector<double> slopes(40, -7.0);
    std::vector<std::int64_t> of_field = {2, 3, 4, 5}, of_map = {2, 4, 5};
    plumecast_recording* recording = nullptr;
    ASSERT_EQ(plumecast_record(model_, cases_, nullptr, 0, nullptr, &recording), PLUMECAST_OK)
        << plumecast_last_error();
    const plumecast_named weight{"u", c_array(weights.data(), ElementType::float32, of_field)};
    const plumecast_named slope{"/inputs/map", c_array(slopes.data(), ElementType::float64, of_map)};
    EXPECT_EQ(plumecast_pull_back(recording, &weight, 1, &slope, 1), PLUMECAST_OK) << plumecast_last_error();
    plumecast_recording_release(recording);
    const auto sum = [&] {
        std::vector<float> found(120);
        const plumecast_named output{"u", c_array(found.data(), ElementType::float32, of_field)};
        EXPECT_EQ(plumecast_predict(model_, cases_, &output, 1, nullptr), PLUMECAST_OK) << plumecast_last_error();
        return std::accumulate(found.begin(), found.end(), 0.0);
    };
    const float kept = map_[7];
    map_[7] = kept + 0.0625F;
    const double above = sum();
    map_[7] = kept - 0.0625F;
    const double difference = (above - sum()) / 0.125;
    EXPECT_NEAR(slopes[7], difference, 2e-2 * std::abs(difference) + 1e-4);
    EXPECT_GT(std::abs(slopes[7]), 1e-4);
}

TEST_F(CGeneric, TellsExtentsInputsAndFields) {
    plumecast_cases_extents extents{};
    extents.size = sizeof extents;
    ASSERT_EQ(plumecast_cases_info(cases_, &extents), PLUMECAST_OK) << plumecast_last_error();
    EXPECT_EQ(extents.cases, 2);
    EXPECT_EQ(extents.times, 3);
    EXPECT_EQ(extents.rows, 4);
    EXPECT_EQ(extents.lines, 0);
    EXPECT_EQ(extents.columns, 5);
    EXPECT_EQ(extents.axes, 2);
    EXPECT_EQ(extents.timed, 1);
    EXPECT_EQ(extents.cartesian, 0);
    plumecast_quantity quantity{};
    quantity.size = sizeof quantity;
    ASSERT_EQ(plumecast_model_input(model_, 0, &quantity), PLUMECAST_OK) << plumecast_last_error();
    EXPECT_STREQ(quantity.name, "/inputs/map");
    EXPECT_STREQ(quantity.unit, "m");
    EXPECT_STREQ(quantity.axes, "");
    ASSERT_EQ(plumecast_model_field(model_, 0, &quantity), PLUMECAST_OK) << plumecast_last_error();
    EXPECT_STREQ(quantity.name, "u");
    EXPECT_STREQ(quantity.unit, "K");
}

TEST_F(CGeneric, AreWrittenAsAFileThatPredictsTheSame) {
    const std::string path = folder_.file("plane.h5");
    ASSERT_EQ(plumecast_cases_write(cases_, path.c_str()), PLUMECAST_OK) << plumecast_last_error();
    plumecast_cases* file = nullptr;
    ASSERT_EQ(plumecast_cases_open(path.c_str(), &file), PLUMECAST_OK) << plumecast_last_error();
    EXPECT_EQ(plumecast_cases_check(file, nullptr), PLUMECAST_OK) << plumecast_last_error();
    EXPECT_EQ(predicted(file), predicted(cases_));
    plumecast_cases_release(file);
}

TEST_F(CGeneric, ArePredictedIntoAResultFileThatHoldsTheirInputs) {
    const std::string path = folder_.file("fields.h5");
    ASSERT_EQ(plumecast_predict_file(model_, cases_, path.c_str(), nullptr), PLUMECAST_OK) << plumecast_last_error();
    const Dataset result(path);
    std::vector<float> map(40), u(120);
    result.read_map("/inputs/map", std::vector<std::int64_t>{0, 1}, map);
    result.read_output("u", std::vector<std::int64_t>{0, 1}, u);
    EXPECT_EQ(map, map_);
    EXPECT_EQ(u, predicted(cases_));
    EXPECT_EQ(result.find("u")->unit, "K");
    EXPECT_EQ(result.find("times")->unit, "s");
}

TEST_F(CGeneric, TrainAModelAsAFileOfThemDoes) {
    std::vector<float> u(120);
    for (std::size_t i = 0; i < u.size(); ++i) {
        u[i] = 2.0F * map_[i / 60 * 20 + i % 20];
    }
    set("/outputs/u", "K", u.data(), ElementType::float32, {2, 3, 4, 5});
    Recipe recipe = tiny_recipe(folder_, "fno");
    recipe.network = plane_network();
    recipe.loss.derivative_weight = 0.0;
    recipe.output = folder_.file("memory");
    plumecast_training_options options{};
    options.size = sizeof options;
    options.train = options.validation = cases_;
    ASSERT_EQ(plumecast_train(device_, recipe.to_json().dump().c_str(), &options), PLUMECAST_OK)
        << plumecast_last_error();
    ASSERT_EQ(plumecast_cases_write(cases_, folder_.file("plane.h5").c_str()), PLUMECAST_OK);
    recipe.train_files = recipe.validation_files = {folder_.file("plane.h5")};
    recipe.output = folder_.file("file");
    ASSERT_EQ(plumecast_train(device_, recipe.to_json().dump().c_str(), nullptr), PLUMECAST_OK)
        << plumecast_last_error();
    const auto backend = make_cpu_backend({.threads = 1});
    EXPECT_EQ(Bundle::load(folder_.file("memory") + "/best", *backend).hash(),
              Bundle::load(folder_.file("file") + "/best", *backend).hash());
}

TEST_F(CGeneric, RefusesOtherAxesAndUnitsByName) {
    plumecast_cases* other = nullptr;
    EXPECT_EQ(plumecast_cases_create_generic("x,y", &other), PLUMECAST_INVALID_INPUT);
    EXPECT_THAT(plumecast_last_error(), HasSubstr("axes are 'x,y'"));
    EXPECT_EQ(other, nullptr);
    set("/inputs/map", "km", map_.data(), ElementType::float32, {2, 4, 5});
    std::vector<float> found(120);
    std::vector<std::int64_t> extents = {2, 3, 4, 5};
    const plumecast_named output{"u", c_array(found.data(), ElementType::float32, extents)};
    EXPECT_EQ(plumecast_predict(model_, cases_, &output, 1, nullptr), PLUMECAST_INVALID_DATA);
    EXPECT_THAT(plumecast_last_error(), HasSubstr("/inputs/map is in km"));
}

}  // namespace
}  // namespace plumecast::testing
