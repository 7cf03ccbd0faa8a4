#pragma once

#include <cstdint>
#include <string>

#include <Eigen/Dense>

#include "inverse/inversion/forward_model.hpp"

namespace plumecast {

/// How a model errs at observations: of simulated minus predicted over cases that were simulated.
struct ModelError {
    Eigen::VectorXd mean;        ///< [D]
    Eigen::MatrixXd covariance;  ///< [D, D], shrunk
    std::int64_t cases = 0;      ///< that counted
};

/// Compares a model with the simulated cases of a data set on the grid of the observations; cases in which an observed
/// cell is inactive, or that cannot be computed, do not count. Throws InvalidData for a data set without the observed
/// outputs, on another grid, with other times or with fewer than 20 cases that count; what ForwardModel::at() throws.
ModelError model_error_at(const ObservedPlaces& places, const Dataset& grid, const std::string& calibration,
                          const ForwardModel& model, const ForwardModel::Listeners& listeners);

}  // namespace plumecast
