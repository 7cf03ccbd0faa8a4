#include "reservoir/physics/scalars/dual.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace plumecast {
namespace {

/// Of three numbers, with every operation.
template <typename Number>
Number formula(const Number& a, const Number& b, const Number& c) {
    const Number quotient = (a - 2.0 * b) / (c * c + 1.0), part = 1.0 / (a + b), scaled = -(quotient * 3.0) / 7.0;
    Number sum = chosen(a > b, quotient, part) + chosen(a < b, scaled, part * c);
    sum += std::max(a, c) * std::min(b, c) - part;
    return sum + chosen(a >= 0.0, scaled * b, Number(1.0));
}

TEST(Dual, HasTheValueAndTheDifferencesOfAFormula) {
    constexpr double step = 1e-6;
    for (const auto& at : {std::array{1.5, 0.7, 0.9}, std::array{0.4, 1.9, -1.1}, std::array{-0.3, 2.2, 5.0}}) {
        using Three = Dual<3>;
        const Three found =
            formula(Three(at[0], {1.0, 0.0, 0.0}), Three(at[1], {0.0, 1.0, 0.0}), Three(at[2], {0.0, 0.0, 1.0}));
        EXPECT_DOUBLE_EQ(found.value, formula(at[0], at[1], at[2]));
        for (std::size_t i = 0; i < at.size(); ++i) {
            auto low = at, high = at;
            low[i] -= step;
            high[i] += step;
            const double difference = formula(high[0], high[1], high[2]) - formula(low[0], low[1], low[2]);
            EXPECT_NEAR(found.by[i], difference / (2.0 * step), 1e-8 * (1.0 + std::abs(found.by[i]))) << i;
        }
    }
}

TEST(Dual, OfAConstantHasNoSlopes) {
    const Dual<2> sum = formula<Dual<2>>(1.0, 2.0, 3.0);
    EXPECT_EQ(sum.by, (std::array{0.0, 0.0}));
    EXPECT_EQ(value_of(sum), sum.value);
    EXPECT_EQ(value_of(2.5), 2.5);
}

}  // namespace
}  // namespace plumecast
