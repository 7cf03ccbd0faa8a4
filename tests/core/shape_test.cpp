#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/shape.hpp>

namespace plumecast {
namespace {

TEST(Shape, CountsElementsAndAxes) {
    const Shape shape{2, 3, 4};
    EXPECT_EQ(shape.rank(), 3);
    EXPECT_EQ(shape.count(), 24);
    EXPECT_EQ(shape.count(1, 3), 12);
    EXPECT_EQ(shape.count(1, 1), 1);
    EXPECT_EQ(Shape().count(), 1);
    EXPECT_EQ((Shape{5, 0}).count(), 0);
}

TEST(Shape, CountsNegativeAxesFromTheLast) {
    const Shape shape{2, 3, 4};
    EXPECT_EQ(shape[-1], 4);
    EXPECT_EQ(shape[-3], 2);
    EXPECT_EQ(shape.with(-1, 7), (Shape{2, 3, 7}));
}

TEST(Shape, RefusesAnAxisOutsideItsRank) {
    const Shape shape{2, 3};
    EXPECT_THROW(shape[2], Error);
    EXPECT_THROW(shape[-3], Error);
    EXPECT_THROW(shape.with(2, 1), Error);
    EXPECT_THROW(shape.slice(1, 3), Error);
    EXPECT_THROW(shape.slice(2, 1), Error);
}

TEST(Shape, RefusesNegativeExtentsAndMoreThanEightAxes) {
    EXPECT_THROW((Shape{2, -1}), InvalidInput);
    EXPECT_NO_THROW((Shape{1, 1, 1, 1, 1, 1, 1, 1}));
    EXPECT_THROW((Shape{1, 1, 1, 1, 1, 1, 1, 1, 1}), InvalidInput);
    EXPECT_THROW((Shape{1, 1, 1, 1, 1, 1, 1, 1}.append(1)), Error);
}

TEST(Shape, SlicesAndAppendsAxes) {
    const Shape shape{2, 3, 4};
    EXPECT_EQ(shape.slice(1, 3), (Shape{3, 4}));
    EXPECT_EQ(shape.slice(1, 1), Shape());
    EXPECT_EQ(shape.append(5), (Shape{2, 3, 4, 5}));
    EXPECT_EQ(shape, (Shape{2, 3, 4}));
}

TEST(Shape, ComparesRankAndExtents) {
    EXPECT_NE((Shape{2, 3}), (Shape{2, 3, 1}));
    EXPECT_NE((Shape{2, 3}), (Shape{3, 2}));
    EXPECT_EQ((Shape{2, 3}.with(0, 3).slice(0, 1)), Shape{3});
}

TEST(Shape, WritesItselfAsAList) {
    EXPECT_EQ((Shape{2, 3}).text(), "[2, 3]");
    EXPECT_EQ(Shape().text(), "[]");
}

TEST(Shape, TakesItsExtentsFromASpan) {
    const std::vector<std::int64_t> extents{6, 7};
    const Shape shape{std::span<const std::int64_t>(extents)};
    EXPECT_EQ(shape, (Shape{6, 7}));
    EXPECT_EQ(std::vector<std::int64_t>(shape.extents().begin(), shape.extents().end()), extents);
}

}  // namespace
}  // namespace plumecast
