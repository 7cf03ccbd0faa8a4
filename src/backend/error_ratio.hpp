#pragma once

#include <cmath>
#include <cstdint>

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

/// One case of Backend::error_ratios(): its value, from sums [F, 4]; writes its coefficients [F, 2].
constexpr double case_ratio(const double* sums, std::int64_t fields, double weight, double share,
                            double* coefficients) {
    double value = 0.0;
    for (std::int64_t f = 0; f < fields; ++f) {
        const ErrorRatio error(sums[4 * f], sums[4 * f + 1]), slope(sums[4 * f + 2], sums[4 * f + 3]);
        value += error.value + weight * slope.value;
        coefficients[2 * f] = share * error.factor;
        coefficients[2 * f + 1] = share * weight * slope.factor;
    }
    return value;
}

}  // namespace plumecast
