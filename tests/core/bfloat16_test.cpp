#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <plumecast/core/bfloat16.hpp>
#include <plumecast/core/dtype.hpp>

namespace plumecast {
namespace {

float through(float value) { return static_cast<float>(bfloat16(value)); }

TEST(Bfloat16, KeepsNumbersOfEightSignificantBits) {
    for (const float value : {0.0f, -0.0f, 1.0f, -2.5f, 255.0f, 0x1p-126f, 0x1.fep127f}) {
        EXPECT_EQ(through(value), value);
        EXPECT_EQ(std::signbit(through(value)), std::signbit(value));
    }
}

TEST(Bfloat16, RoundsToTheNearestAndTiesToEven) {
    EXPECT_EQ(through(1.0f + 0x1p-8f), 1.0f);
    EXPECT_EQ(through(1.0f + 0x3p-8f), 1.0f + 0x4p-8f);
    EXPECT_EQ(through(1.0f + 0x1.1p-8f), 1.0f + 0x2p-8f);
    EXPECT_EQ(through(-(1.0f + 0x1.1p-8f)), -(1.0f + 0x2p-8f));
}

TEST(Bfloat16, OverflowsToInfinityAndKeepsNan) {
    EXPECT_EQ(through(std::numeric_limits<float>::max()), std::numeric_limits<float>::infinity());
    EXPECT_EQ(through(-std::numeric_limits<float>::infinity()), -std::numeric_limits<float>::infinity());
    EXPECT_TRUE(std::isnan(through(std::numeric_limits<float>::quiet_NaN())));
    EXPECT_TRUE(std::isnan(through(std::bit_cast<float>(0x7f800001u))));
}

TEST(DType, TellsSizeAndNameOfEachType) {
    EXPECT_EQ(size_of(DType::bfloat16), sizeof(bfloat16));
    EXPECT_EQ(size_of(DType::float32), 4u);
    EXPECT_EQ(size_of(DType::float64), 8u);
    EXPECT_EQ(name_of(DType::bfloat16), "bfloat16");
    EXPECT_EQ(dtype_of<bfloat16>(), DType::bfloat16);
}

}  // namespace
}  // namespace plumecast
