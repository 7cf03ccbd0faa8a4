#include <plumecast/physics/co2_solubility.hpp>

#include <gtest/gtest.h>

namespace plumecast {
namespace {

TEST(Co2Solubility, GrowsWithPressureAndVanishesWithIt) {
    EXPECT_LT(co2_solubility(2.0, 50.0), co2_solubility(20.0, 50.0));
    EXPECT_LT(co2_solubility(20.0, 50.0), co2_solubility(200.0, 50.0));
    EXPECT_NEAR(co2_solubility(1.0, 50.0), 7.6e-4, 2e-4);
}

}  // namespace
}  // namespace plumecast
