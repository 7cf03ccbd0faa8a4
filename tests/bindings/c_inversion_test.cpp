#include <gmock/gmock.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/core/json.hpp>
#include <plumecast/reservoir/dataset/fields.hpp>

#include "bindings/c_model.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

/// A case of the guided sample and twelve realizations of it, whose pores are wider and wider.
class CInversionTest : public ::testing::Test {
   protected:
    CInversionTest() {
        write("case.h5", 1);
        write("prior.h5", members);
        std::ofstream(folder_.file("observations.csv"))
            << "field,r,z,time,value,unit,standard_deviation\npressure_buildup,200,5,1000,1,bar,0.5\n";
        options_.size = sizeof options_;
        options_.threads = 1;
        options_.user = this;
        options_.step = [](const char* json, void* user) { heard_by(user).steps_.emplace_back(json); };
        options_.progress = [](const char* what, std::int64_t done, std::int64_t all, void* user) {
            CInversionTest& self = heard_by(user);
            self.told_ += done <= all && all == members ? 1 : 0;
            self.searched_ += std::string(what) == "search" ? 1 : 0;
            self.patience_ = self.searched_ == self.searches_ ? 0 : self.patience_;
        };
        options_.stop = [](void* user) { return --heard_by(user).patience_ <= 0 ? 1 : 0; };
    }
    ~CInversionTest() override { plumecast_device_release(device_); }
    static CInversionTest& heard_by(void* user) { return *static_cast<CInversionTest*>(user); }

    void write(const std::string& name, std::size_t cases) {
        const DatasetContent sample = guided_content();
        DatasetContent content = sample;
        for (auto& [input, values] : content.arrays) {
            const std::size_t each = values.size() / 3;
            values.clear();
            for (std::size_t which = 0; which < cases; ++which) {
                const auto begin = sample.arrays.at(input).begin();
                const float factor = input == "porosity" ? 0.7F + 0.05F * static_cast<float>(which) : 1.0F;
                for (std::size_t i = 0; i < each; ++i) {
                    values.push_back(factor * *(begin + static_cast<std::ptrdiff_t>(i)));
                }
            }
        }
        content.arrays.erase("gas_saturation");
        content.arrays.erase("pressure_buildup");
        write_dataset(folder_.file(name), content);
    }

    plumecast_status invert(const std::string& output) {
        Json config = Json::Object{{"model", "estimate"}, {"unknown", Json::Array{"porosity"}}, {"steps", 2}};
        for (const auto& [entry, file] : {std::pair{"case", "case.h5"}, std::pair{"prior", "prior.h5"},
                                          std::pair{"observations", "observations.csv"}}) {
            config[entry] = folder_.file(file);
        }
        for (const auto& [entry, value] : changes_) {
            config[entry] = value;
        }
        config["output"] = folder_.file(output);
        return plumecast_invert(device_, config.dump().c_str(), &options_);
    }
    std::string content(const std::string& name) const {
        std::ifstream file(folder_.file(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    static constexpr std::int64_t members = 12;
    ScratchFolder folder_;
    plumecast_device* device_ = open_cpu();
    plumecast_inversion_options options_{};
    std::vector<std::string> steps_;
    std::vector<std::pair<std::string, Json>> changes_;
    int told_ = 0, searched_ = 0, searches_ = -1;  // after which it stops
    int patience_ = 1 << 30;
};

TEST_F(CInversionTest, WritesAPosteriorAndTellsOfSteps) {
    ASSERT_EQ(invert("posterior"), PLUMECAST_OK) << plumecast_last_error();
    ASSERT_EQ(steps_.size(), 3U);
    EXPECT_EQ(*Json::parse(steps_.back(), "step").find("step")->get_if<std::int64_t>(), 2);
    EXPECT_EQ(told_, 3 * members);
    for (const char* name : {"posterior.h5", "observations.csv", "convergence.csv", "inversion.json"}) {
        EXPECT_TRUE(std::filesystem::exists(folder_.file("posterior") + "/" + name)) << name;
    }
}

TEST_F(CInversionTest, GoesOnAfterAStopWithTheSameBits) {
    ASSERT_EQ(invert("whole"), PLUMECAST_OK) << plumecast_last_error();
    patience_ = static_cast<int>(members) + 6;  // in the first step after the prior's
    EXPECT_EQ(invert("stopped"), PLUMECAST_INTERRUPTED);
    EXPECT_FALSE(std::filesystem::exists(folder_.file("stopped")));
    EXPECT_TRUE(std::filesystem::exists(folder_.file("stopped.state.safetensors")));
    patience_ = 1 << 30;
    options_.resume = 1;
    told_ = 0;
    ASSERT_EQ(invert("stopped"), PLUMECAST_OK) << plumecast_last_error();
    EXPECT_EQ(told_, 2 * members);
    EXPECT_EQ(content("whole/observations.csv"), content("stopped/observations.csv"));
    EXPECT_EQ(content("whole/posterior.h5"), content("stopped/posterior.h5"));
}

TEST_F(CInversionTest, GoesOnAfterSomeMembersWereFoundWithTheSameBits) {
    changes_ = {{"method", "rml"}, {"iterations", 4}};
    const plumecast_status status = invert("whole");
    if (status == PLUMECAST_NOT_BUILT) {
        GTEST_SKIP() << plumecast_last_error();
    }
    ASSERT_EQ(status, PLUMECAST_OK) << plumecast_last_error();
    EXPECT_EQ(searched_, members);
    searched_ = 0;
    searches_ = 5;
    EXPECT_EQ(invert("stopped"), PLUMECAST_INTERRUPTED);
    EXPECT_LT(searched_, members);
    const int found = searched_;
    patience_ = 1 << 30;
    searched_ = 0;
    searches_ = -1;
    options_.resume = 1;
    ASSERT_EQ(invert("stopped"), PLUMECAST_OK) << plumecast_last_error();
    EXPECT_EQ(searched_, members - found);  // those found before are not sought again
    EXPECT_EQ(content("whole/observations.csv"), content("stopped/observations.csv"));
    EXPECT_EQ(content("whole/posterior.h5"), content("stopped/posterior.h5"));
}

TEST_F(CInversionTest, RefusesToLoseTheStateOfAnInterruptedRun) {
    patience_ = static_cast<int>(members) + 6;
    EXPECT_EQ(invert("stopped"), PLUMECAST_INTERRUPTED);
    patience_ = 1 << 30;
    const std::string state = content("stopped.state.safetensors");
    ASSERT_FALSE(state.empty());
    EXPECT_EQ(invert("stopped"), PLUMECAST_INVALID_INPUT);
    EXPECT_THAT(plumecast_last_error(), HasSubstr("stopped.state.safetensors: is there already"));
    EXPECT_EQ(content("stopped.state.safetensors"), state);
    options_.replace = 1;
    EXPECT_EQ(invert("stopped"), PLUMECAST_OK) << plumecast_last_error();
}

TEST_F(CInversionTest, RefusesToReplaceItsInputs) {
    ASSERT_EQ(invert("post"), PLUMECAST_OK) << plumecast_last_error();
    const std::string prior = content("post/posterior.h5");
    changes_ = {{"prior", folder_.file("post") + "/posterior.h5"}};
    options_.replace = 1;
    EXPECT_EQ(invert("post"), PLUMECAST_INVALID_INPUT);
    EXPECT_THAT(plumecast_last_error(), HasSubstr("the entry prior names it"));
    EXPECT_EQ(content("post/posterior.h5"), prior);
    std::filesystem::create_directories(folder_.file("here"));
    const std::string measured = content("observations.csv");
    std::ofstream(folder_.file("here") + "/observations.csv") << measured;
    changes_ = {{"observations", folder_.file("here") + "/observations.csv"}};
    EXPECT_EQ(invert("here"), PLUMECAST_INVALID_INPUT);
    EXPECT_EQ(content("here/observations.csv"), measured);
}

TEST_F(CInversionTest, RefusesWhatItCannotUse) {
    EXPECT_EQ(plumecast_invert(device_, R"({"stepps": 3})", &options_), PLUMECAST_INVALID_INPUT);
    EXPECT_THAT(plumecast_last_error(), HasSubstr("steps"));
    EXPECT_EQ(plumecast_invert(nullptr, "{}", &options_), PLUMECAST_INVALID_INPUT);
    EXPECT_EQ(plumecast_invert(device_, nullptr, nullptr), PLUMECAST_INVALID_INPUT);
    std::filesystem::create_directories(folder_.file("mine"));
    std::ofstream(folder_.file("mine") + "/posterior.h5") << "mine";
    EXPECT_EQ(invert("mine"), PLUMECAST_INVALID_INPUT);
    EXPECT_EQ(content("mine/posterior.h5"), "mine");
    options_.replace = 1;
    EXPECT_EQ(invert("mine"), PLUMECAST_OK) << plumecast_last_error();
}

}  // namespace
}  // namespace plumecast::testing
