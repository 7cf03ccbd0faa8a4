#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "backend/conv/conv_cases.hpp"
#include "backend/cuda/kernels/conv/products.hpp"
#include "backend/cuda/kernels/moments.hpp"
#include "backend/cuda/kernels/reduce.hpp"
#include "backend/cuda/kernels/transform.hpp"
#include "support/comparison.hpp"
#include "support/kernels_on_host.hpp"
#include "support/op_check.hpp"

namespace plumecast::testing {
namespace {

/// A few ops that need memory for intermediate results.
void run_ops(Backend& backend, View x, View sums, View moments) {
    backend.squared_norm(x);
    backend.column_sums(x, {sums, 1.0});
    backend.moments(x, moments);
    backend.upload(host_zeros({3}, DType::float64), sums);
}

TEST(Kernels, ThrowDeviceErrorAndLeaveNoMemoryBehindWhereverAnAllocationFails) {
    auto owned = std::make_unique<CountedMemory>();
    CountedMemory& memory = *owned;
    const auto backend = make_kernels_on_host(std::move(owned));
    Arrays a(*backend);
    const View x = a.random("x", {5000, 3}), sums = a.random("sums", {3}), moments = a.output64("moments", {2, 3});
    const std::size_t before = memory.live_bytes();
    std::int64_t failures = 0;
    for (bool failed = true; failed; failures += failed ? 1 : 0) {
        memory.fail_after(failures);
        try {
            run_ops(*backend, x, sums, moments);
            failed = false;
        } catch (const DeviceError&) {
        }
        memory.fail_after(-1);
        EXPECT_EQ(memory.live_bytes(), before) << "after failure " << failures;
    }
    EXPECT_GT(failures, 5);
}

TEST(Kernels, SumInPiecesThatFollowFromTheShapeAlone) {
    EXPECT_EQ(cuda::piece_count(0, 3), 1);
    EXPECT_EQ(cuda::piece_count(31, 1), 1);
    EXPECT_EQ(cuda::piece_count(6400, 36), 200);
    EXPECT_EQ(cuda::piece_count(std::int64_t{1} << 40, 1), std::int64_t{1} << 18);
    EXPECT_EQ(cuda::piece_count(std::int64_t{1} << 40, std::int64_t{1} << 20), 1);
}

TEST(Kernels, MomentsOfTwoHalvesMergeToThoseOfTheWhole) {
    const std::vector<double> values{4096.0, 4097.5, 4095.0, 4090.0, 4100.25};
    const auto of = [&](std::size_t begin, std::size_t end) {
        cuda::kernel::Moment moment;
        for (std::size_t i = begin; i < end; ++i) {
            moment.merge({1.0, values[i], 0.0});
        }
        return moment;
    };
    cuda::kernel::Moment joined = of(0, 2);
    joined.merge(of(2, 5));
    joined.merge({});
    EXPECT_EQ(joined.count, 5.0);
    EXPECT_NEAR(joined.mean, 4095.75, 1e-12);
    EXPECT_NEAR(joined.squares, of(0, 5).squares, 1e-9);
    EXPECT_NEAR(joined.squares, 57.0, 1e-9);
}

TEST(Kernels, StoreAMatrixTheOtherWayRoundWhereItsRowsAreThenOf16Bytes) {
    EXPECT_TRUE(cuda::is_better_transposed(200, 22)) << "rows of 44 bytes";
    EXPECT_FALSE(cuda::is_better_transposed(22, 200));
    EXPECT_FALSE(cuda::is_better_transposed(22, 26)) << "neither way";
    EXPECT_FALSE(cuda::is_better_transposed(200, 24)) << "both ways";
    const std::vector<float> matrix{1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f};
    std::vector<bfloat16> transposed(6);
    const cuda::kernel::NarrowTransposed store{matrix.data(), transposed.data(), 2, 3};
    for (std::int64_t i = 0; i < 6; ++i) {
        store(i);
    }
    const std::vector<float> expected{1.0f, 4.0f, 2.0f, 5.0f, 3.0f, 6.0f};
    EXPECT_TRUE(std::ranges::equal(transposed, expected, {}, [](bfloat16 x) { return static_cast<float>(x); }));
}

template <class Position>
void expect_pairs(const cuda::kernel::ConvAxis& axis) {
    for (Position q = 0; q < static_cast<Position>(axis.coarse.value()); ++q) {
        for (Position tap = 0; tap < static_cast<Position>(axis.taps); ++tap) {
            const Position p = axis.fine_cell(q, tap);
            if (p != cuda::kernel::no_cell<Position>) {
                EXPECT_LT(p, static_cast<Position>(axis.fine.value()));
                EXPECT_EQ(axis.coarse_cell(p, tap), q);
            }
        }
    }
}

TEST(Kernels, ConvolutionCellsPairUpBothWays) {
    for (const cuda::kernel::ConvAxis axis :
         {cuda::kernel::ConvAxis{5, 5, 3, 1, 1}, {3, 5, 3, 2, 1}, {3, 6, 4, 2, 1}}) {
        expect_pairs<cuda::NarrowPosition>(axis);
        expect_pairs<cuda::WidePosition>(axis);
    }
}

}  // namespace
}  // namespace plumecast::testing
