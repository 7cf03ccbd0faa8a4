#include "inverse/optimization/well_placement.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>

#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

/// The combinations of places of the sample, whose two cases have wells in the columns 1 and 7.
WellPlacement placement_of(const std::vector<WellPlace>& places) {
    const DatasetContent content = cartesian_content();
    return well_placement(Dataset(views_of(content)), {0, 1}, content, places);
}

std::string refusal(const std::vector<WellPlace>& places) {
    try {
        placement_of(places);
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(WellPlacement, KnowsTheWellsOfTheCases) {
    const WellPlacement placement = placement_of({});
    EXPECT_THAT(placement.wells, ElementsAre(ElementsAre(1, 7), ElementsAre(1, 7)));
    EXPECT_THAT(placement.combinations, ElementsAre(SizeIs(0)));
    EXPECT_EQ(placement.count(), 2);
    EXPECT_EQ(WellPlacement().count(), 1);
}

TEST(WellPlacement, PutsEachCombinationInTheOrderOfColumns) {
    const WellPlacement placement = placement_of({{500.0, 60.0}, {50.0, 20.0}, {500.0, 20.0}});  // columns 7, 1 and 3
    EXPECT_THAT(placement.combinations, ElementsAre(ElementsAre(1, 2), ElementsAre(1, 0), ElementsAre(2, 0)));
}

TEST(WellPlacement, RefusesPlacesThatNoWellCanHave) {
    EXPECT_THAT(refusal({{50.0, 20.0}}), HasSubstr("well_places names 1 place (the cases of"));
    EXPECT_THAT(refusal({{50.0, 20.0}, {60.0, 30.0}}),
                HasSubstr("well_places[1] lies in the column of well_places[0]"));
    EXPECT_THAT(refusal({{50.0, 20.0}, {5000.0, 30.0}}), HasSubstr("well_places[1]: the place x 5000 m, y 30 m lies"));
    EXPECT_THAT(refusal({{50.0, 20.0}, {50.0, 150.0}}), HasSubstr("well_places[1]: case 0 of"));
}

TEST(WellPlacement, RefusesMoreCombinationsThanCanBeSearched) {
    DatasetContent content = cartesian_content();
    std::vector<float>&rates = content.arrays.at("cell_injection_rate"), &open = content.arrays.at("perforation");
    for (const unsigned cell : {0U, 2U, 3U}) {  // three more wells in each case
        rates[cell] = rates[24 + cell] = open[cell] = open[24 + cell] = 1.0F;
    }
    std::vector<WellPlace> all;
    for (const double y : {20.0, 60.0}) {
        for (const double x : {-50.0, 50.0, 200.0, 500.0}) {
            all.push_back({x, y});
        }
    }
    const MemoryCases cases = views_of(content);
    EXPECT_THAT(well_placement(Dataset(cases), {0, 1}, content, all).combinations, SizeIs(56));  // 5 of 8
    content.x_edges = {-100.0, 0.0, 100.0, 300.0, 700.0};
    content.y_edges = {0.0, 50.0, 100.0, 200.0};
    for (float& active : content.arrays.at("active")) {
        active = 1.0F;
    }
    for (const double x : {-50.0, 50.0}) {
        all.push_back({x, 150.0});
    }
    try {
        well_placement(Dataset(views_of(content)), {0, 1}, content, all);
        ADD_FAILURE() << "taken";
    } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), HasSubstr("5 wells have 252 combinations of 10 places"));
    }
}

TEST(ColumnSum, AddsTheLayersOfAColumn) { EXPECT_EQ(column_sum({1, 2, 3, 4, 5, 6}, 1, 3), 7.0); }

}  // namespace
}  // namespace plumecast::testing
