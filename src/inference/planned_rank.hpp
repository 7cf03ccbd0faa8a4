#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <plumecast/inference/field_network.hpp>

#include "distributed/rank_place.hpp"
#include "inference/rank_shard.hpp"
#include "plan/work.hpp"

namespace plumecast {

/// Zeros for a network: one input group per variation, as a data set gives them, with the channels split evenly.
Batch planned_batch(const NetworkDescription& description, const Shape& extents, std::int64_t batch);

/// What a rank does and sends.
struct PlannedWork {
    Traffic sent;
    std::vector<OpWork> ops;
};

/// One rank of a job, alone, on a backend that only counts: what it would hold and send. `batch` counts the cases of
/// all groups.
class PlannedRank {
   public:
    /// `grid` is one that is only planned; its first rank holds the largest shard. `threads` are those of the CPU;
    /// `compared` is the loss of a training.
    /// Throws InvalidInput when the network does not fit.
    PlannedRank(const NetworkDescription& description, const Shape& extents, std::int64_t batch, ProcessGrid grid,
                Precision precision, PlannedDevice device = PlannedDevice::cpu, int threads = 0,
                SpectralWay spectral = SpectralWay::automatic, LossKind compared = LossKind::relative_l2);
    /// A rank that shares the work of a network, for such a backend as the network's. Throws InvalidInput as above, for
    /// more groups than cases and for a rank that there is not.
    PlannedRank(const FieldNetwork& network, const Shape& extents, std::int64_t batch, const RankPlace& place);

    Backend& backend() const { return *backend_; }
    FieldNetwork& network() { return network_; }
    RankShard& shard() { return shard_; }
    const ProcessGrid& grid() const { return grid_; }
    const Shape& extents() const { return extents_; }
    std::int64_t batch() const { return batch_; }
    /// This rank's shard of a batch of zeros.
    const Batch& input() const { return input_; }

    /// A forward pass, the second of two alike.
    PlannedWork predict();
    Traffic sent_since(Traffic before) const;
    std::size_t peak_bytes() const { return backend_->peak_bytes(); }
    /// Of the work on a batch by one rank alone.
    double share_of_work() const;

   private:
    Shape extents_;
    std::int64_t batch_;
    ProcessGrid grid_;
    std::unique_ptr<Backend> backend_;
    FieldNetwork network_;
    RankShard shard_;
    Batch input_;
};

}  // namespace plumecast
