
#include <limits>

#include <gtest/gtest.h>

#include "core/number_text.hpp"

namespace plumecast {
namespace {

TEST(NumberText, ShowsNumbersBrieflyAndWhole) {
    EXPECT_EQ(number_text(0.0), "0");
    EXPECT_EQ(number_text(-0.0), "0");
    EXPECT_EQ(number_text(1e-9), "1e-09");
    EXPECT_EQ(number_text(0.1F), "0.1");
    EXPECT_EQ(number_text(10950.0), "10950");
    EXPECT_EQ(number_text(std::numeric_limits<double>::max()), "1.79769e+308");
    EXPECT_EQ(number_text(-std::numeric_limits<double>::quiet_NaN()), "NaN");
    EXPECT_EQ(number_text(-std::numeric_limits<double>::infinity()), "-infinity");
}

}  // namespace
}  // namespace plumecast
