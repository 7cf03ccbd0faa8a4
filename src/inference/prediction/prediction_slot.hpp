#pragma once

#include <memory>
#include <string>
#include <vector>

#include <plumecast/inference/field_network.hpp>

#include "inference/prediction/latest_plans.hpp"

namespace plumecast {

/// The way of batches through a network in memory that stays, so that a device can record it; with two slots in turn,
/// the results of one batch travel to the host, and on to a file, while the device computes the next.
class PredictionSlot {
   public:
    /// `plans` of the network are for all slots of a thread. Both must outlive the slot.
    PredictionSlot(const FieldNetwork& network, FieldPlans& plans);

    /// Starts the prediction of a batch, of this rank's shard where several work together. What the last one left must
    /// have been taken.
    void start(const Batch& batch);
    /// Waits for the normalised values [B, Z, R, T, F] and hands them over, in host memory.
    Tensor finish();

   private:
    bool fits(const Batch& batch) const;
    void make_room(const Batch& batch);

    const FieldNetwork* network_;
    FieldPlans* plans_;
    std::vector<std::vector<std::string>> channels_;  // of each group of input_
    Shape extents_;                                   // as the batch gives them
    FieldInput input_;
    PlannedPass planned_;
    Tensor output_;
    Tensor values_;                   // on the host
    std::unique_ptr<Replay> replay_;  // where one rank is alone
    bool is_ready_ = false;           // all of these are for batches like the last one
    std::unique_ptr<PendingDownload> pending_;
};

}  // namespace plumecast
