#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "backend/cuda/tuning_cache.hpp"
#include "support/environment.hpp"

namespace plumecast::testing {
namespace {

namespace fs = std::filesystem;
using cuda::FastestWay;
using cuda::TimedWay;
using cuda::TuningCache;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A cache file in a folder of its own.
class TuningCacheFile : public ::testing::Test {
   protected:
    void TearDown() override { fs::remove_all(folder_); }

    TuningCache open(const std::string& machine = "device a") {
        return {path(), machine, [this](Severity, std::string_view text) { warnings_.emplace_back(text); }};
    }
    fs::path path() const { return folder_ / "deep" / "tuning.json"; }
    void write(const std::string& text) {
        fs::create_directories(path().parent_path());
        std::ofstream(path()) << text;
    }
    std::string text() const {
        std::ifstream in(path());
        return {std::istreambuf_iterator<char>(in), {}};
    }
    const std::vector<std::string>& warnings() const { return warnings_; }

   private:
    fs::path folder_ = fs::path(::testing::TempDir()) /
                       ("tuning_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::vector<std::string> warnings_;
};

TEST_F(TuningCacheFile, KeepsChoicesOfSeveralMachinesApartFromRunToRun) {
    open("device a").keep("k3", "tiles");
    open("device b").keep("k3", "cuDNN");
    open("device a").keep("k1", "cuDNN");
    EXPECT_EQ(open("device a").find("k3"), "tiles");
    EXPECT_EQ(open("device a").find("k1"), "cuDNN");
    EXPECT_EQ(open("device b").find("k3"), "cuDNN");
    EXPECT_EQ(open("device b").find("k1"), std::nullopt);
    EXPECT_TRUE(warnings().empty());
}

TEST_F(TuningCacheFile, AddsToWhatOtherProcessesKeptMeanwhileAndLeavesNothingElseBehind) {
    TuningCache first = open(), second = open();
    first.keep("k3", "tiles");
    second.keep("k1", "cuDNN");
    EXPECT_EQ(open().find("k3"), "tiles");
    EXPECT_EQ(open().find("k1"), "cuDNN");
    EXPECT_EQ(std::distance(fs::directory_iterator(path().parent_path()), {}), 1);
}

TEST_F(TuningCacheFile, IgnoresAndLeavesAloneWhatIsNoCacheOfThisVersion) {
    const std::string start = R"({"format": "plumecast fastest ways, version 1", "machines": )";
    const std::vector<std::string> all{"",
                                       "{\"format\": \"plume",
                                       "[1, 2]",
                                       R"({"format": "plumecast fastest ways, version 0", "machines": {}})",
                                       start + "[]}",
                                       start + R"({"device a": "tiles"}})",
                                       start + R"({"device a": {"k3": 1}}})"};
    for (const std::string& content : all) {
        write(content);
        TuningCache cache = open();
        EXPECT_EQ(cache.find("k3"), std::nullopt) << content;
        cache.keep("k3", "tiles");
        EXPECT_EQ(cache.find("k3"), "tiles");
        EXPECT_EQ(text(), content);
    }
    ASSERT_EQ(warnings().size(), all.size());
    EXPECT_THAT(warnings().front(), HasSubstr(path().string()));
    EXPECT_THAT(warnings().front(), HasSubstr("PLUMECAST_CUDA_TUNING"));
}

TEST_F(TuningCacheFile, WarnsOnceWhereItCannotBeWrittenAndGoesOn) {
    TuningCache cache = open();
    fs::create_directories(path().parent_path().parent_path());
    std::ofstream(path().parent_path()) << "a file where the folder would be";
    cache.keep("k3", "tiles");
    cache.keep("k1", "cuDNN");
    EXPECT_EQ(cache.find("k3"), "tiles");
    EXPECT_EQ(warnings().size(), 1u);
}

TEST_F(TuningCacheFile, LiesWhereTheEnvironmentSays) {
    const EnvironmentScope home("HOME", "reader"), cache("XDG_CACHE_HOME", "");
    {
        const EnvironmentScope named("PLUMECAST_CUDA_TUNING", "own.json");
        EXPECT_EQ(TuningCache::default_path(), "own.json");
    }
    {
        const EnvironmentScope off("PLUMECAST_CUDA_TUNING", "off");
        EXPECT_EQ(TuningCache::default_path(), "");
    }
    EXPECT_EQ(TuningCache::default_path(), "reader/.cache/plumecast/cuda_tuning.json");
    const EnvironmentScope folder("XDG_CACHE_HOME", "scratch/cache");
    EXPECT_EQ(TuningCache::default_path(), "scratch/cache/plumecast/cuda_tuning.json");
}

TEST_F(TuningCacheFile, SparesTheFastestWayItsMeasurementInLaterRuns) {
    std::vector<std::string> timed;
    const auto way = [&](const std::string& name, double seconds) {
        return TimedWay{name, [&timed, name, seconds] {
                            timed.push_back(name);
                            return seconds;
                        }};
    };
    const std::vector<TimedWay> ways{way("cuDNN", 2.0), way("tiles", 1.0)};
    FastestWay first(open());
    EXPECT_EQ(first.choose("k3", ways, false), 0u);  // a recording cannot be interrupted to measure
    EXPECT_TRUE(timed.empty());
    EXPECT_EQ(first.choose("k3", ways, true), 1u);
    EXPECT_EQ(first.choose("k3", ways, true), 1u);
    EXPECT_THAT(timed, ElementsAre("cuDNN", "tiles"));
    FastestWay second(open());
    EXPECT_EQ(second.choose("k3", ways, false), 1u);
    EXPECT_EQ(timed.size(), 2u);
}

TEST_F(TuningCacheFile, IsMeasuredAnewWhereItNamesAWayThatThereIsNot) {
    open().keep("k3", "an older kernel");
    FastestWay fastest(open());
    const std::vector<TimedWay> ways{{"cuDNN", [] { return -1.0; }}, {"tiles", [] { return 1.0; }}};
    EXPECT_EQ(fastest.choose("k3", ways, true), 1u);
    EXPECT_EQ(open().find("k3"), "tiles");
}

}  // namespace
}  // namespace plumecast::testing
