#pragma once

#include <vector>

namespace plumecast {

/// The lower Cholesky factor [n, n], row by row, of a symmetric matrix [n, n] of which the lower half is read. Throws
/// InvalidInput when the matrix is not positive definite.
std::vector<double> cholesky_factor(std::vector<double> matrix);

/// Solves L y = b for such a factor.
std::vector<double> solve_lower(const std::vector<double>& factor, std::vector<double> b);

/// Solves L L^T x = b for such a factor.
std::vector<double> solve_factored(const std::vector<double>& factor, std::vector<double> b);

}  // namespace plumecast
