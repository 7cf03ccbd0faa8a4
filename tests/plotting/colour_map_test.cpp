#include <gtest/gtest.h>

#include "plotting/colour_map.hpp"

namespace plumecast {
namespace {

double luminance(const Colour& colour) { return 0.2126 * colour.red + 0.7152 * colour.green + 0.0722 * colour.blue; }

TEST(ColourMap, SequentialGrowsLighterAtEveryStep) {
    for (int i = 1; i <= 64; ++i) {
        EXPECT_GT(luminance(colour_at(ColourMap::sequential, i / 64.0)),
                  luminance(colour_at(ColourMap::sequential, (i - 1) / 64.0)));
    }
}

TEST(ColourMap, DivergingIsNearlyWhiteInTheMiddleBlueBelowAndRedAbove) {
    const Colour middle = colour_at(ColourMap::diverging, 0.5);
    EXPECT_NEAR(middle.red, middle.blue, 0.01);
    EXPECT_GT(luminance(middle), 0.93);
    const Colour low = colour_at(ColourMap::diverging, 0.0);
    const Colour high = colour_at(ColourMap::diverging, 1.0);
    EXPECT_GT(low.blue, low.red + 0.3);
    EXPECT_GT(high.red, high.blue + 0.3);
}

TEST(ColourMap, ClampsOutsideItsRange) {
    EXPECT_EQ(colour_at(ColourMap::sequential, -3.0), colour_at(ColourMap::sequential, 0.0));
    EXPECT_EQ(colour_at(ColourMap::diverging, 3.0), colour_at(ColourMap::diverging, 1.0));
}

}  // namespace
}  // namespace plumecast
