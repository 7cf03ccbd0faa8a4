
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include <plumecast/core/error.hpp>

#include "spectral/modes.hpp"

namespace plumecast {
namespace {

using ::testing::HasSubstr;

double turn(double k, double n, double cells) { return 2.0 * std::numbers::pi * k * n / cells; }

TEST(SpaceModes, RowsAreCosinesThenSines) {
    const SpaceModes modes{5, 2};
    const std::vector<double> rows = modes.rows();
    ASSERT_EQ(rows.size(), 2u * 3 * 5);
    for (std::size_t k = 0; k <= 2; ++k) {
        for (std::size_t n = 0; n < 5; ++n) {
            const double angle = turn(static_cast<double>(k), static_cast<double>(n), 5.0);
            EXPECT_NEAR(rows[k * 5 + n], std::cos(angle), 1e-15);
            EXPECT_NEAR(rows[(3 + k) * 5 + n], std::sin(angle), 1e-15);
        }
    }
}

TEST(SpaceModes, RepeatWhereTheGridIsSmall) {
    EXPECT_EQ((SpaceModes{8, 3}.repeated_from()), 5);  // beyond the kept ones: nothing repeats
    EXPECT_EQ((SpaceModes{8, 4}.repeated_from()), 4);
    EXPECT_EQ((SpaceModes{5, 4}.repeated_from()), 1);
}

TEST(SpaceModes, RefuseCountsTheGridDoesNotHold) {
    EXPECT_NO_THROW((SpaceModes{5, 5}.check()));
    EXPECT_THROW((SpaceModes{5, 0}.check()), InvalidInput);
    try {
        SpaceModes{5, 6}.check();
        FAIL();
    } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), HasSubstr("6 modes on a space axis of 5 padded cells (1 to 5 exist)"));
        EXPECT_THAT(error.what(), HasSubstr("`modes`"));
    }
}

TEST(TimeModes, RowsAreCosinesThenNegativeSines) {
    const std::vector<double> rows = TimeModes{4, 3}.rows();
    ASSERT_EQ(rows.size(), 2u * 3 * 4);
    EXPECT_NEAR(rows[1 * 4 + 1], 0.0, 1e-15);
    EXPECT_NEAR(rows[(3 + 1) * 4 + 1], -1.0, 1e-15);
    EXPECT_NEAR(rows[2 * 4 + 1], -1.0, 1e-15);
}

TEST(TimeModes, CountZeroAndNyquistOnce) {
    const TimeModes even{6, 4}, odd{7, 4};
    EXPECT_EQ(even.multiplicity(0), 1.0);
    EXPECT_EQ(even.multiplicity(2), 2.0);
    EXPECT_EQ(even.multiplicity(3), 1.0);
    EXPECT_EQ(odd.multiplicity(3), 2.0);
}

TEST(TimeModes, WeightRowsByMultiplicityAndScale) {
    const TimeModes modes{6, 4};
    const std::vector<double> plain = modes.rows(), weighted = modes.weighted_rows(0.25);
    for (std::int64_t row = 0; row < 8; ++row) {
        for (std::int64_t n = 0; n < 6; ++n) {
            const auto at = static_cast<std::size_t>(row * 6 + n);
            EXPECT_EQ(weighted[at], plain[at] * 0.25 * modes.multiplicity(row % 4));
        }
    }
}

TEST(TimeModes, RefuseCountsBeyondNyquist) {
    EXPECT_NO_THROW((TimeModes{6, 4}.check()));
    EXPECT_NO_THROW((TimeModes{7, 4}.check()));
    EXPECT_THROW((TimeModes{6, 5}.check()), InvalidInput);
    EXPECT_THROW((TimeModes{7, 5}.check()), InvalidInput);
    EXPECT_THROW((TimeModes{7, 0}.check()), InvalidInput);
}

TEST(Transposed, SwapsRowsAndColumns) {
    EXPECT_EQ(transposed({1, 2, 3, 4, 5, 6}, 2), (std::vector<double>{1, 4, 2, 5, 3, 6}));
}

}  // namespace
}  // namespace plumecast
