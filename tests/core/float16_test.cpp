#include "core/float16.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace plumecast {
namespace {

float number_of(std::uint16_t bits) { return static_cast<float>(float16{bits}); }

TEST(Float16, IsTheNumberOfItsBits) {
    EXPECT_EQ(number_of(0x3c00), 1.0F);
    EXPECT_EQ(number_of(0xc000), -2.0F);
    EXPECT_EQ(number_of(0x3555), 0x1.554p-2F);
    EXPECT_EQ(number_of(0x7bff), 65504.0F);
    EXPECT_EQ(number_of(0x0400), 0x1p-14F) << "the least normal one";
    EXPECT_EQ(number_of(0x0001), 0x1p-24F) << "the least of all";
    EXPECT_EQ(number_of(0x83ff), -0x1.ff8p-15F);
}

TEST(Float16, KeepsTheSignOfZeroInfinityAndNan) {
    EXPECT_EQ(number_of(0x0000), 0.0F);
    EXPECT_TRUE(std::signbit(number_of(0x8000)));
    EXPECT_EQ(number_of(0x7c00), std::numeric_limits<float>::infinity());
    EXPECT_EQ(number_of(0xfc00), -std::numeric_limits<float>::infinity());
    EXPECT_TRUE(std::isnan(number_of(0x7e00)));
}

}  // namespace
}  // namespace plumecast
