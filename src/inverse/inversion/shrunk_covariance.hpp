#pragma once

#include <Eigen/Dense>

namespace plumecast {

/// Covariance [D, D] of samples [D, N], a column each: the variances of the sample, and correlations drawn towards 0 as
/// far as so few samples can be wrong about them (Ledoit and Wolf, "A well-conditioned estimator for large-dimensional
/// covariance matrices", Journal of Multivariate Analysis 88, 2004, on rows of unit variance, where its target is the
/// unit matrix). Two samples or more.
Eigen::MatrixXd shrunk_covariance(const Eigen::MatrixXd& samples);

}  // namespace plumecast
