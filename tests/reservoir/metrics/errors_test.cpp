#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/metrics/errors.hpp>

namespace plumecast {
namespace {

// Two cells in a column, two times, and the arrays a FieldCase looks at.
struct SmallCase {
    std::vector<float> prediction;
    std::vector<float> truth;
    std::vector<float> active{1.0F, 1.0F};

    FieldCase view() const {
        const Shape field{2, 1, 2};
        return {{field, DType::float32, prediction.data()},
                {field, DType::float32, truth.data()},
                {{2, 1}, DType::float32, active.data()},
                {}};
    }
};

CaseErrors case_errors(const FieldCase& one) { return ErrorSummary().add(one); }

TEST(CaseErrors, PlumeErrorCountsCellsWhereEitherFieldHasGas) {
    // Cell 0: 0.5 -> 0.4 and 0 -> 0.1; cell 1: no gas in either at time 0, truth alone at time 1.
    const SmallCase one{{0.5F, 0.1F, 0.005F, 0.0F}, {0.4F, 0.0F, 0.0F, 0.2F}};
    EXPECT_NEAR(case_errors(one.view()).mpe, (0.1 + 0.1 + 0.2) / 3.0, 1e-7);
}

TEST(CaseErrors, PlumeErrorIsZeroWithoutAnyPlume) {
    const SmallCase one{{0.0F, 0.001F, 0.0F, 0.0F}, {0.0F, 0.0F, 0.0F, 0.0F}};
    const CaseErrors errors = case_errors(one.view());
    EXPECT_EQ(errors.mpe, 0.0);
    EXPECT_EQ(errors.r2_plume, 1.0);
}

// The example of docs/numerics.md.
TEST(CaseErrors, PlumeErrorGrowsWhereAHazeSinksBelowItsThresholdAndEachErrorFalls) {
    std::vector<float> truth(100, 0.0F), early(100, 0.011F), late(100, 0.009F);
    std::fill_n(truth.begin(), 10, 0.5F);
    std::fill_n(early.begin(), 10, 0.45F);
    std::fill_n(late.begin(), 10, 0.46F);
    const std::vector<float> active(100, 1.0F);
    const auto errors = [&](const std::vector<float>& prediction) {
        const Shape field{10, 10, 1};
        return case_errors({{field, DType::float32, prediction.data()},
                            {field, DType::float32, truth.data()},
                            {{10, 10}, DType::float32, active.data()},
                            {}});
    };
    EXPECT_NEAR(errors(early).mpe, 0.0149, 1e-6);
    EXPECT_NEAR(errors(late).mpe, 0.04, 1e-6);
    EXPECT_NEAR(errors(early).relative_l2, 0.1198, 1e-4);
    EXPECT_NEAR(errors(late).relative_l2, 0.0965, 1e-4);
    EXPECT_LT(errors(late).mae, errors(early).mae);
}

TEST(CaseErrors, RelativeErrorDividesByTheLargestValueOfEachTime) {
    // Time 0: mean |d| = 1, max 4. Time 1: mean |d| = 3, max 10.
    const SmallCase one{{3.0F, 14.0F, 3.0F, 8.0F}, {4.0F, 10.0F, 2.0F, 6.0F}};
    EXPECT_NEAR(case_errors(one.view()).mre, 0.5 * (1.0 / 4.0 + 3.0 / 10.0), 1e-12);
}

TEST(CaseErrors, RelativeErrorLeavesOutTimesWithoutPositiveValues) {
    const SmallCase one{{3.0F, 5.0F, 3.0F, 1.0F}, {4.0F, 0.0F, 2.0F, -1.0F}};
    EXPECT_NEAR(case_errors(one.view()).mre, 0.25, 1e-12);
}

TEST(CaseErrors, AbsoluteAndSquareErrorsMatchHandComputation) {
    const SmallCase one{{1.0F, 2.0F, 3.0F, 6.0F}, {1.0F, 2.0F, 3.0F, 4.0F}};
    const CaseErrors errors = case_errors(one.view());
    EXPECT_NEAR(errors.mae, 0.5, 1e-12);
    EXPECT_NEAR(errors.rmse, 1.0, 1e-12);
    EXPECT_NEAR(errors.relative_l2, std::sqrt(4.0 / 30.0), 1e-12);
    EXPECT_NEAR(errors.r2, 1.0 - 4.0 / 5.0, 1e-12);
}

TEST(CaseErrors, NeverReadsInactiveCells) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const SmallCase one{{1.0F, 2.0F, nan, nan}, {1.0F, 3.0F, 9.0F, nan}, {1.0F, 0.0F}};
    const CaseErrors errors = case_errors(one.view());
    EXPECT_NEAR(errors.mae, 0.5, 1e-12);
    EXPECT_NEAR(errors.mre, 0.5 / 3.0, 1e-12);
    EXPECT_NEAR(errors.r2, 1.0 - 1.0 / 2.0, 1e-12);
}

TEST(CaseErrors, StayFiniteForAConstantTruth) {
    const SmallCase zero{{1.0F, 1.0F, 1.0F, 1.0F}, {0.0F, 0.0F, 0.0F, 0.0F}};
    const CaseErrors errors = case_errors(zero.view());
    EXPECT_EQ(errors.relative_l2, 1.0);
    EXPECT_EQ(errors.r2, 0.0);
    EXPECT_EQ(errors.mre, 0.0);
    const SmallCase same{{2.0F, 2.0F, 2.0F, 2.0F}, {2.0F, 2.0F, 2.0F, 2.0F}};
    EXPECT_EQ(case_errors(same.view()).r2, 1.0);
}

TEST(CaseErrors, StayFiniteWithoutActiveCells) {
    const SmallCase one{{1.0F, 1.0F, 1.0F, 1.0F}, {2.0F, 2.0F, 2.0F, 2.0F}, {0.0F, 0.0F}};
    const CaseErrors errors = case_errors(one.view());
    for (const auto member : case_error_members) {
        EXPECT_TRUE(std::isfinite(errors.*member));
    }
}

TEST(CaseErrors, ShowANotANumberPredictionInsteadOfSkippingIt) {
    const SmallCase one{{std::numeric_limits<float>::quiet_NaN(), 0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, 0.0F, 0.5F}};
    EXPECT_TRUE(std::isnan(case_errors(one.view()).mpe));
}

TEST(CaseErrors, RefuseFieldsOfDifferentGrids) {
    const SmallCase one{{0.0F, 0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, 0.0F, 0.0F}};
    FieldCase wrong = one.view();
    wrong.active = wrong.active.reshaped({1, 2});
    EXPECT_THROW(case_errors(wrong), InvalidInput);
}

TEST(CaseErrors, MassErrorUsesTheLastTime) {
    const SmallCase one{{0.9F, 0.5F, 0.9F, 0.5F}, {0.0F, 0.25F, 0.0F, 0.5F}};
    FieldCase with_pores = one.view();
    const std::vector<double> pores{2.0, 1.0};
    with_pores.pore_volumes = pores;
    EXPECT_NEAR(case_errors(with_pores).mass_error, 0.5, 1e-12);
}

TEST(ErrorSummary, AveragesCasesAndPoolsSquares) {
    const SmallCase first{{1.0F, 2.0F, 3.0F, 6.0F}, {1.0F, 2.0F, 3.0F, 4.0F}};    // mae 0.5, SSE 4
    const SmallCase second{{5.0F, 6.0F, 7.0F, 14.0F}, {5.0F, 6.0F, 7.0F, 8.0F}};  // mae 1.5, SSE 36
    ErrorSummary summary;
    summary.add(first.view());
    summary.add(second.view());
    ASSERT_EQ(summary.cases().size(), 2U);
    EXPECT_NEAR(summary.mean().mae, 1.0, 1e-12);
    EXPECT_NEAR(summary.deviation().mae, 0.5, 1e-12);
    EXPECT_NEAR(summary.quantile(0.9).mae, 1.4, 1e-12);
    // The truth is 1..8: squared deviation 42.
    EXPECT_NEAR(summary.pooled_r2(), 1.0 - 40.0 / 42.0, 1e-12);
    EXPECT_NEAR(summary.pooled_r2_plume(), 1.0 - 40.0 / 42.0, 1e-12);
}

TEST(ErrorSummary, JoinsAnotherSummary) {
    const SmallCase first{{1.0F, 2.0F, 3.0F, 6.0F}, {1.0F, 2.0F, 3.0F, 4.0F}};
    const SmallCase second{{5.0F, 6.0F, 7.0F, 14.0F}, {5.0F, 6.0F, 7.0F, 8.0F}};
    ErrorSummary one, other, both;
    one.add(first.view());
    other.add(second.view());
    both.add(first.view());
    both.add(second.view());
    one.add(other);
    EXPECT_EQ(one.cases().size(), 2U);
    EXPECT_EQ(one.mean().mae, both.mean().mae);
    EXPECT_NEAR(one.pooled_r2(), both.pooled_r2(), 1e-12);
    EXPECT_NEAR(one.pooled_r2_plume(), both.pooled_r2_plume(), 1e-12);
}

TEST(ErrorSummary, IsZeroWithoutCases) {
    const ErrorSummary summary;
    EXPECT_EQ(summary.mean().mpe, 0.0);
    EXPECT_EQ(summary.deviation().mre, 0.0);
    EXPECT_EQ(summary.quantile(0.5).mae, 0.0);
    EXPECT_EQ(summary.pooled_r2(), 1.0);
}

TEST(ErrorSummary, RefusesAQuantileThatIsNoFraction) { EXPECT_THROW(ErrorSummary().quantile(90.0), InvalidInput); }

}  // namespace
}  // namespace plumecast
