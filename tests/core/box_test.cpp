#include <gtest/gtest.h>

#include <plumecast/core/box.hpp>
#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

TEST(Box, KnowsItsExtents) {
    const Box box({1, 2, 3}, {4, 2, 9});
    EXPECT_EQ(box.extents(), (Shape{3, 0, 6}));
    EXPECT_TRUE(box.empty());
    EXPECT_EQ(Box(Shape{2, 5}).count(), 10);
    EXPECT_EQ(Box({1, 0}, {3, 5}).text(), "[1..3, 0..5]");
}

TEST(Box, WithCornersTheWrongWayRoundIsEmpty) { EXPECT_EQ(Box({5}, {2}).count(), 0); }

TEST(Box, IntersectsAxisByAxis) {
    EXPECT_EQ(intersection(Box({0, 2}, {4, 9}), Box({2, 0}, {7, 5})), Box({2, 2}, {4, 5}));
    EXPECT_TRUE(intersection(Box({0, 0}, {2, 2}), Box({2, 0}, {4, 2})).empty());
    EXPECT_TRUE(intersection(Box({0}, {2}), Box({5}, {9})).empty());
}

TEST(Box, ContainsWhatLiesInsideAndWhatIsEmpty) {
    const Box box({1, 1}, {5, 5});
    EXPECT_TRUE(box.contains(box));
    EXPECT_TRUE(box.contains(Box({2, 1}, {3, 5})));
    EXPECT_FALSE(box.contains(Box({0, 1}, {3, 5})));
    EXPECT_TRUE(box.contains(Box({9, 9}, {9, 10})));
}

TEST(Box, RefusesCornersOfDifferentSpaces) { EXPECT_THROW(Box({1, 2}, {3}), InvalidInput); }

}  // namespace
}  // namespace plumecast
