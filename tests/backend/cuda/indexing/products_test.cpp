#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "backend/cuda/indexing/large_arrays.hpp"
#include "backend/cuda/kernels/adam.hpp"
#include "backend/cuda/kernels/conv/products.hpp"
#include "backend/cuda/kernels/spectral/modes.hpp"
#include "backend/cuda/kernels/split.hpp"

/// Convolutions, products of modes and steps of Adam whose last elements lie on either side of the border of 32 bits.
namespace plumecast::testing {
namespace {

/// Rows of eight coarse cells along the last axis that a kernel of three taps reads, of stride 1 or 2.
struct LongRows {
    explicit LongRows(std::int64_t rows, std::int64_t stride = 1)
        : geometry{.kernel = {1, 1, 3}, .stride = {1, 1, stride}, .padding_low = {0, 0, 1}, .padding_high = {0, 0, 1}},
          fine({1, 1, rows, 8 * stride, 1}),
          coarse({1, 1, rows, 8, 1}),
          index(cuda::ConvPart(geometry, fine, coarse, {1, 1, 1, 3, 1}, 0)) {}

    ConvGeometry geometry;
    Shape fine, coarse;
    cuda::kernel::ConvIndex index;
};

/// How many rows of so many cells a field has on either side of the border.
constexpr std::array<std::int64_t, 3> rows_at_border(std::int64_t cells) {
    return {border / cells - 1, border / cells, border / cells + 1};
}
constexpr std::array taps{2.0f, 3.0f, 5.0f};

TEST(CoarseFromFine, ReachesTheLastCellsOnBothSidesOfTheBorder) {
    for (const std::int64_t stride : {1, 2}) {
        for (const std::int64_t rows : rows_at_border(8 * stride)) {
            const LongRows at(rows, stride);
            const std::int64_t cells = at.coarse.count(), fine_cells = at.fine.count();
            const Untouched<bfloat16> fine(fine_cells);
            const Untouched<float> coarse(cells);
            if (!fine.exists() || !coarse.exists()) {
                GTEST_SKIP() << "no addresses for " << rows << " rows";
            }
            fine.elements()[fine_cells - 1] = bfloat16(7.0f);
            fine.elements()[fine_cells - 2] = bfloat16(11.0f);
            LastIndices executor;
            executor.run(cells, cuda::kernel::CoarseFromFine<bfloat16>{at.index, fine.elements(), taps.data(),
                                                                       coarse.elements(), 0.0f});
            EXPECT_EQ(executor.counted_narrowly(), fine_cells < border) << rows;
            const float last = stride == 1 ? 2.0f * 11.0f + 3.0f * 7.0f : 3.0f * 11.0f + 5.0f * 7.0f;
            EXPECT_EQ(coarse.elements()[cells - 1], last) << rows << " rows, stride " << stride;
            EXPECT_EQ(coarse.elements()[cells - 2], stride == 1 ? 3.0f * 11.0f + 5.0f * 7.0f : 0.0f) << rows;
        }
    }
}

TEST(FineFromCoarse, ReachesTheLastCellsOnBothSidesOfTheBorder) {
    for (const std::int64_t stride : {1, 2}) {
        for (const std::int64_t rows : rows_at_border(8 * stride)) {
            const LongRows at(rows, stride);
            const std::int64_t cells = at.coarse.count(), fine_cells = at.fine.count();
            const Untouched<bfloat16> coarse(cells);
            const Untouched<float> fine(fine_cells);
            if (!fine.exists() || !coarse.exists()) {
                GTEST_SKIP() << "no addresses for " << rows << " rows";
            }
            coarse.elements()[cells - 1] = bfloat16(7.0f);
            coarse.elements()[cells - 2] = bfloat16(11.0f);
            LastIndices executor;
            executor.run(fine_cells, cuda::kernel::FineFromCoarse<bfloat16>{at.index, coarse.elements(), taps.data(),
                                                                            fine.elements(), 0.0f});
            EXPECT_EQ(executor.counted_narrowly(), fine_cells < border) << rows;
            const float* end = fine.elements() + fine_cells;
            EXPECT_EQ(end[-1], stride == 1 ? 3.0f * 7.0f + 5.0f * 11.0f : 5.0f * 7.0f) << rows << " rows";
            EXPECT_EQ(end[-2], stride == 1 ? 2.0f * 7.0f + 3.0f * 11.0f : 3.0f * 7.0f) << rows << " rows";
            EXPECT_EQ(end[-3], stride == 1 ? 2.0f * 11.0f : 2.0f * 7.0f + 5.0f * 11.0f) << rows << " rows";
        }
    }
}

TEST(WeightSums, ReachTheLastCellsOnBothSidesOfTheBorder) {
    for (const std::int64_t rows : rows_at_border(8)) {
        const LongRows at(rows);
        const std::int64_t cells = at.coarse.count();  // a piece for every eighth cell
        const Untouched<bfloat16> coarse(cells), fine(cells);
        const Untouched<double> partial(3 * rows);
        if (!fine.exists() || !coarse.exists() || !partial.exists()) {
            GTEST_SKIP() << "no addresses for " << rows << " rows";
        }
        coarse.elements()[cells - 1] = bfloat16(3.0f);
        fine.elements()[cells - 1] = bfloat16(5.0f);
        fine.elements()[cells - 2] = bfloat16(7.0f);
        LastIndices executor;
        executor.run(3 * rows, cuda::kernel::WeightSums<bfloat16>{at.index, coarse.elements(), fine.elements(),
                                                                  partial.elements(), rows});
        EXPECT_EQ(executor.counted_narrowly(), cells < border) << rows;
        const double* end = partial.elements() + 3 * rows;
        EXPECT_EQ(end[-3], 21.0) << rows;
        EXPECT_EQ(end[-2], 15.0) << rows;
        EXPECT_EQ(end[-1], 0.0) << rows << " rows, a tap beyond the field";
    }
}

TEST(ConvAxis, FindsNoCellWhereTheFieldEndsInEitherWidth) {
    const cuda::kernel::ConvAxis axis(3, 6, 4, 2, 1);
    const auto expect_none = [&]<class Position>(Position) {
        constexpr Position none = cuda::kernel::no_cell<Position>;
        EXPECT_EQ(axis.fine_cell<Position>(0, 0), none) << "before the first";
        EXPECT_EQ(axis.fine_cell<Position>(2, 3), none) << "after the last";
        EXPECT_EQ(axis.fine_cell<Position>(2, 2), Position{5});
        EXPECT_EQ(axis.coarse_cell<Position>(0, 3), none) << "before the first";
        EXPECT_EQ(axis.coarse_cell<Position>(5, 0), none) << "after the last";
        EXPECT_EQ(axis.coarse_cell<Position>(0, 0), none) << "between two";
        EXPECT_EQ(axis.coarse_cell<Position>(5, 2), Position{2});
    };
    expect_none(cuda::NarrowPosition{});
    expect_none(cuda::WidePosition{});
}

/// Products of `batch` cases by 2 x 2 complex matrices, as many pencils as fit below the border, and one more.
class ManyModes {
   public:
    ManyModes(std::int64_t batch, bool wide)
        : pencils_((border - 1) / (8 * std::max<std::int64_t>(batch, 2)) + (wide ? 1 : 0)),
          x_({batch, pencils_, 2, times, 2}),
          w_({pencils_, times, 2, 2, 2}) {}

    cuda::kernel::ModeProduct product() const { return {x_, w_}; }
    std::int64_t fields() const { return x_.count(); }
    std::int64_t weights() const { return w_.count(); }
    /// Indices of a kernel that takes so many cases at once.
    std::int64_t indices(std::int64_t cases) const { return (x_[0] + cases - 1) / cases * pencils_ * times * 2; }
    /// Position of channel c of a part of the last mode, of a case.
    std::int64_t field(std::int64_t b, std::int64_t part, std::int64_t c) const {
        return (product().row(b, pencils_ - 1, part, times - 1)) * 2 + c;
    }
    std::int64_t weight(std::int64_t part, std::int64_t i, std::int64_t o) const {
        return product().matrix(pencils_ - 1, times - 1, part) + i * 2 + o;
    }

   private:
    static constexpr std::int64_t times = 2;
    std::int64_t pencils_;
    Shape x_, w_;
};

TEST(ComplexProduct, ReachesTheLastModeOnBothSidesOfTheBorder) {
    const auto expect_last = [&]<std::int64_t cases>(std::int64_t batch, bool wide) {
        const ManyModes at(batch, wide);
        const Untouched<float> x(at.fields()), w(at.weights()), y(at.fields());
        if (!x.exists() || !w.exists() || !y.exists()) {
            GTEST_SKIP() << "no addresses for so many modes";
        }
        x.elements()[at.field(batch - 1, 0, 1)] = 3.0f;
        x.elements()[at.field(batch - 1, 1, 1)] = 5.0f;
        w.elements()[at.weight(0, 1, 1)] = 7.0f;
        w.elements()[at.weight(1, 1, 1)] = 11.0f;
        LastIndices executor;
        executor.run(at.indices(cases),
                     cuda::kernel::ComplexProduct<cases>{at.product(), x.elements(), w.elements(), y.elements()});
        EXPECT_EQ(executor.counted_narrowly(), !wide) << batch;
        EXPECT_EQ(y.elements()[at.field(batch - 1, 0, 1)], 3.0f * 7.0f - 5.0f * 11.0f) << batch;
        EXPECT_EQ(y.elements()[at.field(batch - 1, 1, 1)], 3.0f * 11.0f + 5.0f * 7.0f) << batch;
        EXPECT_EQ(y.elements()[at.field(batch - 1, 0, 0)], 0.0f) << batch;
    };
    for (const bool wide : {false, true}) {
        expect_last.operator()<1>(1, wide);
        expect_last.operator()<8>(11, wide);
    }
}

TEST(ComplexDataGradient, ReachesTheLastModeOnBothSidesOfTheBorder) {
    const auto expect_last = [&]<std::int64_t cases>(std::int64_t batch, bool wide) {
        const ManyModes at(batch, wide);
        const Untouched<float> g(at.fields()), w(at.weights()), x(at.fields());
        if (!x.exists() || !w.exists() || !g.exists()) {
            GTEST_SKIP() << "no addresses for so many modes";
        }
        g.elements()[at.field(batch - 1, 0, 1)] = 3.0f;
        g.elements()[at.field(batch - 1, 1, 1)] = 5.0f;
        w.elements()[at.weight(0, 1, 1)] = 7.0f;
        w.elements()[at.weight(1, 1, 1)] = 11.0f;
        LastIndices executor;
        executor.run(at.indices(cases),
                     cuda::kernel::ComplexDataGradient<cases>{at.product(), g.elements(), w.elements(), x.elements()});
        EXPECT_EQ(executor.counted_narrowly(), !wide) << batch;
        EXPECT_EQ(x.elements()[at.field(batch - 1, 0, 1)], 3.0f * 7.0f + 5.0f * 11.0f) << batch;
        EXPECT_EQ(x.elements()[at.field(batch - 1, 1, 1)], 5.0f * 7.0f - 3.0f * 11.0f) << batch;
        EXPECT_EQ(x.elements()[at.field(batch - 1, 1, 0)], 0.0f) << batch;
    };
    for (const bool wide : {false, true}) {
        expect_last.operator()<1>(1, wide);
        expect_last.operator()<8>(11, wide);
    }
}

TEST(ComplexWeightGradient, ReachesTheLastModeOnBothSidesOfTheBorder) {
    for (const bool wide : {false, true}) {
        const ManyModes at(3, wide);
        const Untouched<float> x(at.fields()), g(at.fields()), w(at.weights());
        if (!x.exists() || !w.exists() || !g.exists()) {
            GTEST_SKIP() << "no addresses for so many modes";
        }
        x.elements()[at.field(2, 0, 1)] = 3.0f;
        x.elements()[at.field(2, 1, 1)] = 5.0f;
        g.elements()[at.field(2, 0, 1)] = 7.0f;
        g.elements()[at.field(2, 1, 1)] = 11.0f;
        w.elements()[at.weight(0, 1, 1)] = 1.0f;
        LastIndices executor;
        executor.run(at.weights() / 2,
                     cuda::kernel::ComplexWeightGradient{at.product(), x.elements(), g.elements(), w.elements(), 2.0f});
        EXPECT_EQ(executor.counted_narrowly(), !wide);
        EXPECT_EQ(w.elements()[at.weight(0, 1, 1)], 2.0f + 3.0f * 7.0f + 5.0f * 11.0f);
        EXPECT_EQ(w.elements()[at.weight(1, 1, 1)], 3.0f * 11.0f - 5.0f * 7.0f);
        EXPECT_EQ(w.elements()[at.weight(0, 1, 0)], 0.0f);
    }
}

TEST(SquareSums, ReachTheLastElementOnBothSidesOfTheBorder) {
    constexpr std::int64_t terms = 16;
    for (const std::int64_t count : {border - terms, border, border + terms}) {
        const Untouched<float> x(count);
        const Untouched<double> partial(count / terms + 1);
        if (!x.exists() || !partial.exists()) {
            GTEST_SKIP() << "no addresses for " << count << " elements";
        }
        x.elements()[count - 1] = 3.0f;
        x.elements()[count - 1 - count / terms] = 5.0f;
        const float alone = 2.0f;
        cuda::kernel::SquareSums sums;
        sums.partial = partial.elements();
        sums.x = {x.elements(), &alone};
        sums.counts = {count, 1};
        sums.pieces.append(count / terms);
        sums.pieces.append(1);
        LastIndices executor;
        executor.run(sums.pieces.total(), sums);
        EXPECT_EQ(executor.counted_narrowly(), count < border) << count;
        EXPECT_EQ(partial.elements()[count / terms - 1], 34.0) << count;
        EXPECT_EQ(partial.elements()[count / terms], 4.0) << count;
    }
}

TEST(Adam, StepsTheLastElementsOnBothSidesOfTheBorder) {
    for (const std::int64_t count : {border - 2, border, border + 5}) {
        const std::int64_t first = count - 1;  // the last element is an array of its own
        const Untouched<float> g(first), w(first), m(first), v(first);
        if (!g.exists() || !w.exists() || !m.exists() || !v.exists()) {
            GTEST_SKIP() << "no addresses for " << count << " elements";
        }
        g.elements()[first - 1] = 3.0f;
        std::array other{1.0f, 10.0f, 0.0f, 0.0f};  // gradient, weight and both moments
        cuda::kernel::Adam adam;
        adam.rate = 1.0f;
        adam.epsilon = 1.0f;
        adam.arrays[0] = {g.elements(), w.elements(), m.elements(), v.elements()};
        adam.arrays[1] = {other.data(), other.data() + 1, other.data() + 2, other.data() + 3};
        adam.elements.append(first);
        adam.elements.append(1);
        LastIndices executor;
        executor.run(count, adam);
        EXPECT_EQ(executor.counted_narrowly(), count < border) << count;
        EXPECT_EQ(w.elements()[first - 1], -3.0f / (3.0f + 1.0f)) << count;
        EXPECT_EQ(w.elements()[first - 2], 0.0f) << count;
        EXPECT_EQ(other[1], 10.0f - 1.0f / (1.0f + 1.0f)) << count;
    }
}

TEST(Split, ReachesTheLastElementOnBothSidesOfTheBorder) {
    for (const std::int64_t count : {border - 1, border, border + 5}) {
        const Untouched<float> x(count), high(count), low(count);
        if (!x.exists() || !high.exists() || !low.exists()) {
            GTEST_SKIP() << "no addresses for " << count << " elements";
        }
        x.elements()[count - 1] = 1.0f + 0x1p-10f + 0x1p-20f;
        LastIndices executor;
        executor.run(count, cuda::kernel::Split{x.elements(), high.elements(), low.elements()});
        EXPECT_EQ(executor.counted_narrowly(), count < border) << count;
        EXPECT_EQ(high.elements()[count - 1], 1.0f + 0x1p-10f) << count;
        EXPECT_EQ(low.elements()[count - 1], 0x1p-20f) << count;
    }
}

}  // namespace
}  // namespace plumecast::testing
