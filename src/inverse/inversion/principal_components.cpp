#include "inverse/inversion/principal_components.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

constexpr double least_eigenvalue = 1e-10;  // over the largest; below it is rounding

/// Anomalies [M, N] in deviations of their rows; rows that do not vary are 0.
Eigen::MatrixXd standardised(const Eigen::MatrixXd& members, const Eigen::VectorXd& mean) {
    Eigen::MatrixXd anomalies = members.colwise() - mean;
    const double degrees = static_cast<double>(members.cols() - 1);
    for (Eigen::Index i = 0; i < anomalies.rows(); ++i) {
        const double deviation = std::sqrt(anomalies.row(i).squaredNorm() / degrees);
        if (deviation > 0.0) {
            anomalies.row(i) /= deviation;
        }
    }
    return anomalies;
}

}  // namespace

// Standardised anomalies / sqrt(N - 1) = U S V^T, by the eigenvectors of the smaller of the two products.
PrincipalComponents::PrincipalComponents(Eigen::MatrixXd members, Eigen::Index most)
    : members_(std::move(members)), mean_(members_.rowwise().mean()) {
    expects(members_.cols() > 1, "two members or more");
    const Eigen::MatrixXd anomalies = standardised(members_, mean_);
    const double degrees = static_cast<double>(members_.cols() - 1);
    const bool is_wide = anomalies.rows() < anomalies.cols();
    const Eigen::MatrixXd product = is_wide ? Eigen::MatrixXd(anomalies * anomalies.transpose())
                                            : Eigen::MatrixXd(anomalies.transpose() * anomalies);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(product / degrees);
    const Eigen::VectorXd values = solver.eigenvalues().reverse();  // the largest first
    Eigen::Index count = 0;
    while (count < values.size() && values[count] > least_eigenvalue * values[0]) {
        ++count;
    }
    const double all = values.head(count).sum();
    count = most > 0 ? std::min(most, count) : count;
    share_ = all > 0.0 ? values.head(count).sum() / all : 1.0;
    Eigen::MatrixXd vectors = solver.eigenvectors().rightCols(count).rowwise().reverse();
    if (is_wide) {
        vectors = anomalies.transpose() * vectors *
                  (values.head(count) * degrees).cwiseSqrt().cwiseInverse().asDiagonal();  // V = W^T U / s
    }
    for (Eigen::Index k = 0; k < count; ++k) {  // of the two signs, the one with the largest entry above 0
        Eigen::Index largest = 0;
        vectors.col(k).cwiseAbs().maxCoeff(&largest);
        vectors.col(k) *= vectors(largest, k) < 0.0 ? -1.0 : 1.0;
    }
    directions_ = (members_.colwise() - mean_) * vectors / std::sqrt(degrees);
    coordinates_ = std::sqrt(degrees) * vectors.transpose();
}

Eigen::MatrixXd PrincipalComponents::parameters(const Eigen::MatrixXd& coordinates,
                                                std::span<const Eigen::Index> rests) const {
    expects(coordinates.cols() == static_cast<Eigen::Index>(rests.size()), "a rest of each member");
    Eigen::MatrixXd moves = coordinates;  // member + directions (z - its coordinates) = mean + directions z + rest
    Eigen::MatrixXd result(members_.rows(), coordinates.cols());
    for (Eigen::Index j = 0; j < result.cols(); ++j) {
        const Eigen::Index rest = rests[static_cast<std::size_t>(j)];
        result.col(j) = rest < 0 ? mean_ : Eigen::VectorXd(members_.col(rest));
        if (rest >= 0) {
            moves.col(j) -= coordinates_.col(rest);
        }
    }
    result.noalias() += directions_ * moves;
    return result;
}

Eigen::VectorXd PrincipalComponents::pull_back(const Eigen::VectorXd& by_parameters) const {
    return directions_.transpose() * by_parameters;
}

}  // namespace plumecast
