#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include <plumecast/backend/backend.hpp>

namespace plumecast {

/// error / truth of two squared norms, and the factor of the error vector in its gradient. A truth of zero divides
/// as 1.
struct ErrorRatio {
    double value = 0.0, factor = 0.0;

    constexpr ErrorRatio(double error_squared, double truth_squared) {
        const double error = std::sqrt(error_squared);
        const double truth = truth_squared > 0.0 ? std::sqrt(truth_squared) : 1.0;
        value = error / truth;
        factor = error > 0.0 ? 1.0 / (error * truth) : 0.0;
    }
};

/// A field's part in a loss, and what its gradient has of the error vector and of that of the derivatives.
struct FieldLoss {
    double value = 0.0, error = 0.0, slope = 0.0;

    /// Of the sums [5] of a field, as Backend::error_norms() has them, by `axes`, each `stride` after the one before.
    constexpr FieldLoss(const double* sums, std::int64_t axes, std::int64_t stride, const LossMeasure& measure) {
        if (measure.kind == LossKind::mse) {
            const double count = sums[4] > 0.0 ? sums[4] : 1.0;
            value = sums[0] / count;
            error = 2.0 / count;
        } else if (measure.kind == LossKind::h1) {
            double errors = sums[0], truths = sums[1];
            for (std::int64_t axis = 0; axis < axes; ++axis) {
                errors += sums[axis * stride + 2];
                truths += sums[axis * stride + 3];
            }
            const ErrorRatio all(errors, truths);
            value = all.value;
            error = all.factor / static_cast<double>(axes);  // which each of the axes adds
            slope = all.factor;
        } else {
            const ErrorRatio of_values(sums[0], sums[1]), of_slopes(sums[2], sums[3]);
            value = of_values.value + measure.derivative_weight * of_slopes.value;
            error = of_values.factor;
            slope = measure.derivative_weight * of_slopes.factor;
        }
    }
};

/// Case b of Backend::error_ratios(): its value, from sums [A, B, F, 5]; writes its coefficients to those of all cases,
/// [B, F, 2].
constexpr double case_loss(const double* sums, const std::array<std::int64_t, 3>& extents, std::int64_t b,
                           const LossMeasure& measure, double share, double* all_coefficients) {
    const auto [axes, batch, fields] = extents;
    double value = 0.0;
    double* coefficients = all_coefficients + b * fields * 2;
    for (std::int64_t f = 0; f < fields; ++f) {
        const FieldLoss field(sums + (b * fields + f) * 5, axes, batch * fields * 5, measure);
        value += field.value;
        coefficients[2 * f] = share * field.error;
        coefficients[2 * f + 1] = share * field.slope;
    }
    return value;
}

}  // namespace plumecast
