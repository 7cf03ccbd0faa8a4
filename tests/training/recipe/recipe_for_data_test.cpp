#include "training/recipe/recipe_for_data.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "support/samples/generic_dataset.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast {
namespace {

using ::testing::ElementsAre;
using testing::ScratchFolder;

TEST(RecipeForData, StandardisesAllInputsCoordinatesTimesAndOutputsOverPointsThatCount) {
    const ScratchFolder folder;
    const std::string path = folder.file("generic.h5");
    testing::write_generic_data(path);
    const Recipe recipe = recipe_for_data("fno", path);
    std::vector<std::string> names, sources;
    for (const Channel& channel : recipe.network.channels) {
        names.push_back(channel.name);
        sources.push_back(channel.source);
    }
    EXPECT_THAT(names, ElementsAre("field", "map", "number", "series", "x", "time"));
    EXPECT_THAT(sources, ElementsAre("/inputs/field", "/inputs/map", "/inputs/number", "/inputs/series", "/grid/x",
                                     "/grid/times"));
    const Channel& map = recipe.network.channels[1];  // of 0, 1, 2, 10, 11
    EXPECT_NEAR(map.offset, 4.8, 1e-12);
    EXPECT_NEAR(map.scale, std::sqrt(226.0 / 5.0 - 4.8 * 4.8), 1e-12);
    EXPECT_EQ(map.unit, "m");
    EXPECT_TRUE(map.mask_inactive);
    EXPECT_FALSE(recipe.network.channels[2].mask_inactive);
    EXPECT_DOUBLE_EQ(recipe.network.channels[5].offset, 2.0);
    EXPECT_DOUBLE_EQ(recipe.network.channels[5].scale, 1.0);
    ASSERT_EQ(recipe.network.fields.size(), 1U);
    EXPECT_EQ(recipe.network.fields[0].name, "u");
    EXPECT_EQ(recipe.network.fields[0].unit, "K");
    EXPECT_NEAR(recipe.network.fields[0].offset, -45.8, 1e-5);
    EXPECT_THAT(recipe.network.network.modes, ElementsAre(0, 1, 1)) << "a line has one point along its first axis";
    EXPECT_THAT(recipe.network.network.padding, ElementsAre(0, 8, 8));
    EXPECT_EQ(recipe.loss.derivative_weight, 0.0);
    EXPECT_EQ(Recipe::from_json(recipe.to_json(), "recipe", ""), recipe);
    EXPECT_NO_THROW(recipe_for_data("ufno", path).check());
}

TEST(RecipeForData, TakesMeanAndDeviationAtEachPointWhereWanted) {
    const ScratchFolder folder;
    const std::string path = folder.file("generic.h5");
    testing::write_generic_data(path);
    const Recipe recipe = recipe_for_data("fno", path, Constants::of_each_point);
    const Channel& map = recipe.network.channels[1];  // 0, 1, 2 and 10, 11 without the third
    EXPECT_THAT(map.points.extents, ElementsAre(1, 3));
    EXPECT_THAT(map.points.offsets, ElementsAre(5.0, 6.0, 2.0));
    EXPECT_THAT(map.points.scales, ElementsAre(5.0, 5.0, map.scale)) << "one case alone has no deviation";
    EXPECT_TRUE(recipe.network.channels[2].points.empty()) << "a number has no points";
    const Field& field = recipe.network.fields[0];  // 0, -10, -100, -110 at the first point
    EXPECT_DOUBLE_EQ(field.points.offsets[0], -55.0);
    EXPECT_NEAR(field.points.scales[0], std::sqrt(22200.0 / 4.0 - 55.0 * 55.0), 1e-9);
    EXPECT_NE(recipe.network.fields[0].scale, field.points.scales[0]) << "the loss has its own";
    EXPECT_EQ(Recipe::from_json(recipe.to_json(), "recipe", ""), recipe);
}

TEST(RecipeForData, RollsOnlyWhereTheDataHaveStates) {
    const ScratchFolder folder;
    const std::string path = folder.file("generic.h5");
    testing::write_generic_data(path);
    EXPECT_THAT([&] { recipe_for_data("fno", path, Constants::of_all_points, 1); },
                ::testing::ThrowsMessage<InvalidInput>(::testing::HasSubstr("no inputs u0, u1 and so on")));
}

TEST(RecipeForData, IsNotOfReservoirs) {
    const ScratchFolder folder;
    EXPECT_THROW(recipe_for_data("fno", testing::write_sample(folder)), InvalidInput);
}

}  // namespace
}  // namespace plumecast
