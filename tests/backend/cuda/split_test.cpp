#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "backend/cuda/autotuner.hpp"
#include "backend/cuda/kernels/split.hpp"
#include "core/random.hpp"
#include "spectral/modes.hpp"

namespace plumecast::testing {
namespace {

using cuda::ten_bits;

TEST(Split, RoundsToTheNearestOfTenBitsTiesToEven) {
    EXPECT_EQ(ten_bits(1.0f), 1.0f);
    EXPECT_EQ(ten_bits(1.0f + 0x1p-10f), 1.0f + 0x1p-10f);
    EXPECT_EQ(ten_bits(1.0f + 0x1p-11f), 1.0f);
    EXPECT_EQ(ten_bits(1.0f + 3 * 0x1p-11f), 1.0f + 0x1p-9f);
    EXPECT_EQ(ten_bits(-1.0f - 0x1.8p-11f), -1.0f - 0x1p-10f);
    EXPECT_EQ(ten_bits(0.0f), 0.0f);
    EXPECT_EQ(ten_bits(std::numeric_limits<float>::infinity()), std::numeric_limits<float>::infinity());
    EXPECT_TRUE(std::isnan(ten_bits(std::numeric_limits<float>::quiet_NaN())));
}

TEST(Split, PartsAddUpToTwentyTwoBits) {
    const RandomStream random(2026, "split");
    for (std::uint64_t i = 0; i < 10000; ++i) {
        const auto x = static_cast<float>(random.normal(i));
        float high = 0.0f, low = 0.0f;
        cuda::kernel::Split{&x, &high, &low}(0);
        EXPECT_LE(std::abs(static_cast<double>(x) - high - low), 0x1p-22 * std::abs(x));
        EXPECT_EQ(ten_bits(high), high);
        EXPECT_EQ(ten_bits(low), low);
    }
}

/// What the matrix units make of a product with ten-bit factors: exact products, sums in float32.
double ten_bit_sum(const std::vector<float>& a, const std::vector<float>& b, float start) {
    float sum = start;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += ten_bits(a[i]) * ten_bits(b[i]);
    }
    return static_cast<double>(sum);
}

struct Parts {
    std::vector<float> high, low;
    explicit Parts(const std::vector<float>& x) : high(x.size()), low(x.size()) {
        const cuda::kernel::Split split{x.data(), high.data(), low.data()};
        for (std::size_t i = 0; i < x.size(); ++i) {
            split(static_cast<std::int64_t>(i));
        }
    }
};

TEST(Split, ThreeProductsAreAsExactAsOneInFloat32) {
    const std::int64_t cells = 208;
    const std::vector<double> rows = SpaceModes{cells, 10}.rows(0, cells);
    const RandomStream random(2026, "field");
    std::vector<float> x(cells);
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = static_cast<float>(random.normal(i));
    }
    const Parts field(x);
    double plain_error = 0.0, once_error = 0.0, split_error = 0.0, norm = 0.0;
    for (std::size_t first = 0; first < rows.size(); first += x.size()) {
        const std::vector<float> row(rows.begin() + static_cast<std::ptrdiff_t>(first),
                                     rows.begin() + static_cast<std::ptrdiff_t>(first + x.size()));
        const Parts matrix(row);
        double exact = 0.0;
        float plain = 0.0f;
        for (std::size_t i = 0; i < x.size(); ++i) {
            exact += static_cast<double>(row[i]) * static_cast<double>(x[i]);
            plain += row[i] * x[i];
        }
        auto sum = static_cast<float>(ten_bit_sum(matrix.low, field.high, 0.0f));
        sum = static_cast<float>(ten_bit_sum(matrix.high, field.low, sum));
        const double split = ten_bit_sum(matrix.high, field.high, sum);
        plain_error += std::pow(static_cast<double>(plain) - exact, 2);
        once_error += std::pow(ten_bit_sum(row, x, 0.0f) - exact, 2);
        split_error += std::pow(split - exact, 2);
        norm += exact * exact;
    }
    EXPECT_LT(std::sqrt(split_error / norm), 1e-6);
    EXPECT_LT(std::sqrt(split_error), 3.0 * std::sqrt(plain_error));
    EXPECT_GT(std::sqrt(once_error), 100.0 * std::sqrt(split_error));
}

TEST(SplitProducts, BeginWithTheSmallPartsAndEndWhereTheFirstIsRefused) {
    const std::vector<float> numbers{1.0f, 2.0f, 3.0f, 4.0f};
    const cuda::TenBitParts x{numbers.data(), &numbers[1]}, w{&numbers[2], &numbers[3]};
    float result = 100.0f;
    int products = 0;
    const auto multiply = [&](const float* a, const float* b, float beta) {
        ++products;
        result = beta * result + *a * *b;
        return true;
    };
    EXPECT_TRUE(cuda::in_three_products(x, w, 0.5f, multiply));
    EXPECT_EQ(result, 50.0f + 2.0f * 3.0f + 1.0f * 4.0f + 1.0f * 3.0f);
    EXPECT_EQ(products, 3);
    const auto refuse = [&](const float*, const float*, float) { return ++products < 0; };
    EXPECT_FALSE(cuda::in_three_products(x, w, 0.0f, refuse));
    EXPECT_EQ(products, 4);
}

TEST(Autotuner, IsTimedOncePerKindAndLeavesOutWhatCannotBeDone) {
    cuda::Autotuner<std::string> fastest;
    int timed = 0;
    const auto seconds = [&](std::size_t way) {
        ++timed;
        return std::vector<double>{3.0, -1.0, 2.0}[way];
    };
    EXPECT_FALSE(fastest.knows("a"));
    EXPECT_EQ(fastest.choose("a", 3, seconds), 2u);
    EXPECT_EQ(fastest.choose("a", 3, seconds), 2u);
    EXPECT_EQ(timed, 3);
    EXPECT_TRUE(fastest.knows("a"));
    EXPECT_EQ(fastest.choose("b", 2, seconds), 0u);
    EXPECT_THROW(fastest.choose("c", 1, [](std::size_t) { return -1.0; }), Error);
}

}  // namespace
}  // namespace plumecast::testing
