#pragma once

#include <cstdint>
#include <span>

#include <Eigen/Dense>

/// Ensemble smoother with multiple data assimilation: Emerick and Reynolds, "Ensemble smoother with multiple data
/// assimilation", Computers & Geosciences 55 (2013). All matrices are double, a column per member.
namespace plumecast {

/// Which entries of the gain are kept: those whose sample correlation between parameter and prediction is above what
/// chance gives (Luo, Bhakta and Naevdal 2018).
struct Localization {
    /// In standard deviations of a sample correlation of what is independent, 1 / sqrt(members); 0 keeps all.
    double threshold = 2.0;
};

/// Observations [D, N] with errors drawn for each member: observed + sqrt(inflation) error_factor z, z standard normal,
/// centred over the members and stretched to the variance. `error_factor` [D, D] is the lower Cholesky factor of the
/// data error; `numbers` [N] are the members' numbers. A function of seed, step, number and observation alone.
Eigen::MatrixXd perturbed_observations(const Eigen::VectorXd& observed, const Eigen::MatrixXd& error_factor,
                                       double inflation, std::uint64_t seed, int step,
                                       std::span<const std::int64_t> numbers);

/// One update: parameters [M, N] + C_md (C_dd + inflation C_d)^-1 (perturbed [D, N] - predictions [D, N]), as a
/// damped least-squares problem of the predictions scaled with `error_factor` (Evensen 2004), by a QR factorisation, so
/// that no matrix is squared and nothing is divided by less than the square root of the inflation.
Eigen::MatrixXd esmda_update(const Eigen::MatrixXd& parameters, const Eigen::MatrixXd& predictions,
                             const Eigen::MatrixXd& perturbed, const Eigen::MatrixXd& error_factor, double inflation,
                             const Localization& localization);

/// Lower Cholesky factor of a covariance [D, D]. Throws InvalidInput when it is not positive definite.
Eigen::MatrixXd cholesky_factor(const Eigen::MatrixXd& covariance);

}  // namespace plumecast
