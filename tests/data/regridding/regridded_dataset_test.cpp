#include "data/regridding/regridded_dataset.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include <plumecast/core/error.hpp>

#include "data/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

TEST(GridAndTimesTest, ComesBackFromJson) {
    const ScratchFolder folder;
    for (const std::string& path : {write_guided_sample(folder), write_cartesian_sample(folder)}) {
        const GridAndTimes grid = GridAndTimes::of(Dataset(path));
        const Json json = Json::Object{{"grid", grid.to_json()}};
        const Json parsed = Json::parse(json.dump(), "model.json");
        JsonReader reader(parsed, "model.json");
        EXPECT_EQ(GridAndTimes::read(reader, "grid"), grid);
    }
}

TEST(GridAndTimesTest, RefusesWhatIsNoGrid) {
    for (const char* text : {R"({"grid": {"r_edges": [1, 1], "z_edges": [0, 1], "times": [1]}})",
                             R"({"grid": {"r_edges": [1, 2], "z_edges": [0], "times": [1]}})",
                             R"({"grid": {"r_edges": [-1, 2], "z_edges": [0, 1], "times": [1]}})",
                             R"({"grid": {"r_edges": [1, 2], "z_edges": [0, 1], "times": []}})"}) {
        const Json json = Json::parse(text, "model.json");
        JsonReader reader(json, "model.json");
        try {
            GridAndTimes::read(reader, "grid");
            FAIL() << text;
        } catch (const InvalidInput& error) {
            EXPECT_THAT(error.what(), HasSubstr("is no list of increasing numbers"));
        }
    }
}

TEST(GridAndTimesTest, ComparesButForRounding) {
    const GridAndTimes grid{{0.1, 10.0, 100.0}, {}, {}, {0.0, 5.0}, {1.0, 2.0}};
    EXPECT_EQ(grid.text(), "1 x 2 x 2");
    GridAndTimes other = grid;
    other.r_edges[1] = 10.0 + 5e-6;
    EXPECT_TRUE(other.has_grid_of(grid));
    other.r_edges[1] = 10.1;
    EXPECT_FALSE(other.has_grid_of(grid));
    EXPECT_TRUE(other.has_times_of(grid));
    other.times = {1.0};
    EXPECT_FALSE(other.has_times_of(grid));
}

TEST(RegriddedDatasetTest, HoldsAllInputsOnTheOtherGrid) {
    const ScratchFolder folder;
    const Dataset users(write_guided_sample(folder));
    const GridAndTimes to{{0.1, 50.0, 100000.0}, {}, {}, {0.0, 15.0, 30.0, 60.0}, {7.0}};
    const Dataset brought = regridded(users, to);
    EXPECT_EQ(GridAndTimes::of(brought), to);
    EXPECT_EQ(brought.cases(), 3);
    EXPECT_FALSE(brought.has_outputs());
    EXPECT_FALSE(std::filesystem::exists(brought.path()));
    for (const char* name : {"injection_rate", "temperature", "thickness", "van_genuchten_lambda"}) {
        EXPECT_EQ(brought.scalar(name), users.scalar(name));
    }
    std::vector<float> active(6), porosity(6);
    const std::int64_t last = 2;
    brought.read_map("active", {&last, 1}, active);
    brought.read_map("porosity", {&last, 1}, porosity);
    EXPECT_EQ(active, (std::vector<float>{1, 1, 1, 1, 0, 0}));
    EXPECT_NEAR(porosity[0], 0.22F, 0.02F);
}

}  // namespace
}  // namespace plumecast::testing
