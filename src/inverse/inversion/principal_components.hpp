#pragma once

#include <span>

#include <Eigen/Dense>

namespace plumecast {

/// An ensemble as a normal distribution: its mean, and the directions in which it varies most, each as long as the
/// standard deviation along it. Rows are measured in their own deviations, as they have different units. All matrices
/// are double, a column per member.
class PrincipalComponents {
   public:
    /// Of members [M, N], two or more; `most` components at most, 0 for all that vary.
    PrincipalComponents(Eigen::MatrixXd members, Eigen::Index most);

    Eigen::Index count() const { return directions_.cols(); }
    Eigen::Index members() const { return members_.cols(); }
    /// Of the variance that the components have.
    double share() const { return share_; }
    /// The members along the directions, in standard deviations [K, N].
    const Eigen::MatrixXd& coordinates() const { return coordinates_; }
    /// Parameters [M, n] at coordinates [K, n]; each with what the components leave out of the member `rests` [n]
    /// names, so that small scales are not lost; the mean alone has none, -1.
    Eigen::MatrixXd parameters(const Eigen::MatrixXd& coordinates, std::span<const Eigen::Index> rests) const;
    /// Derivatives by coordinates [K] from those by parameters [M].
    Eigen::VectorXd pull_back(const Eigen::VectorXd& by_parameters) const;

   private:
    Eigen::MatrixXd members_, directions_, coordinates_;
    Eigen::VectorXd mean_;
    double share_ = 1.0;
};

}  // namespace plumecast
