#include <gmock/gmock.h>

#include <filesystem>
#include <string>
#include <vector>

#include <plumecast/core/json.hpp>

#include "bindings/c_model.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

class CTrainingTest : public ::testing::Test {
   protected:
    CTrainingTest() {
        cases_ = CModel::cases_of(content_);
        options_.size = sizeof options_;
        options_.train = options_.validation = cases_;
        options_.user = this;
        options_.epoch = [](const char* json, void* user) { heard_by(user).epochs_.emplace_back(json); };
        options_.progress = [](std::int32_t, std::int32_t epochs, std::int64_t, std::int64_t cases, double,
                               void* user) { heard_by(user).told_ += epochs == 3 && cases == 3 ? 1 : 0; };
        options_.stop = [](void* user) { return --heard_by(user).patience_ <= 0 ? 1 : 0; };
    }
    ~CTrainingTest() override {
        plumecast_cases_release(cases_);
        plumecast_device_release(device_);
    }
    static CTrainingTest& heard_by(void* user) { return *static_cast<CTrainingTest*>(user); }

    /// A tiny recipe whose run has such a folder.
    std::string recipe(const std::string& output) const {
        Recipe recipe = tiny_recipe(folder_, "fno");
        recipe.output = folder_.file(output);
        return recipe.to_json().dump();
    }
    plumecast_status train(const std::string& output) {
        return plumecast_train(device_, recipe(output).c_str(), &options_);
    }
    std::map<std::string, std::vector<float>> best(const std::string& output) const {
        return weights_in(folder_.file(output) + "/best");
    }

    ScratchFolder folder_;
    DatasetContent content_ = sample_content();
    plumecast_device* device_ = open_cpu();
    plumecast_cases* cases_ = nullptr;
    plumecast_training_options options_{};
    std::vector<std::string> epochs_;
    int told_ = 0;
    int patience_ = 1 << 30;
};

TEST_F(CTrainingTest, OfCasesInMemoryIsThatOfAFile) {
    ASSERT_EQ(train("memory"), PLUMECAST_OK) << plumecast_last_error();
    ASSERT_EQ(epochs_.size(), 3u);
    EXPECT_TRUE(Json::parse(epochs_.back(), "epoch").find("validation_loss") != nullptr);
    EXPECT_GE(told_, 3);
    options_.train = options_.validation = nullptr;
    ASSERT_EQ(train("file"), PLUMECAST_OK) << plumecast_last_error();
    EXPECT_EQ(best("memory"), best("file"));
}

TEST_F(CTrainingTest, MakesAModelThatTellsItsGridAndTimes) {
    ASSERT_EQ(train("run"), PLUMECAST_OK) << plumecast_last_error();
    plumecast_model* model = nullptr;
    ASSERT_EQ(plumecast_model_load(device_, (folder_.file("run") + "/best").c_str(), &model), PLUMECAST_OK);
    const double* numbers = nullptr;
    std::size_t count = 0;
    for (const auto& [name, expected] : {std::pair("r_edges", content_.r_edges),
                                         {"z_edges", content_.z_edges},
                                         {"times", content_.times},
                                         {"x_edges", {}}}) {
        ASSERT_EQ(plumecast_model_axis(model, name, &numbers, &count), PLUMECAST_OK) << name;
        EXPECT_EQ(std::vector<double>(numbers, numbers + count), expected) << name;
    }
    plumecast_model_release(model);
}

TEST_F(CTrainingTest, GoesOnWhereItWasStopped) {
    patience_ = 3;
    EXPECT_EQ(train("stopped"), PLUMECAST_INTERRUPTED);
    EXPECT_THAT(plumecast_last_error(), HasSubstr("the caller asked for it"));
    patience_ = 1 << 30;
    EXPECT_EQ(train("stopped"), PLUMECAST_INVALID_INPUT);
    EXPECT_THAT(plumecast_last_error(), HasSubstr("set resume to go on with it"));
    options_.resume = 1;
    ASSERT_EQ(train("stopped"), PLUMECAST_OK) << plumecast_last_error();
    options_.resume = 0;
    ASSERT_EQ(train("whole"), PLUMECAST_OK) << plumecast_last_error();
    EXPECT_EQ(best("stopped"), best("whole"));
}

TEST_F(CTrainingTest, RefusesCasesThatViolateTheFormat) {
    DatasetContent closed = sample_content();
    closed.arrays["perforation"].assign(closed.arrays["perforation"].size(), 0.0F);
    plumecast_cases* cases = CModel::cases_of(closed);
    options_.train = cases;
    EXPECT_EQ(train("closed"), PLUMECAST_INVALID_DATA);
    EXPECT_THAT(plumecast_last_error(), HasSubstr("no active cell is perforated"));
    plumecast_cases_release(cases);
    EXPECT_TRUE(epochs_.empty());
}

TEST_F(CTrainingTest, RefusesNullsAndRecipesThatCannotBeRead) {
    EXPECT_EQ(plumecast_train(nullptr, "{}", nullptr), PLUMECAST_INVALID_INPUT);
    EXPECT_EQ(plumecast_train(device_, nullptr, nullptr), PLUMECAST_INVALID_INPUT);
    for (const char* text : {"", "[]", "{\"epochs\": \"many\"}", "{}", "{\"output\": \"run\"}"}) {
        EXPECT_EQ(plumecast_train(device_, text, nullptr), PLUMECAST_INVALID_INPUT) << text;
    }
}

}  // namespace
}  // namespace plumecast::testing
