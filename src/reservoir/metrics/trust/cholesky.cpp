#include "reservoir/metrics/trust/cholesky.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

#include <plumecast/core/error.hpp>

namespace plumecast {

std::vector<double> cholesky_factor(std::vector<double> matrix) {
    const auto n = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(matrix.size()))));
    expects(n * n == matrix.size(), "a square matrix");
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = matrix[i * n + j];
            for (std::size_t k = 0; k < j; ++k) {
                sum -= matrix[i * n + k] * matrix[j * n + k];
            }
            if (i != j) {
                matrix[i * n + j] = sum / matrix[j * n + j];
            } else if (sum > 0.0) {
                matrix[i * n + i] = std::sqrt(sum);
            } else {
                throw InvalidInput(
                    "a matrix of correlations is not positive definite (no cases have such); record it again");
            }
        }
        for (std::size_t j = i + 1; j < n; ++j) {
            matrix[i * n + j] = 0.0;
        }
    }
    return matrix;
}

std::vector<double> solve_lower(const std::vector<double>& factor, std::vector<double> b) {
    const std::size_t n = b.size();
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            b[i] -= factor[i * n + k] * b[k];
        }
        b[i] /= factor[i * n + i];
    }
    return b;
}

std::vector<double> solve_factored(const std::vector<double>& factor, std::vector<double> b) {
    b = solve_lower(factor, std::move(b));
    const std::size_t n = b.size();
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t k = i + 1; k < n; ++k) {
            b[i] -= factor[k * n + i] * b[k];
        }
        b[i] /= factor[i * n + i];
    }
    return b;
}

}  // namespace plumecast
