#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "backend/cuda/kernels/backend.hpp"
#include "backend/cuda/kernels/indexing/positions.hpp"
#include "backend/cuda/kernels/reduce.hpp"

namespace plumecast::cuda {
namespace kernel {

/// Count, mean and sum of squared deviations of some values.
struct Moment {
    double count = 0.0, mean = 0.0, squares = 0.0;

    /// Joins the moments of other values (Chan, Golub and LeVeque 1983).
    constexpr void merge(const Moment& other) {
        const double total = count + other.count;
        if (total == 0.0) {
            return;
        }
        const double difference = other.mean - mean, share = other.count / total;
        mean += difference * share;
        squares += other.squares + difference * difference * count * share;
        count = total;
    }
};

/// Rows of moments [rows, 3, columns]: count, mean, squares.
struct MomentRows {
    double* data;
    Divisor columns;

    /// Number of a row and of a column in it.
    template <class Position>
    constexpr Moment get(Position row, Position c) const {
        const auto step = static_cast<Position>(columns.value());
        const Position from = row * 3 * step + c;
        return {data[from], data[from + step], data[from + 2 * step]};
    }
    template <class Position>
    constexpr void set(Position row, Position c, const Moment& moment) const {
        const auto step = static_cast<Position>(columns.value());
        const Position to = row * 3 * step + c;
        data[to] = moment.count;
        data[to + step] = moment.mean;
        data[to + 2 * step] = moment.squares;
    }
};

/// Moments of a column over every `pieces`-th row. Sums are taken about the first value, which keeps small variances on
/// large means.
template <class T>
struct ColumnMoments {
    const T* x;
    MomentRows partial;
    std::int64_t rows, pieces;

    constexpr std::int64_t positions() const { return std::max(rows, 3 * pieces) * partial.columns.value(); }

    /// An index is the position of the first row's element.
    template <class Position>
    constexpr void operator()(Position i) const {
        const std::int64_t columns = partial.columns.value();
        const auto end = static_cast<Position>(rows * columns), step = static_cast<Position>(pieces * columns);
        Moment moment;
        if (i < end) {
            const auto origin = static_cast<double>(number(x[i]));
            double sum = 0.0, squares = 0.0;
            for (Position at = i; at < end; at += step) {
                const double shifted = static_cast<double>(number(x[at])) - origin;
                sum += shifted;
                squares += shifted * shifted;
                moment.count += 1.0;
            }
            moment.mean = origin + sum / moment.count;
            moment.squares = squares - sum * (sum / moment.count);
        }
        const Position piece = partial.columns.quotient(i);
        partial.set(piece, i - piece * static_cast<Position>(columns), moment);
    }
};

/// One level of a tree of moments, as SumGroups is of sums.
struct MergeMoments {
    MomentRows in, out;
    std::int64_t rows;

    constexpr std::int64_t positions() const { return (rows + group_rows) * 3 * in.columns.value(); }

    template <class Position>
    constexpr void operator()(Position i) const {
        const Position group = in.columns.quotient(i), c = i - group * static_cast<Position>(in.columns.value());
        const Position first = group * group_rows, end = std::min(first + group_rows, static_cast<Position>(rows));
        Moment moment;
        for (Position row = first; row < end; ++row) {
            moment.merge(in.get(row, c));
        }
        out.set(group, c, moment);
    }
};

/// Mean and squares [2, columns] of one row of moments.
struct WriteMoments {
    MomentRows in;
    double* out;

    constexpr std::int64_t positions() const { return 3 * in.columns.value(); }

    template <class Position>
    constexpr void operator()(Position c) const {
        const Moment moment = in.get(Position{0}, c);
        out[c] = moment.mean;
        out[static_cast<Position>(in.columns.value()) + c] = moment.squares;
    }
};

}  // namespace kernel

template <class Executor>
void KernelBackend<Executor>::moments(ConstView x, View moments) {
    const std::int64_t columns = x.shape[-1];
    if (columns == 0) {
        return;
    }
    const std::int64_t rows = x.shape.count() / columns, pieces = piece_count(rows, columns);
    Tensor partial(memory(), {pieces, 3, columns}, DType::float64);
    const auto in_rows = [columns](double* data) { return kernel::MomentRows{data, Divisor(columns)}; };
    with_elements(
        [&](auto* from) {
            executor_.run(pieces * columns, kernel::ColumnMoments<Element<decltype(from)>>{
                                                from, in_rows(partial.view().template as<double>()), rows, pieces});
        },
        x);
    const auto level = [&](double* in, double* out, std::int64_t count, std::int64_t width) {
        executor_.run(width / 3, kernel::MergeMoments{in_rows(in), in_rows(out), count});
    };
    Tensor total = merged_rows(executor_, std::move(partial), level);
    executor_.run(columns, kernel::WriteMoments{in_rows(total.view().template as<double>()), moments.as<double>()});
}

}  // namespace plumecast::cuda
