#include "backend/cpu/bfloat16/kernels.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <plumecast/core/error.hpp>

#include "backend/cpu/processor/simd_levels.hpp"
#include "backend/cpu/simd.hpp"
#include "support/comparison.hpp"

namespace plumecast::testing {
namespace {

/// The loops of one instruction set; skipped where the processor lacks it.
class Bfloat16Kernels : public ::testing::TestWithParam<const char*> {
   protected:
    void SetUp() override {
        try {
            kernels_ = cpu::simd_kernels(GetParam()).bf16;
        } catch (const InvalidInput& missing) {
            GTEST_SKIP() << missing.what();
        }
    }
    const cpu::Bfloat16Kernels& kernels() const { return *kernels_; }

   private:
    const cpu::Bfloat16Kernels* kernels_ = nullptr;
};
INSTANTIATE_TEST_SUITE_P(Levels, Bfloat16Kernels, ::testing::Values("baseline", "avx2", "avx512", "avx512_bf16"),
                         [](const auto& level) { return std::string(level.param); });

/// Ordinary numbers, ties, extremes and what is not a number, more than two vectors of them.
std::vector<float> numbers() {
    std::vector<float> result{0.0f,
                              -0.0f,
                              1.0f + 0x1p-8f,
                              1.0f + 0x3p-8f,
                              -(1.0f + 0x1.1p-8f),
                              0x1p-126f,
                              std::numeric_limits<float>::max(),
                              -std::numeric_limits<float>::infinity(),
                              std::numeric_limits<float>::quiet_NaN(),
                              std::bit_cast<float>(0x7f800001u)};
    const Tensor random = random_tensor({61}, DType::float32, "numbers");
    result.insert(result.end(), random.values<float>().begin(), random.values<float>().end());
    return result;
}

TEST_P(Bfloat16Kernels, NarrowRoundsAsTheTypeDoesForEveryCount) {
    const std::vector<float> wide = numbers();
    for (std::size_t count = 0; count <= wide.size(); ++count) {
        std::vector<bfloat16> narrow(wide.size() + 1, bfloat16(7.0f));
        kernels().narrow(wide.data(), narrow.data(), static_cast<std::int64_t>(count));
        for (std::size_t i = 0; i < count; ++i) {
            const auto expected = static_cast<float>(bfloat16(wide[i])), found = static_cast<float>(narrow[i]);
            EXPECT_TRUE(std::isnan(expected) ? std::isnan(found)
                                             : std::bit_cast<int>(found) == std::bit_cast<int>(expected))
                << wide[i] << " became " << found;
        }
        EXPECT_EQ(narrow[count].bits, bfloat16(7.0f).bits) << "written beyond the end of " << count;
    }
}

TEST_P(Bfloat16Kernels, WidenIsExactForEveryBitPattern) {
    std::vector<bfloat16> narrow(65536);
    for (std::size_t i = 0; i < narrow.size(); ++i) {
        narrow[i].bits = static_cast<std::uint16_t>(i);
    }
    std::vector<float> wide(narrow.size());
    kernels().widen(narrow.data(), wide.data(), static_cast<std::int64_t>(narrow.size() - 1));
    for (std::size_t i = 0; i + 1 < narrow.size(); ++i) {
        ASSERT_EQ(std::bit_cast<std::uint32_t>(wide[i]), static_cast<std::uint32_t>(i) << 16);
    }
    EXPECT_EQ(wide.back(), 0.0f);
}

}  // namespace
}  // namespace plumecast::testing
