#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "inference/field_plan.hpp"
#include "inference/inference_plan.hpp"

namespace plumecast {

/// The plans of a network for the shapes that were asked for last, for any number of threads at once: a plan does not
/// change, and is kept by whoever has it. The network must outlive them, and its weights stay as they are.
class LatestPlans {
   public:
    /// Keeps so many plans at most, and fewer where their constants take more memory than `most_bytes`; the latest one
    /// in any case.
    explicit LatestPlans(const FieldNetwork& network, std::size_t most = 8,
                         std::size_t most_bytes = std::size_t{256} << 20);
    /// The same; where the network has several members, their spread comes with the fields, as describe_fields() has
    /// it.
    static std::shared_ptr<LatestPlans> with_spread(const FieldNetwork& network);
    bool gives_spread() const { return gives_spread_; }

    /// For inputs of such shapes; made at the first call for them, while other threads wait. Throws OutOfMemory.
    std::shared_ptr<const Plan> plan(const FieldInput& input);
    /// What predictions of cases of extents [space..., T] take of the backend's memory, planned at the first call for
    /// them.
    InferencePlan memory(const Shape& extents);
    /// Lets go of all of them, where memory is short.
    void forget();

    const FieldNetwork& network() const { return *network_; }

   private:
    struct Known {
        std::string shapes;
        std::shared_ptr<const Plan> plan;
    };
    struct KnownMemory {
        Shape extents;
        InferencePlan plan;
    };
    void keep_latest();

    const FieldNetwork* network_;
    std::size_t most_, most_bytes_;
    bool gives_spread_ = false;
    std::mutex mutex_;  // of what follows, the last one used first
    std::list<Known> known_;
    std::list<KnownMemory> memory_;
};

/// Plans for the batches that one thread predicts, and the memory in which it runs them, one after the other.
class FieldPlans {
   public:
    /// With plans of its own. The network must outlive them, and its weights stay as they are.
    explicit FieldPlans(const FieldNetwork& network) : FieldPlans(std::make_shared<LatestPlans>(network)) {}
    /// With plans that others use too.
    explicit FieldPlans(std::shared_ptr<LatestPlans> plans) : plans_(std::move(plans)) {}

    /// For inputs of such shapes. Throws OutOfMemory.
    PlannedPass pass(const FieldInput& input);
    /// Normalised fields [B, space..., T, F] of a host batch, in the backend's memory: of this rank's shard, if it is
    /// not alone.
    Tensor predict(const Batch& batch);
    bool gives_spread() const { return plans_->gives_spread(); }

   private:
    std::shared_ptr<LatestPlans> plans_;
    std::shared_ptr<Tensor> workspace_;
};

/// The fields [..., F] and the spread [..., F] of what plans give that give both [..., 2 F], on the host; of others all
/// of it and nothing.
std::pair<Tensor, Tensor> without_spread(Tensor values, bool has_spread);

}  // namespace plumecast
