#include "reservoir/regridding/regridded_dataset.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/regridding/grid_and_times.hpp>

#include "reservoir/physics/temperature_profile.hpp"
#include "reservoir/regridding/rotated_overlap.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

TEST(RegriddedDataset, HasTheRockAndTheFluidsOfABox) {
    const ScratchFolder folder;
    DatasetContent content = guided_cartesian_content();
    content.attributes = {{"aquifer_factor", "1000"},       {"temperature_gradient", "0.03"}, {"entry_pressure", "0.5"},
                          {"rock_compressibility", "1e-5"}, {"well_radius", "0.2"},           {"rotation", "30"}};
    write_dataset(folder.file("box.h5"), content);
    const Dataset box(folder.file("box.h5"));
    GridAndTimes deeper = GridAndTimes::of(box);
    deeper.z_edges = {0.0, 5.0, 15.0, 25.0};
    const Dataset other = regridded(box, deeper);
    for (const char* name : {"aquifer_factor", "temperature_gradient", "entry_pressure", "rock_compressibility"}) {
        EXPECT_EQ(other.stated(name), box.stated(name)) << name;
    }
    EXPECT_EQ(other.well_radius(), 0.2);
    EXPECT_EQ(other.place().rotation, 30.0);
    // The temperature is that of the middle of the grid, which lies 5 m deeper.
    EXPECT_NEAR(other.scalar("temperature")[0], box.scalar("temperature")[0] + 5.0F * 0.03F, 1e-4);
}

double middle_of(const Dataset& dataset, std::int64_t which) {
    std::vector<float> active(static_cast<std::size_t>(dataset.cells()));
    dataset.read_map("active", {&which, 1}, active);
    return middle_depth(dataset.z_edges(), active);
}

TEST(RegriddedDataset, KeepsTheTemperaturesOfACylinderThatGrowsWarmer) {
    const ScratchFolder folder;
    DatasetContent content = guided_content();
    content.attributes["temperature_gradient"] = "0.1";
    write_dataset(folder.file("cylinder.h5"), content);
    const Dataset cylinder(folder.file("cylinder.h5"));
    GridAndTimes deeper = GridAndTimes::of(cylinder);
    deeper.z_edges[3] = 28.0;  // the lower edge of the lowest active row
    const Dataset other = regridded(cylinder, deeper);
    EXPECT_EQ(other.stated("temperature_gradient"), 0.1);
    for (std::int64_t which = 0; which < cylinder.cases(); ++which) {
        const auto place = static_cast<std::size_t>(which);
        EXPECT_EQ(middle_of(cylinder, which), 15.0);
        EXPECT_EQ(middle_of(other, which), 14.0);
        EXPECT_NEAR(other.scalar("temperature")[place], cylinder.scalar("temperature")[place] - 0.1F, 1e-4);
    }
}

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

TEST(GridAndTimesTest, ComesBackFromJsonWithItsPlace) {
    const GridAndTimes grid{{}, {0.0, 1.0}, {0.0, 2.0}, {0.0, 5.0}, {1.0}, {-30.5, {{431000.0, 6521000.0}}}};
    const Json json = Json::Object{{"grid", grid.to_json()}};
    JsonReader reader(json, "model.json");
    EXPECT_EQ(GridAndTimes::read(reader, "grid"), grid);
}

TEST(GridAndTimesTest, RefusesWhatIsNoPlace) {
    for (const char* place : {R"("rotation": 400)", R"("origin": [1])", R"("origin": [1, 1e9])"}) {
        const Json json =
            Json::parse(R"({"grid": {"x_edges": [1, 2], "y_edges": [1, 2], "z_edges": [0, 1], "times": [1], )" +
                            std::string(place) + "}}",
                        "model.json");
        JsonReader reader(json, "model.json");
        EXPECT_THROW(GridAndTimes::read(reader, "grid"), InvalidInput) << place;
    }
}

/// A box of 400 m by 300 m in two columns and one line.
GridAndTimes box_at(const GridPlace& place) {
    return {{}, {0.0, 100.0, 400.0}, {50.0, 350.0}, {0.0, 10.0}, {1.0}, place};
}

TEST(GridAndTimesTest, DiffersWhereBothSayThatTheyLieElsewhere) {
    const GridAndTimes somewhere = box_at({}), rotated = box_at({30.0, {}}), placed = box_at({30.0, {{1e5, 0.0}}});
    EXPECT_TRUE(somewhere.has_grid_of(rotated));
    EXPECT_TRUE(rotated.has_grid_of(placed));
    EXPECT_TRUE(rotated.has_grid_of(box_at({-330.0, {}})));
    EXPECT_FALSE(rotated.has_grid_of(box_at({31.0, {}})));
    EXPECT_TRUE(placed.has_grid_of(box_at({30.0, {{1e5 + 1e-5, 0.0}}})));
    EXPECT_FALSE(placed.has_grid_of(box_at({30.0, {{1e5 + 1.0, 0.0}}})));
}

TEST(GridAndTimesTest, LiesOnAnotherAsOnTheMap) {
    const GridAndTimes known = box_at({90.0, {{1000.0, 2000.0}}}), users = box_at({30.0, {{1100.0, 2200.0}}});
    const GridAndTimes there = aligned_with(users, known);
    // Both are asked where on the map the lower corner of the data set's grid lies.
    const auto expected = users.place.on_map(0.0, 50.0), found = there.place.on_map(there.x_edges[0], there.y_edges[0]);
    EXPECT_NEAR(found[0], expected[0], 1e-9);
    EXPECT_NEAR(found[1], expected[1], 1e-9);
    EXPECT_EQ(there.place.origin, known.place.origin);
    EXPECT_NEAR(there.x_edges[2] - there.x_edges[1], 300.0, 1e-9);
}

TEST(GridAndTimesTest, LiesWithItsLowestCornersOnThoseOfAnotherWhereItsPlaceIsNotKnown) {
    const GridAndTimes known = box_at({0.0, {}});
    for (const double degrees : {0.0, 30.0, 90.0, 200.0}) {
        const GridAndTimes there = aligned_with(box_at({degrees, {}}), known);
        const Rectangle seen = turn_between(there.place, known.place).around(PlanView::of(there).all());
        EXPECT_NEAR(seen.low_x, 0.0, 1e-9);
        EXPECT_NEAR(seen.low_y, 50.0, 1e-9);
    }
    const GridAndTimes unknown = aligned_with(box_at({}), box_at({30.0, {}}));
    EXPECT_TRUE(turn_between(unknown.place, box_at({30.0, {}}).place).is_none());
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
