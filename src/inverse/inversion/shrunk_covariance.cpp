#include "inverse/inversion/shrunk_covariance.hpp"

#include <algorithm>
#include <cmath>

#include <plumecast/core/error.hpp>

namespace plumecast {

Eigen::MatrixXd shrunk_covariance(const Eigen::MatrixXd& samples) {
    expects(samples.cols() > 1, "two samples or more");
    const double n = static_cast<double>(samples.cols());
    Eigen::MatrixXd scaled = samples.colwise() - samples.rowwise().mean();
    const Eigen::VectorXd deviations = (scaled.rowwise().squaredNorm() / n).cwiseSqrt();
    for (Eigen::Index i = 0; i < scaled.rows(); ++i) {
        if (deviations[i] > 0.0) {
            scaled.row(i) /= deviations[i];
        }
    }
    const Eigen::MatrixXd sample = scaled * scaled.transpose() / n;  // S of their (3), with mean variance m = 1
    Eigen::MatrixXd target = Eigen::MatrixXd::Zero(sample.rows(), sample.cols());
    target.diagonal() = sample.diagonal();
    const double distance = (sample - target).squaredNorm();  // d^2
    double scatter = 0.0;                                     // b-bar^2
    for (Eigen::Index k = 0; k < scaled.cols(); ++k) {
        // |x x^T - S|^2 without the matrix x x^T
        const Eigen::VectorXd x = scaled.col(k);
        scatter += x.squaredNorm() * x.squaredNorm() - 2.0 * x.dot(sample * x) + sample.squaredNorm();
    }
    scatter /= n * n;
    const double share = distance > 0.0 ? std::min(scatter / distance, 1.0) : 1.0;
    const Eigen::MatrixXd correlations = share * target + (1.0 - share) * sample;
    const Eigen::VectorXd unbiased = deviations * std::sqrt(n / (n - 1.0));
    return unbiased.asDiagonal() * correlations * unbiased.asDiagonal();
}

}  // namespace plumecast
