#include "backend/cuda/kernels/indexing/positions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "backend/cuda/indexing/large_arrays.hpp"
#include "backend/cuda/kernels/box.hpp"
#include "backend/cuda/kernels/elementwise.hpp"
#include "backend/cuda/kernels/indexing/grid.hpp"
#include "backend/cuda/kernels/indexing/packs.hpp"

namespace plumecast::testing {
namespace {

struct CountsEitherWay {
    std::int64_t met = 0;
    constexpr std::int64_t positions() const { return met; }
};
struct CountsInWide {};

template <class Kernel>
bool is_narrow(std::int64_t count, const Kernel& kernel) {
    bool narrow = false;
    cuda::with_position_type(count, kernel,
                             [&]<class Position>() { narrow = std::is_same_v<Position, cuda::NarrowPosition>; });
    return narrow;
}

TEST(Positions, AreCountedIn32BitsBelowTheBorderAndIn64FromThere) {
    EXPECT_TRUE(is_narrow(border - 1, CountsEitherWay{}));
    EXPECT_FALSE(is_narrow(border, CountsEitherWay{}));
    EXPECT_TRUE(is_narrow(1, CountsEitherWay{border - 1}));
    EXPECT_FALSE(is_narrow(1, CountsEitherWay{border})) << "few indices that meet many positions";
    EXPECT_FALSE(is_narrow(1, CountsInWide{}));
}

TEST(Positions, OfAGridStrideLoopStayIn32BitsBeyondTheLastIndex) {
    constexpr std::int64_t threads = std::int64_t{256} << 20;  // of the largest launch
    EXPECT_LT(cuda::most_narrow_positions + threads, std::int64_t{1} << 32);
}

TEST(Divisor, DividesAsTheProcessorDoes) {
    std::vector<std::int64_t> values{1, 2, 3, 5, 7, 22, 24, 36, 40, 200, 641, 6700417, border - 1};
    for (int bit = 2; bit < 31; ++bit) {
        const std::int64_t power = std::int64_t{1} << bit;
        values.insert(values.end(), {power - 1, power, power + 1});
    }
    for (const std::int64_t value : values) {
        const cuda::Divisor divisor(value);
        for (std::int64_t multiple = 0; multiple < border;
             multiple += std::max(border / 7 / value, std::int64_t{1}) * value) {
            for (const std::int64_t n : {multiple - 1, multiple, multiple + 1, border - 1, border - 2}) {
                if (n < 0 || n >= border) {
                    continue;
                }
                const auto narrow = static_cast<cuda::NarrowPosition>(n);
                ASSERT_EQ(divisor.quotient(narrow), n / value) << n << " / " << value;
                ASSERT_EQ(divisor.rest(narrow), n % value) << n << " % " << value;
                ASSERT_EQ(divisor.quotient(n), n / value);
            }
        }
    }
    EXPECT_EQ(cuda::Divisor(3 * border).quotient(7 * border), 2);
}

template <class Position>
void expect_last_cell(const Shape& shape) {
    const cuda::Grid<Shape::max_rank> grid(shape);
    const auto last = static_cast<Position>(shape.count() - 1);
    const auto cell = grid.cell(last);
    for (int axis = 0; axis < shape.rank(); ++axis) {
        const auto at = static_cast<std::size_t>(Shape::max_rank - shape.rank() + axis);
        EXPECT_EQ(static_cast<std::int64_t>(cell[at]), shape[axis] - 1) << shape.text() << " axis " << axis;
    }
    EXPECT_EQ(grid.position(cell), last);
}

TEST(Grid, FindsTheLastCellOnBothSidesOfTheBorder) {
    expect_last_cell<cuda::NarrowPosition>({1, 7, 151, 4327, 469});  // 2^31 - 2,446,957
    expect_last_cell<cuda::NarrowPosition>({border - 1});
    expect_last_cell<cuda::WidePosition>({2, 104, 208, 32, 1552});  // 2^31 + 1,179,648
    expect_last_cell<cuda::WidePosition>({border});
}

TEST(Packs, ReachTheLastElementsOnBothSidesOfTheBorder) {
    for (const std::int64_t count : {border - 1, border, border + 5}) {
        const Untouched<bfloat16> x(count), y(count);
        if (!x.exists() || !y.exists()) {
            GTEST_SKIP() << "no addresses for " << count << " elements";
        }
        x.elements()[count - 1] = bfloat16(3.0f);
        x.elements()[count - 8] = bfloat16(5.0f);
        LastIndices executor;
        cuda::run_elements(executor, count, cuda::kernel::Convert<bfloat16>{2.0f}, y.elements(),
                           static_cast<const bfloat16*>(x.elements()));
        EXPECT_EQ(static_cast<float>(y.elements()[count - 1]), 6.0f) << count;
        EXPECT_EQ(static_cast<float>(y.elements()[count - 8]), 10.0f) << count;
    }
}

TEST(Packs, CopyABoxFromTheEndOfAFieldBeyondTheBorder) {
    const Shape field{3, 1 << 10, 1 << 10, 1 << 10, 1}, box{1, 1, 1, 1, 1};
    const Untouched<bfloat16> x(field.count());
    if (!x.exists()) {
        GTEST_SKIP() << "no addresses for " << field.count() << " elements";
    }
    x.elements()[field.count() - 1] = bfloat16(7.0f);
    bfloat16 y(1.0f);
    const cuda::kernel::CopyBox<5, 1, bfloat16> copy{cuda::Grid<5>(box),
                                                     cuda::Grid<5>(field),
                                                     cuda::Grid<5>(box),
                                                     {2, 1023, 1023, 1023, 0},
                                                     {},
                                                     cuda::as_packs<1>(static_cast<const bfloat16*>(x.elements())),
                                                     cuda::as_packs<1>(&y),
                                                     1.0f};
    LastIndices().run(1, copy);
    EXPECT_EQ(static_cast<float>(y), 8.0f);
}

std::int64_t indices_for(std::int64_t count, std::int64_t first) {
    alignas(16) std::array<bfloat16, 64> x{}, y{};
    x.fill(bfloat16(1.5f));
    CountedIndices executor;
    cuda::run_elements(executor, count, cuda::kernel::Convert<bfloat16>{2.0f}, y.data() + first,
                       static_cast<const bfloat16*>(x.data() + first));
    for (std::size_t i = 0; i < y.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        EXPECT_EQ(static_cast<float>(y[i]), at >= first && at < first + count ? 3.0f : 0.0f) << "element " << i;
    }
    return executor.indices;
}

TEST(Packs, MoveSixteenBytesAnIndexAndTheRestOneByOne) {
    EXPECT_EQ(indices_for(48, 0), 6);
    EXPECT_EQ(indices_for(45, 0), 6);
    EXPECT_EQ(indices_for(3, 0), 1);
    EXPECT_EQ(indices_for(48, 8), 6);
}

TEST(Packs, AreSingleElementsWhereAnArrayBeginsBetweenThem) { EXPECT_EQ(indices_for(48, 1), 48); }

}  // namespace
}  // namespace plumecast::testing
