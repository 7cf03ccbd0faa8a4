#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <plumecast/architectures/describe.hpp>
#include <plumecast/inference/field_network.hpp>
#include <plumecast/inference/inference_plan.hpp>
#include <plumecast/plan/plan.hpp>

namespace plumecast {

/// The graph of the fields that a network predicts, output `fields` [B, space..., T, F]: what the network says, or of a
/// guided one the input `base` + the input `correction` * that, all as large. Fields between layers are bfloat16 if
/// `narrow`.
Graph describe_fields(const NetworkDescription& description, const NetworkShapes& shapes, bool narrow);
/// The same with such norms; statistics that these move are outputs before the fields.
Graph describe_fields(const NetworkDescription& description, const NetworkShapes& shapes, bool narrow,
                      const StatisticsOf& statistics);
/// What a graph of a network is made for, of an input: the whole grid, where the input has the cells of a rank.
NetworkShapes shapes_of(const FieldNetwork& network, const NetworkInput& input);
/// The ranks that share the work, or do it as if they did; nullptr for one alone.
const ProcessGrid* ranks_of(const FieldNetwork& network);
/// What tells graphs of a network for such inputs apart.
std::string text_of(const NetworkInput& input);

/// The plan of predictions from such inputs, which are arrays `group.0`, `group.1`, ..., `base` and `correction`; where
/// ranks share the work, of this rank's part, from inputs of its shard. All of them make it together.
Plan plan_of(const FieldNetwork& network, const FieldInput& input);

/// The arrays of an input, which must outlive what is returned, by these names.
Feed feed_of(const FieldInput& input);

/// A plan, and memory in which one thread runs it.
struct PlannedPass {
    std::shared_ptr<const Plan> plan;
    std::shared_ptr<Tensor> workspace;

    /// Whether a run needs no other rank, so that a device can record it.
    bool is_of_one_rank() const;
    /// Memory for the normalised fields.
    Tensor output(Backend& backend) const;
    void run(const FieldInput& input, View fields) const;
};

/// The plans of a network for the shapes that were asked for last, for any number of threads at once: a plan does not
/// change, and is kept by whoever has it. The network must outlive them, and its weights stay as they are.
class LatestPlans {
   public:
    /// Keeps so many plans at most, and fewer where their constants take more memory than `most_bytes`; the latest one
    /// in any case.
    explicit LatestPlans(const FieldNetwork& network, std::size_t most = 8,
                         std::size_t most_bytes = std::size_t{256} << 20);

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

   private:
    std::shared_ptr<LatestPlans> plans_;
    std::shared_ptr<Tensor> workspace_;
};

/// A host array in the backend's memory, of the type that it computes with.
Tensor uploaded(Backend& backend, ConstView host);

/// Copies what a plan reads of a batch to memory made for it.
void upload(Backend& backend, const Batch& batch, FieldInput& input);

}  // namespace plumecast
