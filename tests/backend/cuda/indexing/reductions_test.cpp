#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "backend/cuda/indexing/large_arrays.hpp"
#include "backend/cuda/kernels/error.hpp"
#include "backend/cuda/kernels/moments.hpp"
#include "backend/cuda/kernels/norm.hpp"
#include "backend/cuda/kernels/reduce.hpp"

/// Sums over arrays whose last elements lie on either side of the border of 32 bits.
namespace plumecast::testing {
namespace {

constexpr std::int64_t columns = 8;

/// A field of so many rows, of which the last index of a sum in pieces adds up a few, 3 and 5 among them.
struct TallField {
    explicit TallField(std::int64_t rows_) : rows(rows_), x(rows * columns) {
        if (x.exists()) {
            x.elements()[rows * columns - 1] = bfloat16(3.0f);
            x.elements()[(rows - pieces()) * columns - 1] = bfloat16(5.0f);
        }
    }
    /// So that the last row belongs to the last piece.
    std::int64_t terms() const { return rows % 16 == 0 ? 16 : 15; }
    std::int64_t pieces() const { return rows / terms(); }
    bool is_narrow() const { return rows * columns < border; }

    std::int64_t rows;
    Untouched<bfloat16> x;
};

constexpr std::array tall_rows{border / columns - 1, border / columns, border / columns + 16};

TEST(ColumnSums, ReachTheLastRowOnBothSidesOfTheBorder) {
    for (const std::int64_t rows : tall_rows) {
        const TallField field(rows);
        ASSERT_EQ(field.rows % field.terms(), 0);
        const std::int64_t count = field.pieces() * columns;
        const Untouched<double> partial(count);
        if (!field.x.exists() || !partial.exists()) {
            GTEST_SKIP() << "no addresses for " << rows << " rows";
        }
        LastIndices executor;
        executor.run(count, cuda::kernel::ColumnSums<bfloat16>{field.x.elements(), partial.elements(), rows, columns,
                                                               field.pieces()});
        EXPECT_EQ(executor.counted_narrowly(), field.is_narrow()) << rows;
        EXPECT_EQ(partial.elements()[count - 1], 8.0) << rows;
        EXPECT_EQ(partial.elements()[count - 2], 0.0) << rows;
    }
}

TEST(ColumnMoments, ReachTheLastRowOnBothSidesOfTheBorder) {
    for (const std::int64_t rows : tall_rows) {
        const TallField field(rows);
        const std::int64_t count = field.pieces() * columns;
        const Untouched<double> partial(3 * count);
        if (!field.x.exists() || !partial.exists()) {
            GTEST_SKIP() << "no addresses for " << rows << " rows";
        }
        const cuda::kernel::MomentRows moments{partial.elements(), cuda::Divisor(columns)};
        LastIndices executor;
        executor.run(count, cuda::kernel::ColumnMoments<bfloat16>{field.x.elements(), moments, rows, field.pieces()});
        EXPECT_EQ(executor.counted_narrowly(), field.is_narrow()) << rows;
        const cuda::kernel::Moment last = moments.get(field.pieces() - 1, columns - 1);
        const auto terms = static_cast<double>(field.terms());
        EXPECT_EQ(last.count, terms) << rows;
        EXPECT_DOUBLE_EQ(last.mean, 8.0 / terms) << rows;
        EXPECT_DOUBLE_EQ(last.squares, 34.0 - 64.0 / terms) << rows;
    }
}

TEST(NormaliseSums, ReachTheLastRowOnBothSidesOfTheBorder) {
    for (const std::int64_t rows : tall_rows) {
        const TallField x(rows), g(rows);
        const std::int64_t count = x.pieces() * columns;
        const Untouched<double> partial(2 * count);
        if (!x.x.exists() || !g.x.exists() || !partial.exists()) {
            GTEST_SKIP() << "no addresses for " << rows << " rows";
        }
        std::array<cuda::kernel::Normaliser, columns> per{};
        per.fill({1.0f, 0.0f, 1.0f, 2.0f});
        LastIndices executor;
        executor.run(count, cuda::kernel::NormaliseSums<bfloat16>{
                                x.x.elements(), g.x.elements(), per.data(), partial.elements(), rows, x.pieces(),
                                cuda::Divisor(columns), cuda::Pointwise(Activation{})});
        EXPECT_EQ(executor.counted_narrowly(), x.is_narrow()) << rows;
        EXPECT_EQ(partial.elements()[2 * count - columns - 1], 8.0) << rows;
        EXPECT_EQ(partial.elements()[2 * count - 1], 3.0 * 2.0 * 2.0 + 5.0 * 4.0 * 2.0) << rows;
    }
}

TEST(SumGroups, ReachTheLastRowOnBothSidesOfTheBorder) {
    constexpr std::int64_t width = 1 << 20, at_border = border / width - cuda::kernel::group_rows;
    for (const std::int64_t rows : {at_border - 1, at_border, border / width + 1}) {
        const std::int64_t groups = (rows + cuda::kernel::group_rows - 1) / cuda::kernel::group_rows;
        const Untouched<double> in(rows * width), out(groups * width);
        if (!in.exists() || !out.exists()) {
            GTEST_SKIP() << "no addresses for " << rows << " rows";
        }
        in.elements()[rows * width - 1] = 3.0;
        in.elements()[(groups - 1) * cuda::kernel::group_rows * width + width - 1] += 5.0;
        LastIndices executor;
        executor.run(groups * width,
                     cuda::kernel::SumGroups{in.elements(), out.elements(), rows, cuda::Divisor(width)});
        EXPECT_EQ(executor.counted_narrowly(), rows < at_border) << rows;
        EXPECT_EQ(out.elements()[groups * width - 1], 8.0) << rows;
        EXPECT_EQ(out.elements()[groups * width - 2], 0.0) << rows;
    }
}

TEST(MergeMoments, ReachTheLastRowOnBothSidesOfTheBorder) {
    constexpr std::int64_t width = 1 << 20, at_border = border / (3 * width) + 1 - cuda::kernel::group_rows;
    for (const std::int64_t rows : {at_border - 1, at_border, border / (3 * width) + 1}) {
        const std::int64_t groups = (rows + cuda::kernel::group_rows - 1) / cuda::kernel::group_rows;
        const Untouched<double> from(rows * 3 * width), to(groups * 3 * width);
        if (!from.exists() || !to.exists()) {
            GTEST_SKIP() << "no addresses for " << rows << " rows";
        }
        const cuda::kernel::MomentRows in{from.elements(), cuda::Divisor(width)},
            out{to.elements(), cuda::Divisor(width)};
        in.set(rows - 1, width - 1, {4.0, 3.0, 2.0});
        LastIndices executor;
        executor.run(groups * width, cuda::kernel::MergeMoments{in, out, rows});
        EXPECT_EQ(executor.counted_narrowly(), rows < at_border) << rows;
        const cuda::kernel::Moment last = out.get(groups - 1, width - 1);
        EXPECT_EQ(last.count, 4.0) << rows;
        EXPECT_EQ(last.mean, 3.0) << rows;
        EXPECT_EQ(last.squares, 2.0) << rows;
    }
}

/// A case of one field and time, so many lines of eight cells, with 3, 7 and 2 more than the truth in the last three.
class LongCase {
   public:
    explicit LongCase(std::int64_t lines)
        : shape_({1, lines, radii, 1, 1}),
          prediction_(shape_.count()),
          target_(shape_.count()),
          active_(shape_.count()) {
        if (!exists()) {
            return;
        }
        inverse_.fill(0.5f);
        const std::int64_t end = shape_.count();
        const std::array errors{2.0f, 7.0f, 3.0f};  // in the cells 5, 6 and 7 of the last line
        for (std::int64_t k = 0; k < 3; ++k) {
            target_.elements()[end - 3 + k] = 1.0f + static_cast<float>(k);
            prediction_.elements()[end - 3 + k] = target_.elements()[end - 3 + k] + errors[static_cast<std::size_t>(k)];
            active_.elements()[end - 3 + k] = 1.0f;
        }
    }
    bool exists() const { return prediction_.exists() && target_.exists() && active_.exists(); }
    std::int64_t count() const { return shape_.count(); }
    bool is_narrow() const { return count() < border; }
    cuda::kernel::ErrorFields fields() const {
        const auto view = [](const Shape& shape, const float* data) { return ConstView(shape, DType::float32, data); };
        return {view(shape_, prediction_.elements()), view(shape_, target_.elements()),
                view({1, shape_[1], radii}, active_.elements()), view({radii}, inverse_.data())};
    }

   private:
    static constexpr std::int64_t radii = 8;
    Shape shape_;
    Untouched<float> prediction_, target_, active_;
    std::array<float, radii> inverse_{};
};

constexpr std::array many_lines{border / 8 - 1, border / 8, border / 8 + 1};

TEST(ErrorSums, ReachTheLastCellsOnBothSidesOfTheBorder) {
    for (const std::int64_t lines : many_lines) {
        const LongCase one(lines);
        const Untouched<double> partial(5 * lines);
        if (!one.exists() || !partial.exists()) {
            GTEST_SKIP() << "no addresses for " << lines << " lines";
        }
        LastIndices executor;  // a piece for every eighth cell: the last three are in pieces of their own
        executor.run(lines, cuda::kernel::ErrorSums{one.fields(), partial.elements(), lines});
        EXPECT_EQ(executor.counted_narrowly(), one.is_narrow()) << lines;
        const double* last = partial.elements() + 5 * (lines - 1);
        EXPECT_EQ(last[0], 9.0) << lines;
        EXPECT_EQ(last[1], 9.0) << lines;
        EXPECT_EQ(last[2], 0.0) << "no derivative at the end of a line";
        const double* before = last - 5;
        EXPECT_EQ(before[0], 49.0) << lines;
        EXPECT_EQ(before[1], 4.0) << lines;
        EXPECT_EQ(before[2], 0.25 * (3.0 - 2.0) * (3.0 - 2.0)) << lines;
        EXPECT_EQ(before[3], 0.25 * (3.0 - 1.0) * (3.0 - 1.0)) << lines;
        EXPECT_EQ(before[4], 1.0) << lines;
    }
}

TEST(ErrorGradient, ReachesTheLastCellsOnBothSidesOfTheBorder) {
    for (const std::int64_t lines : many_lines) {
        const LongCase one(lines);
        const Untouched<float> gradient(one.count());
        if (!one.exists() || !gradient.exists()) {
            GTEST_SKIP() << "no addresses for " << lines << " lines";
        }
        const std::array coefficients{10.0, 100.0};
        LastIndices executor;
        executor.run(one.count(), cuda::kernel::ErrorGradient{one.fields(), coefficients.data(), gradient.elements()});
        EXPECT_EQ(executor.counted_narrowly(), one.is_narrow()) << lines;
        const double from_6 = 0.25 * (3.0 - 2.0), from_5 = 0.25 * (7.0 - 0.0);
        const float* end = gradient.elements() + one.count();
        EXPECT_EQ(end[-1], static_cast<float>(30.0 + 100.0 * from_6)) << lines;
        EXPECT_EQ(end[-2], static_cast<float>(70.0 + 100.0 * from_5)) << lines;
        EXPECT_EQ(end[-3], static_cast<float>(20.0 - 100.0 * from_6)) << lines;
    }
}

TEST(ErrorGradient, TakesNoDerivativeBeforeTheFirstCellOfALine) {
    constexpr std::array<float, 3> prediction{4.0f, 0.0f, 1.0f}, target{}, active{1.0f, 1.0f, 1.0f},
        inverse{1.0f, 1.0f, 1.0f};
    const Shape shape{1, 1, 3, 1, 1};
    const cuda::kernel::ErrorFields fields(
        ConstView(shape, DType::float32, prediction.data()), ConstView(shape, DType::float32, target.data()),
        ConstView({1, 1, 3}, DType::float32, active.data()), ConstView({3}, DType::float32, inverse.data()));
    const std::array coefficients{0.0, 1.0};
    std::array<float, 3> narrow{}, wide{};
    for (int i = 0; i < 3; ++i) {
        cuda::kernel::ErrorGradient{fields, coefficients.data(), narrow.data()}(static_cast<cuda::NarrowPosition>(i));
        cuda::kernel::ErrorGradient{fields, coefficients.data(), wide.data()}(static_cast<cuda::WidePosition>(i));
    }
    EXPECT_EQ(narrow, (std::array{3.0f, 0.0f, -3.0f}));
    EXPECT_EQ(wide, narrow);
}

}  // namespace
}  // namespace plumecast::testing
