#include "service/uploads/uploaded_cases.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/fields.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>

#include "service/problem.hpp"
#include "service/temporary_folder.hpp"
#include "support/repository.hpp"

namespace plumecast::service {
namespace {

using ::testing::HasSubstr;

const std::string sample = testing::repository_folder() + "/data/radial_sample.h5";

TEST(UploadedCases, AreWhatTheFileHolds) {
    const Scenario scenario = uploaded_cases(sample, {}, {});
    const Dataset file(sample);
    const Dataset read(views_of(scenario.content));
    EXPECT_EQ(read.cases(), file.cases());
    EXPECT_EQ(read.times(), file.times());
    EXPECT_EQ(read.r_edges(), file.r_edges());
    EXPECT_EQ(read.scalar("temperature"), file.scalar("temperature"));
    EXPECT_FALSE(read.has_outputs());
    EXPECT_EQ(scenario.notes.size(), static_cast<std::size_t>(file.cases()));
}

TEST(UploadedCases, KeepScheduleAndStatedNumbersToTheLastDigit) {
    const TemporaryFolder folder;
    const std::string path = folder.file("cases.h5");
    DatasetContent content = uploaded_cases(sample, {}, {}).content;
    content.arrays.erase("injection_rate");
    content.schedule_ends = {100.0, 4000.0};
    for (int i = 0; i < 8; ++i) {
        content.arrays["schedule_rate"].insert(content.arrays["schedule_rate"].end(), {0.5F, 0.25F});
    }
    content.attributes["entry_pressure"] = "0.12345678901234568";
    write_dataset(path, content);
    const Scenario scenario = uploaded_cases(path, {}, {});
    EXPECT_EQ(scenario.content.schedule_ends, content.schedule_ends);
    EXPECT_EQ(scenario.content.arrays.at("schedule_rate"), content.arrays.at("schedule_rate"));
    EXPECT_EQ(Dataset(views_of(scenario.content)).stated("entry_pressure"), 0.12345678901234568);
}

TEST(UploadedCases, AreThoseThatAreChosen) {
    const Scenario all = uploaded_cases(sample, {}, {});
    EXPECT_EQ(all.file.cases, 8);
    EXPECT_EQ(all.file.numbers.size(), 8U);
    Limits limits;
    limits.cases = 2;
    const Scenario some = uploaded_cases(sample, {1, 6}, limits);
    EXPECT_EQ(some.file.cases, 8);
    EXPECT_EQ(some.notes.size(), 2U);
    EXPECT_EQ(Dataset(views_of(some.content)).cases(), 2);
    for (const auto& [name, values] : some.content.arrays) {
        const std::size_t of_case = values.size() / 2;
        const std::vector<float>& from = all.content.arrays.at(name);
        EXPECT_TRUE(std::equal(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(of_case),
                               from.begin() + static_cast<std::ptrdiff_t>(of_case)))
            << name;
        EXPECT_EQ(values.back(), from[7 * of_case - 1]) << name;
    }
    EXPECT_THROW(uploaded_cases(sample, {8}, {}), Problem);
}

TEST(UploadedCases, AreRefusedBeyondTheLimitsAndOnOtherGrids) {
    Limits limits;
    limits.values = 1000;
    EXPECT_THROW(uploaded_cases(sample, {}, limits), Problem);
    try {
        uploaded_cases(testing::repository_folder() + "/data/box_sample.h5", {}, {});
        FAIL() << "a Cartesian grid was taken";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), HasSubstr("has a Cartesian grid"));
    }
}

}  // namespace
}  // namespace plumecast::service
