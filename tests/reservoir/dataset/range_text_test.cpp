#include "reservoir/dataset/range_text.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace plumecast {
namespace {

TEST(RangeText, TellsANumberFromTheEndsOfItsRange) {
    EXPECT_EQ(number_text(static_cast<double>(1.0000001F), 0.0, 1.0), "1.0000001");
    EXPECT_EQ(number_text(1.5, 0.0, 1.0), "1.5");
    EXPECT_EQ(number_text(100000.01, 0.0, 1e5), "100000.01");
    EXPECT_EQ(number_text(0.1, 0.1, 1.0), "0.1") << "the end itself";
    EXPECT_EQ(number_text(std::numeric_limits<double>::infinity(), 0.0, 1.0), "infinity");
}

TEST(RangeText, LeavesTheUnitOneOut) {
    EXPECT_EQ(with_unit("0 to 1", "1"), "0 to 1");
    EXPECT_EQ(with_unit("12", "bar"), "12 bar");
}

}  // namespace
}  // namespace plumecast
