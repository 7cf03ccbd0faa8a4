#pragma once

#include <algorithm>
#include <cstdint>

#include "backend/cuda/kernels/backend.hpp"
#include "backend/cuda/kernels/elements.hpp"
#include "backend/cuda/kernels/indexing/positions.hpp"

namespace plumecast::cuda {

/// In how many pieces `rows` rows of `columns` columns are summed. It follows from the shape alone, so the same numbers
/// are added in the same order on every device.
inline std::int64_t piece_count(std::int64_t rows, std::int64_t columns) {
    constexpr std::int64_t most_threads = std::int64_t{1} << 18, fewest_rows = 32;
    const std::int64_t most = std::max<std::int64_t>(1, most_threads / std::max<std::int64_t>(1, columns));
    return std::clamp<std::int64_t>(rows / fewest_rows, 1, most);
}

namespace kernel {

/// Rows that one element of a tree level merges.
inline constexpr int group_rows = 32;

/// One level of a tree of sums: row g of `out` is the sum of rows [g group_rows, (g + 1) group_rows) of `in`, in order.
struct SumGroups {
    const double* in;
    double* out;
    std::int64_t rows;
    Divisor width;

    constexpr std::int64_t positions() const { return (rows + group_rows) * width.value(); }

    template <class Position>
    constexpr void operator()(Position i) const {
        const Position group = width.quotient(i), step = static_cast<Position>(width.value());
        const Position first = i + group * (group_rows - 1) * step;
        const Position end = std::min(first + group_rows * step, static_cast<Position>(rows) * step);
        double sum = 0.0;
        for (Position at = first; at < end; at += step) {
            sum += in[at];
        }
        out[i] = sum;
    }
};

/// Column sums over every `pieces`-th row: partial [pieces, columns].
template <class T>
struct ColumnSums {
    const T* x;
    double* partial;
    std::int64_t rows, columns, pieces;

    constexpr std::int64_t positions() const { return rows * columns; }

    /// An index is the position of the first row's element.
    template <class Position>
    constexpr void operator()(Position i) const {
        const auto end = static_cast<Position>(positions()), step = static_cast<Position>(pieces * columns);
        double sum = 0.0;
        for (Position at = i; at < end; at += step) {
            sum += static_cast<double>(number(x[at]));
        }
        partial[i] = sum;
    }
};

/// y = beta y + sums
template <class T>
struct AddSums {
    const double* sums;
    T* y;
    double beta;

    constexpr std::int64_t positions() const { return 0; }

    template <class Position>
    constexpr void operator()(Position i) const {
        const double before = beta != 0.0 ? beta * static_cast<double>(number(y[i])) : 0.0;
        y[i] = static_cast<T>(static_cast<float>(before + sums[i]));
    }
};

}  // namespace kernel

/// Merges the rows of partial results [rows, width...] float64, a level of a tree at a time, until one is left.
/// `level` makes the kernel of one level from (in, out, rows).
template <class Executor, class Level>
Tensor merged_rows(Executor& executor, Tensor partial, const Level& level) {
    const std::int64_t width = partial.shape().count(1, partial.shape().rank());
    while (partial.shape()[0] > 1) {
        const std::int64_t rows = partial.shape()[0], groups = (rows + kernel::group_rows - 1) / kernel::group_rows;
        Tensor next(executor.memory(), partial.shape().with(0, groups), DType::float64);
        level(partial.view().template as<double>(), next.view().template as<double>(), rows, groups * width);
        partial = std::move(next);
    }
    return partial;
}

/// Adds up the rows of partial sums [rows, width] float64.
template <class Executor>
Tensor summed_rows(Executor& executor, Tensor partial) {
    const std::int64_t width = partial.shape()[1];
    return merged_rows(executor, std::move(partial),
                       [&](const double* in, double* out, std::int64_t rows, std::int64_t count) {
                           executor.run(count, kernel::SumGroups{in, out, rows, Divisor(width)});
                       });
}

template <class Executor>
void KernelBackend<Executor>::column_sums(ConstView x, OutputRef y) {
    const std::int64_t columns = y.view.shape.count();
    if (columns == 0) {
        return;
    }
    const std::int64_t rows = x.shape.count() / columns, pieces = piece_count(rows, columns);
    Tensor partial(memory(), {pieces, columns}, DType::float64);
    double* sums = partial.view().template as<double>();
    with_elements(
        [&](auto* from) {
            executor_.run(pieces * columns,
                          kernel::ColumnSums<Element<decltype(from)>>{from, sums, rows, columns, pieces});
        },
        x);
    const Tensor total = summed_rows(executor_, std::move(partial));
    executor_.run(columns, kernel::AddSums<float>{total.view().template as<double>(), y.view.as<float>(), y.beta});
}

}  // namespace plumecast::cuda
