#pragma once

#include <cstddef>
#include <vector>

#include <Eigen/Dense>

namespace plumecast {

/// The columns of a matrix at `places`, in their order; written out, since Eigen 3.4 and 5 name all rows differently.
inline Eigen::MatrixXd columns_at(const Eigen::MatrixXd& matrix, const std::vector<Eigen::Index>& places) {
    Eigen::MatrixXd columns(matrix.rows(), static_cast<Eigen::Index>(places.size()));
    for (std::size_t i = 0; i < places.size(); ++i) {
        columns.col(static_cast<Eigen::Index>(i)) = matrix.col(places[i]);
    }
    return columns;
}

}  // namespace plumecast
