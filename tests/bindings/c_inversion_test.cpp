#include <gmock/gmock.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
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
        options_.progress = [](const char*, std::int64_t done, std::int64_t all, void* user) {
            heard_by(user).told_ += done <= all && all == members ? 1 : 0;
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
    int told_ = 0;
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
