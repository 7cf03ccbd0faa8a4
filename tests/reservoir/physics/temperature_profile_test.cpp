#include "reservoir/physics/temperature_profile.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "reservoir/physics/radial_cases.hpp"

namespace plumecast {
namespace {

TEST(TemperatureProfile, HoldsTheTemperatureOfTheCaseHalfwayToItsLowestActiveCell) {
    RadialCase radial = uniform_radial_case(4, 3);  // rows of 5 m, 60 degC
    radial.rock_fluid.temperature_gradient = 0.04;
    EXPECT_DOUBLE_EQ(radial.temperatures().at(10.0), 60.0);
    EXPECT_DOUBLE_EQ(radial.temperatures().at(20.0), 60.4);
    std::fill(radial.active.begin() + 6, radial.active.end(), 0);
    radial.active[7] = 1;  // one cell of the third row
    EXPECT_DOUBLE_EQ(radial.temperatures().at(7.5), 60.0);
    EXPECT_DOUBLE_EQ(radial.temperatures().at(0.0), 59.7);
}

TEST(TemperatureProfile, CountsItsMiddleFromTheFirstEdge) {
    EXPECT_EQ(middle_depth<char>({10.0, 20.0, 30.0}, {1, 1, 0, 0}), 15.0);
    EXPECT_EQ(middle_depth<char>({10.0, 20.0, 30.0}, {1, 1, 0, 1}), 20.0);
    EXPECT_EQ(active_base<char>({10.0, 20.0, 30.0}, {0, 0, 0, 0}), 10.0);
}

TEST(TemperatureProfile, OfOneTemperatureHasItEverywhere) {
    RadialCase radial = uniform_radial_case(4, 3);
    EXPECT_FALSE(radial.temperatures().grows_warmer());
    EXPECT_EQ(radial.temperatures().at(123.0), 60.0);
    radial.rock_fluid.temperature_gradient = 0.0;
    EXPECT_FALSE(radial.temperatures().grows_warmer());
    EXPECT_EQ(radial.temperatures().at(123.0), 60.0);
}

TEST(TemperatureProfile, WeighsTheInitialBrineAtItsOwnTemperatureWhereOneIsStated) {
    RadialCase radial = uniform_radial_case(4, 3);
    radial.rock_fluid.temperature_gradient = 0.04;
    EXPECT_TRUE(radial.temperatures().weighs_brine_as_it_is());
    EXPECT_DOUBLE_EQ(radial.temperatures().initial_brine_above(20.0), 60.0);
    radial.rock_fluid.initial_brine_temperature = 15.56;
    EXPECT_FALSE(radial.temperatures().weighs_brine_as_it_is());
    EXPECT_EQ(radial.temperatures().initial_brine_above(20.0), 15.56);
}

}  // namespace
}  // namespace plumecast
