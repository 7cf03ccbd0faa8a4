#pragma once

#include <functional>

#include <Eigen/Dense>

#include "inverse/inversion/lbfgs.hpp"

/// Randomized maximum likelihood: Oliver, "On conditional simulation to inaccurate data", Mathematical Geology 28
/// (1996); Oliver, He and Reynolds, "Conditioning permeability fields to pressure data", ECMOR V (1996). Each member
/// is the most likely one for data with drawn errors and a prior whose mean is drawn; without both it is the one
/// reservoir of the largest density.
namespace plumecast {

/// What one member is sought for, in coordinates that are standard normal in the prior.
struct MemberProblem {
    /// Predictions [D] at coordinates [K]; of the cotangents [D] that `cotangents` gives of them, the
    /// derivatives by the coordinates go to `gradient` [K].
    using Forward = std::function<Eigen::VectorXd(
        const Eigen::VectorXd& at, const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& cotangents,
        Eigen::VectorXd& gradient)>;

    Forward forward;
    Eigen::VectorXd observed;      ///< [D] with the errors drawn for the member
    Eigen::MatrixXd error_factor;  ///< [D, D] lower Cholesky factor of the data error
    Eigen::VectorXd prior;         ///< [K] drawn for the member; 0 for the mean
};

/// (|z - prior|^2 + |L^-1 (observed - g(z))|^2) / 2 and its derivatives.
double objective(const MemberProblem& problem, const Eigen::VectorXd& at, Eigen::VectorXd& gradient);

}  // namespace plumecast
