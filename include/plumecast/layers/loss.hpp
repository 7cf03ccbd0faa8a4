#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <plumecast/distributed/communicator.hpp>
#include <plumecast/layers/variable.hpp>

namespace plumecast {

/// Relative L2 norm over active cells plus `derivative_weight` times that of the radial derivative (Wen et al. 2022);
/// on Cartesian grids that of the derivative along x.
struct LossOptions {
    double derivative_weight = 0.5;

    friend bool operator==(const LossOptions&, const LossOptions&) = default;
};

/// Value of the loss and its gradient with respect to the prediction.
struct Loss {
    double value = 0.0;            ///< mean over the cases of the sum over the fields; a group's share of it
    std::vector<double> per_case;  ///< [B]
    Tensor gradient;               ///< like the prediction; empty when not asked for
};

/// What a loss compares with, on the backend of the prediction.
struct LossTarget {
    Tensor fields;               ///< [B, Z, R, T, F], normalised
    Tensor active;               ///< [B, Z, R], 0 or 1
    ConstView inverse_distance;  ///< [R]: 1 / distance between the centres of the two neighbours of a cell [1/m]
    /// The ranks that hold boxes of the cases, with a cell more on both sides of the last axis, inactive but for the
    /// derivative; nullptr where cases are whole. They call the loss together.
    Communicator* space = nullptr;
    std::int64_t batch = 0;  ///< cases of all groups that the mean is over; 0 for those of the prediction
};

/// Relative L2 norm over the active cells of a case plus `derivative_weight` times that of the centred r-derivative
/// (Wen et al. 2022, equation of the loss; the mean over the batch instead of its sum). A case whose target is zero
/// counts its absolute norm.
Loss relative_l2_loss(const Variable& prediction, const LossTarget& target, const LossOptions& options,
                      bool with_gradient);

/// The same under way: what comes to the host comes when wait() is called, and the device works on in the meantime.
/// The backend must outlive it.
class StartedLoss {
   public:
    StartedLoss(const Variable& prediction, const LossTarget& target, const LossOptions& options, bool with_gradient);
    /// Of losses that were computed, [B] float64, each a `share` of the mean.
    StartedLoss(Backend& backend, Tensor per_case, double share);
    StartedLoss(StartedLoss&&) = default;
    StartedLoss& operator=(StartedLoss&&) = delete;  // would let go of memory that a copy still reads
    ~StartedLoss() = default;

    /// Like the prediction, as the ops started so far leave it; once, without waiting.
    Tensor take_gradient() { return std::move(gradient_); }
    /// Value and values per case, and the gradient unless it was taken. Once.
    Loss wait();

   private:
    double share_ = 0.0;  // of a case in the mean
    Tensor gradient_, on_backend_, on_host_;
    std::unique_ptr<PendingDownload> arriving_;  // waits when it goes, before the memory does
};

/// inverse_distance [R] of radial cell edges [R+1] [m], as the loss takes it: 1 / (w[i-1]/2 + w[i] + w[i+1]/2).
std::vector<double> inverse_center_distances(std::span<const double> r_edges);

}  // namespace plumecast
