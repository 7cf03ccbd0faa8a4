#pragma once

#include <cstdint>

#include <Eigen/Dense>

#include "core/random.hpp"

namespace plumecast {

/// Standard normal numbers, the same for each name.
inline Eigen::MatrixXd normal_matrix(Eigen::Index rows, Eigen::Index columns, const char* name) {
    const RandomStream stream(7, name);
    Eigen::MatrixXd values(rows, columns);
    for (Eigen::Index i = 0; i < values.size(); ++i) {
        values.data()[i] = stream.normal(static_cast<std::uint64_t>(i));
    }
    return values;
}

/// A covariance with errors that belong together.
inline Eigen::MatrixXd error_covariance(Eigen::Index count) {
    const Eigen::MatrixXd mixed = normal_matrix(count, count, "errors");
    return 0.1 * mixed * mixed.transpose() + 0.3 * Eigen::MatrixXd::Identity(count, count);
}

}  // namespace plumecast
