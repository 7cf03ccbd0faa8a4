#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "backend/cuda/kernels/backend.hpp"
#include "backend/cuda/kernels/reduce.hpp"
#include "backend/error_ratio.hpp"

namespace plumecast::cuda {
namespace kernel {

/// Prediction and target [B, lines, R, T, F] with their mask [B, lines, R]; `lines` are the cells before the last space
/// axis.
struct ErrorFields {
    const float *prediction, *target, *active, *inverse_distance;
    std::int64_t batch, lines, radii, times, fields;

    ErrorFields(ConstView p, ConstView t, ConstView mask, ConstView inverse)
        : prediction(p.as<float>()),
          target(t.as<float>()),
          active(mask.as<float>()),
          inverse_distance(inverse.as<float>()),
          batch(p.shape[0]),
          lines(p.shape.count(1, p.shape.rank() - 3)),
          radii(p.shape[-3]),
          times(p.shape[-2]),
          fields(p.shape[-1]) {}

    constexpr std::int64_t position(std::int64_t line, std::int64_t r, std::int64_t t, std::int64_t f) const {
        return ((line * radii + r) * times + t) * fields + f;
    }
    constexpr bool is_active(std::int64_t line, std::int64_t r) const { return active[line * radii + r] != 0.0f; }
    constexpr bool has_derivative(std::int64_t r) const { return r > 0 && r + 1 < radii; }
    /// Derivative of one field at a cell, `from` being a position.
    constexpr double slope(const float* values, std::int64_t from, std::int64_t r) const {
        const std::int64_t step = times * fields;
        return static_cast<double>(inverse_distance[r]) *
               (static_cast<double>(values[from + step]) - static_cast<double>(values[from - step]));
    }
    constexpr double error(std::int64_t at) const {
        return static_cast<double>(prediction[at]) - static_cast<double>(target[at]);
    }
    /// What the derivative at cell r passes to its neighbours; zero where it is not taken.
    constexpr double slope_gradient(std::int64_t line, std::int64_t r, std::int64_t t, std::int64_t f) const {
        if (!has_derivative(r) || !is_active(line, r)) {
            return 0.0;
        }
        const std::int64_t at = position(line, r, t, f), step = times * fields;
        const auto factor = static_cast<double>(inverse_distance[r]);
        return factor * factor * (error(at + step) - error(at - step));
    }
};

/// The four sums of a case and field over every `pieces`-th cell: partial [pieces, B, F, 4].
struct ErrorSums {
    ErrorFields of;
    double* partial;
    std::int64_t pieces;

    constexpr void operator()(std::int64_t i) const {
        const std::int64_t f = i % of.fields, b = i / of.fields % of.batch, piece = i / of.fields / of.batch;
        const std::int64_t cells = of.lines * of.radii * of.times;
        std::array<double, 4> sums{};
        for (std::int64_t cell = piece; cell < cells; cell += pieces) {
            const std::int64_t t = cell % of.times, r = cell / of.times % of.radii;
            const std::int64_t line = b * of.lines + cell / of.times / of.radii;
            if (!of.is_active(line, r)) {
                continue;
            }
            const std::int64_t at = of.position(line, r, t, f);
            const double error = of.error(at), truth = static_cast<double>(of.target[at]);
            sums[0] += error * error;
            sums[1] += truth * truth;
            if (of.has_derivative(r)) {
                const double true_slope = of.slope(of.target, at, r);
                const double difference = of.slope(of.prediction, at, r) - true_slope;
                sums[2] += difference * difference;
                sums[3] += true_slope * true_slope;
            }
        }
        for (std::size_t k = 0; k < sums.size(); ++k) {
            partial[i * 4 + static_cast<std::int64_t>(k)] = sums[k];
        }
    }
};

/// One case of Backend::error_ratios().
struct ErrorRatios {
    const double* sums;
    double *values, *coefficients;
    std::int64_t fields;
    double weight, share;

    constexpr void operator()(std::int64_t b) const {
        values[b] = case_ratio(sums + b * fields * 4, fields, weight, share, coefficients + b * fields * 2);
    }
};

/// One element of the gradient; coefficients [B, F, 2].
struct ErrorGradient {
    ErrorFields of;
    const double* coefficients;
    float* gradient;

    constexpr void operator()(std::int64_t i) const {
        const std::int64_t f = i % of.fields, t = i / of.fields % of.times;
        const std::int64_t r = i / of.fields / of.times % of.radii, line = i / of.fields / of.times / of.radii;
        const double* factors = coefficients + (line / of.lines * of.fields + f) * 2;
        const double error = of.is_active(line, r) ? of.error(i) : 0.0;
        const double slope = of.slope_gradient(line, r - 1, t, f) - of.slope_gradient(line, r + 1, t, f);
        gradient[i] = static_cast<float>(factors[0] * error + factors[1] * slope);
    }
};

}  // namespace kernel

template <class Executor>
void KernelBackend<Executor>::error_norms(ConstView prediction, ConstView target, ConstView active,
                                          ConstView inverse_distance, View sums) {
    const kernel::ErrorFields fields(prediction, target, active, inverse_distance);
    const std::int64_t pairs = fields.batch * fields.fields;
    if (pairs == 0) {
        return;
    }
    const std::int64_t pieces = piece_count(fields.lines * fields.radii * fields.times, pairs);
    Tensor partial(memory(), {pieces, 4 * pairs}, DType::float64);
    executor_.run(pieces * pairs, kernel::ErrorSums{fields, partial.view().template as<double>(), pieces});
    add(1.0, summed_rows(executor_, std::move(partial)), {sums});
}

template <class Executor>
void KernelBackend<Executor>::error_ratios(ConstView sums, double weight, double share, View values,
                                           View coefficients) {
    executor_.run(sums.shape[0], kernel::ErrorRatios{sums.as<double>(), values.as<double>(), coefficients.as<double>(),
                                                     sums.shape[1], weight, share});
}

template <class Executor>
void KernelBackend<Executor>::error_gradient(ConstView prediction, ConstView target, ConstView active,
                                             ConstView inverse_distance, ConstView coefficients, View gradient) {
    executor_.run(gradient.shape.count(),
                  kernel::ErrorGradient{kernel::ErrorFields(prediction, target, active, inverse_distance),
                                        coefficients.as<double>(), gradient.as<float>()});
}

}  // namespace plumecast::cuda
