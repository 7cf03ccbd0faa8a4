#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "backend/cuda/kernels/backend.hpp"
#include "backend/cuda/kernels/indexing/positions.hpp"
#include "backend/cuda/kernels/reduce.hpp"
#include "backend/error_ratio.hpp"

namespace plumecast::cuda {
namespace kernel {

/// Prediction and target [B, lines, R, T, F] with their mask [B, lines, R, L]; `lines` are the cells before the axis of
/// the derivative, and each of the L cells behind it has as many of the T values.
struct ErrorFields {
    const float *prediction, *target, *active, *inverse_distance;
    Divisor batch, lines, radii, times, fields, each;

    ErrorFields(ConstView p, ConstView t, ConstView mask, ConstView inverse)
        : prediction(p.as<float>()),
          target(t.as<float>()),
          active(mask.as<float>()),
          inverse_distance(inverse.as<float>()),
          batch(p.shape[0]),
          lines(p.shape.count(1, p.shape.rank() - 3)),
          radii(p.shape[-3]),
          times(p.shape[-2]),
          fields(p.shape[-1]),
          each(p.shape[-2] / mask.shape.count(3, mask.shape.rank())) {}

    /// Of a case.
    constexpr std::int64_t cells() const { return lines.value() * radii.value() * times.value(); }
    constexpr std::int64_t count() const { return batch.value() * cells() * fields.value(); }

    /// Values from a cell to the next along the last space axis.
    template <class Position>
    constexpr Position step() const {
        return static_cast<Position>(times.value() * fields.value());
    }
    template <class Position>
    constexpr Position position(Position line, Position r, Position t, Position f) const {
        return (line * static_cast<Position>(radii.value()) + r) * step<Position>() +
               t * static_cast<Position>(fields.value()) + f;
    }
    template <class Position>
    constexpr bool is_active(Position line, Position r, Position t) const {
        const auto behind = static_cast<Position>(times.value() / each.value());
        return active[(line * static_cast<Position>(radii.value()) + r) * behind + each.quotient(t)] != 0.0f;
    }
    template <class Position>
    constexpr bool has_derivative(Position r) const {
        return r > 0 && r + 1 < static_cast<Position>(radii.value());
    }
    /// Derivative of one field at a cell, `from` being a position.
    template <class Position>
    constexpr double slope(const float* values, Position from, Position r) const {
        return static_cast<double>(inverse_distance[r]) * (static_cast<double>(values[from + step<Position>()]) -
                                                           static_cast<double>(values[from - step<Position>()]));
    }
    template <class Position>
    constexpr double error(Position at) const {
        return static_cast<double>(prediction[at]) - static_cast<double>(target[at]);
    }
    /// What the derivative at cell r passes to its neighbours; zero where it is not taken.
    template <class Position>
    constexpr double slope_gradient(Position line, Position r, Position t, Position f) const {
        if (!has_derivative(r) || !is_active(line, r, t)) {
            return 0.0;
        }
        const Position at = position(line, r, t, f);
        const auto factor = static_cast<double>(inverse_distance[r]);
        return factor * factor * (error(at + step<Position>()) - error(at - step<Position>()));
    }
};

/// The sums of a case and field over every `pieces`-th cell: partial [pieces, B, F, 5].
struct ErrorSums {
    ErrorFields of;
    double* partial;
    std::int64_t pieces;

    constexpr std::int64_t positions() const {
        return std::max(of.count(), 5 * pieces * of.batch.value() * of.fields.value());
    }

    template <class Position>
    constexpr void operator()(Position i) const {
        const Position outer = of.fields.quotient(i), f = of.fields.rest(i);
        const Position piece = of.batch.quotient(outer), b = of.batch.rest(outer);
        const auto cells = static_cast<Position>(of.cells());
        std::array<double, 5> sums{};
        for (Position cell = piece; cell < cells; cell += static_cast<Position>(pieces)) {
            const Position row = of.times.quotient(cell), t = of.times.rest(cell), r = of.radii.rest(row);
            const Position line = b * static_cast<Position>(of.lines.value()) + of.radii.quotient(row);
            if (!of.is_active(line, r, t)) {
                continue;
            }
            const Position at = of.position(line, r, t, f);
            const double error = of.error(at), truth = static_cast<double>(of.target[at]);
            sums[0] += error * error;
            sums[1] += truth * truth;
            sums[4] += 1.0;
            if (of.has_derivative(r)) {
                const double true_slope = of.slope(of.target, at, r);
                const double difference = of.slope(of.prediction, at, r) - true_slope;
                sums[2] += difference * difference;
                sums[3] += true_slope * true_slope;
            }
        }
        for (std::size_t k = 0; k < sums.size(); ++k) {
            partial[i * 5 + static_cast<Position>(k)] = sums[k];
        }
    }
};

/// One case of Backend::error_ratios().
struct ErrorRatios {
    const double* sums;
    double *values, *coefficients;
    std::array<std::int64_t, 3> extents;
    LossMeasure measure;
    double share;

    constexpr std::int64_t positions() const { return 0; }

    template <class Position>
    constexpr void operator()(Position b) const {
        values[b] = case_loss(sums, extents, static_cast<std::int64_t>(b), measure, share, coefficients);
    }
};

/// One element of the gradient; coefficients [B, F, 2].
struct ErrorGradient {
    ErrorFields of;
    const double* coefficients;
    float* gradient;

    constexpr std::int64_t positions() const { return of.count(); }

    template <class Position>
    constexpr void operator()(Position i) const {
        const Position cell = of.fields.quotient(i), f = of.fields.rest(i);
        const Position row = of.times.quotient(cell), t = of.times.rest(cell);
        const Position line = of.radii.quotient(row), r = of.radii.rest(row);
        const auto width = static_cast<Position>(of.fields.value());
        const double* factors = coefficients + (of.lines.quotient(line) * width + f) * 2;
        const double error = of.is_active(line, r, t) ? of.error(i) : 0.0;
        const double before = r > 0 ? of.slope_gradient<Position>(line, r - 1, t, f) : 0.0;
        const double slope = before - of.slope_gradient<Position>(line, r + 1, t, f);
        gradient[i] = static_cast<float>(factors[0] * error + factors[1] * slope);
    }
};

}  // namespace kernel

template <class Executor>
void KernelBackend<Executor>::error_norms(ConstView prediction, ConstView target, ConstView active,
                                          ConstView inverse_distance, View sums) {
    const kernel::ErrorFields fields(prediction, target, active, inverse_distance);
    const std::int64_t pairs = fields.batch.value() * fields.fields.value();
    if (pairs == 0) {
        return;
    }
    const std::int64_t pieces = piece_count(fields.cells(), pairs);
    Tensor partial(memory(), {pieces, 5 * pairs}, DType::float64);
    executor_.run(pieces * pairs, kernel::ErrorSums{fields, partial.view().template as<double>(), pieces});
    add(1.0, summed_rows(executor_, std::move(partial)), {sums});
}

template <class Executor>
void KernelBackend<Executor>::error_ratios(ConstView sums, const LossMeasure& measure, double share, View values,
                                           View coefficients) {
    executor_.run(sums.shape[1], kernel::ErrorRatios{sums.as<double>(),
                                                     values.as<double>(),
                                                     coefficients.as<double>(),
                                                     {sums.shape[0], sums.shape[1], sums.shape[2]},
                                                     measure,
                                                     share});
}

template <class Executor>
void KernelBackend<Executor>::error_gradient(ConstView prediction, ConstView target, ConstView active,
                                             ConstView inverse_distance, ConstView coefficients, View gradient) {
    executor_.run(gradient.shape.count(),
                  kernel::ErrorGradient{kernel::ErrorFields(prediction, target, active, inverse_distance),
                                        coefficients.as<double>(), gradient.as<float>()});
}

}  // namespace plumecast::cuda
