#pragma once

#include <memory>

#include <plumecast/backend/backend.hpp>

namespace plumecast {

/// The loss of a batch under way: its numbers come to the host when wait() is called, and the device works on in the
/// meantime. The backend must outlive it.
class StartedLoss {
   public:
    /// Of losses per case [B] float64, each a `share` of the mean.
    StartedLoss(Backend& backend, Tensor per_case, double share);
    StartedLoss(StartedLoss&&) = default;
    StartedLoss& operator=(StartedLoss&&) = delete;  // would let go of memory that a copy still reads
    ~StartedLoss() = default;

    /// The sum of the shares of all cases. Once.
    double wait();

   private:
    double share_ = 0.0;
    Tensor on_backend_, on_host_;
    std::unique_ptr<PendingDownload> arriving_;  // waits when it goes, before the memory does
};

}  // namespace plumecast
