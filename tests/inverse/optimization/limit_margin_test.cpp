#include "inverse/optimization/limit_margin.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plumecast {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const FigureBands both{0.9, 150, "abc", {{"bottom_hole_pressure", 0.1, 2.0}, {"max_buildup", 0.0, 3.0}}};

std::vector<NamedSeries> pressures() {
    return {{"bottom_hole_pressure", "bar", "", {110.0, 130.0}},
            {"bottom_hole_buildup", "bar", "", {10.0, 30.0}},
            {"max_buildup", "bar", "", {8.0, 20.0}},
            {"fracture_margin", "bar", "", {50.0, 30.0}}};
}

TEST(LimitMargin, OfAFigureWithAnIntervalIsHalfOfItAtEachTime) {
    EXPECT_THAT(margins_of({.figure = "bottom_hole_pressure", .at_most = 120.0}, pressures(), both),
                ElementsAre(4.0, 8.0));
}

TEST(LimitMargin, OfAFractureMarginIsTheWidestOfThePressuresBehindIt) {
    FigureBands wide = both;
    wide.figures[1].width = 5.0;
    EXPECT_THAT(margins_of({.figure = "fracture_margin", .at_least = 0.0}, pressures(), wide), ElementsAre(5.0, 8.0));
    EXPECT_THAT(margins_of({.figure = "cell_fracture_margin", .at_least = 0.0}, pressures(), wide),
                ElementsAre(5.0, 5.0));
    EXPECT_THAT(margins_of({.figure = "well_fracture_margin", .at_least = 0.0}, pressures(), wide),
                ElementsAre(4.0, 8.0));
}

TEST(LimitMargin, IsWhatIsStatedBeforeAnyInterval) {
    const StorageLimit limit{.figure = "max_buildup", .at_most = 60.0, .margin = 1.0};
    EXPECT_EQ(margin_source(limit, both), MarginSource::stated);
    EXPECT_THAT(margins_of(limit, pressures(), both), ElementsAre(1.0, 1.0));
}

TEST(LimitMargin, IsNotKnownWithoutAnIntervalOfAllThatIsBehindIt) {
    const FigureBands one{0.9, 150, "abc", {{"bottom_hole_pressure", 0.1, 2.0}}};
    const StorageLimit limit{.figure = "fracture_margin", .at_least = 0.0};
    EXPECT_EQ(margin_source(limit, both), MarginSource::interval);
    EXPECT_EQ(margin_source(limit, one), MarginSource::none);
    EXPECT_THAT(margins_of(limit, pressures(), one), ElementsAre(0.0, 0.0));
}

TEST(LimitMargin, OfAFrontOfAnotherBuildUpHasNoInterval) {
    EXPECT_THAT(figures_behind({.figure = "front_radius", .at_most = 5e3, .front = 2.0}), IsEmpty());
    EXPECT_THAT(figures_behind({.figure = "front_radius", .at_most = 5e3, .front = 1.0}), ElementsAre("front_radius"));
    EXPECT_THAT(figures_behind({.figure = "front_radius", .at_most = 5e3}), ElementsAre("front_radius"));
}

}  // namespace
}  // namespace plumecast
