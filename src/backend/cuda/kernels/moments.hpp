#pragma once

#include <cstdint>
#include <utility>

#include "backend/cuda/kernels/backend.hpp"
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
    std::int64_t columns;

    constexpr Moment get(std::int64_t row, std::int64_t c) const {
        const double* from = data + row * 3 * columns + c;
        return {from[0], from[columns], from[2 * columns]};
    }
    constexpr void set(std::int64_t row, std::int64_t c, const Moment& moment) const {
        double* to = data + row * 3 * columns + c;
        to[0] = moment.count;
        to[columns] = moment.mean;
        to[2 * columns] = moment.squares;
    }
};

/// Moments of a column over every `pieces`-th row. Sums are taken about the first value, which keeps small variances on
/// large means.
template <class T>
struct ColumnMoments {
    const T* x;
    MomentRows partial;
    std::int64_t rows, pieces;

    constexpr void operator()(std::int64_t i) const {
        const std::int64_t columns = partial.columns, piece = i / columns, c = i % columns;
        Moment moment;
        if (piece < rows) {
            const auto origin = static_cast<double>(number(x[piece * columns + c]));
            double sum = 0.0, squares = 0.0;
            for (std::int64_t row = piece; row < rows; row += pieces) {
                const double shifted = static_cast<double>(number(x[row * columns + c])) - origin;
                sum += shifted;
                squares += shifted * shifted;
                moment.count += 1.0;
            }
            moment.mean = origin + sum / moment.count;
            moment.squares = squares - sum * (sum / moment.count);
        }
        partial.set(piece, c, moment);
    }
};

/// One level of a tree of moments, as SumGroups is of sums.
struct MergeMoments {
    MomentRows in, out;
    std::int64_t rows;

    constexpr void operator()(std::int64_t i) const {
        const std::int64_t group = i / in.columns, c = i % in.columns;
        Moment moment;
        for (std::int64_t row = group * group_rows; row < rows && row < (group + 1) * group_rows; ++row) {
            moment.merge(in.get(row, c));
        }
        out.set(group, c, moment);
    }
};

/// Mean and squares [2, columns] of one row of moments.
struct WriteMoments {
    MomentRows in;
    double* out;

    constexpr void operator()(std::int64_t c) const {
        const Moment moment = in.get(0, c);
        out[c] = moment.mean;
        out[in.columns + c] = moment.squares;
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
    const auto in_rows = [columns](double* data) { return kernel::MomentRows{data, columns}; };
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
