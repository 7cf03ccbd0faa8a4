#pragma once

#include <span>
#include <vector>

#include <plumecast/backend/backend.hpp>

namespace plumecast {

class Communicator;
class Dataset;

/// The loss of a training: the relative L2 norm over active cells plus `derivative_weight` times that of the radial
/// derivative (Wen et al. 2022; on Cartesian grids and generic data of that along x), the relative Sobolev norm H1 of
/// values and their centred differences along the axes of space, in units of the length of each (Czarnecki et al. 2017,
/// Li et al. 2021), or the mean squared error.
struct LossOptions {
    double derivative_weight = 0.5;  ///< of relative_l2; 0 with the others
    LossKind kind = LossKind::relative_l2;

    friend bool operator==(const LossOptions&, const LossOptions&) = default;
};

/// What a loss compares with, on the backend of the prediction. Where ranks hold boxes of a case, with a cell more on
/// both sides of the axes of derivatives, inactive but for these.
struct LossTarget {
    Tensor fields;  ///< [B, space..., T, F], normalised
    Tensor active;  ///< [B, space...], 0 or 1
    /// 1 / distance between the centres of the two neighbours of a cell: [R] of the last axis of space [1/m], or for h1
    /// one array for each axis of space, in units of its length.
    std::vector<ConstView> inverse_distances;
};

/// The loss of each case [B] of a prediction like the target's fields, a sum over the fields. A field whose target is
/// zero counts its absolute norm. The ranks that hold boxes of the cases, `space`, add up their norms and do this
/// together.
std::vector<double> field_losses(Backend& backend, ConstView prediction, const LossTarget& target,
                                 const LossOptions& options, Communicator* space = nullptr);

/// Inverse distances [R] of cell edges [R+1], as the loss takes them: 1 / (w[i-1]/2 + w[i] + w[i+1]/2), and 0 at the
/// ends.
std::vector<double> inverse_center_distances(std::span<const double> edges);

/// The inverse distances that a loss takes of all cells of a data set.
std::vector<std::vector<double>> inverse_distances_of(const Dataset& dataset, const LossOptions& options);

}  // namespace plumecast
