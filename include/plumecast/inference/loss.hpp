#pragma once

#include <span>
#include <vector>

#include <plumecast/backend/backend.hpp>

namespace plumecast {

class Communicator;

/// Relative L2 norm over active cells plus `derivative_weight` times that of the radial derivative (Wen et al. 2022);
/// on Cartesian grids that of the derivative along x.
struct LossOptions {
    double derivative_weight = 0.5;

    friend bool operator==(const LossOptions&, const LossOptions&) = default;
};

/// What a loss compares with, on the backend of the prediction. Where ranks hold boxes of a case, with a cell more on
/// both sides of the last axis of space, inactive but for the derivative.
struct LossTarget {
    Tensor fields;               ///< [B, space..., T, F], normalised
    Tensor active;               ///< [B, space...], 0 or 1
    ConstView inverse_distance;  ///< [R]: 1 / distance between the centres of the two neighbours of a cell [1/m]
};

/// The loss of each case [B] of a prediction like the target's fields: the sum over the fields of the relative L2 norm
/// over active cells plus `derivative_weight` times that of the centred derivative. A field whose target is zero counts
/// its absolute norm. The ranks that hold boxes of the cases, `space`, add up their norms and do this together.
std::vector<double> relative_l2_losses(Backend& backend, ConstView prediction, const LossTarget& target,
                                       const LossOptions& options, Communicator* space = nullptr);

/// inverse_distance [R] of radial cell edges [R+1] [m], as the loss takes it: 1 / (w[i-1]/2 + w[i] + w[i+1]/2).
std::vector<double> inverse_center_distances(std::span<const double> r_edges);

}  // namespace plumecast
