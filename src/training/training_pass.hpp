#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <string>

#include <vector>

#include <plumecast/inference/field_network.hpp>
#include <plumecast/plan/plan.hpp>

#include "plan/explain.hpp"
#include "training/started_loss.hpp"
#include "training/training_graph.hpp"

namespace plumecast {

/// A batch's place in a step: which part of it this rank has, and whether others follow.
struct StepShare {
    const RankShard* shard = nullptr;  ///< nullptr for one rank alone
    std::int64_t cases = 0;            ///< of the batch, over all groups; 0 for those that are given
    std::int64_t of_step = 0;  ///< cases of all batches of the step, which the loss is a mean over; 0 for `cases`
    bool is_last = true;       ///< of the batches of the step: ranks add up their gradients
};

/// A pass op by op, with the plan that these are of.
struct ExplainedPass {
    std::vector<ExplainedOp> ops;
    std::shared_ptr<const Plan> plan;
};

/// Inverse distances of 1 of this rank's cells, for a loss of this kind, on the network's backend.
std::vector<Tensor> equal_distances(const FieldNetwork& network, const RankShard& shard, LossKind kind);

/// Ones for the loss of a rank's part of `cases` cases at `times` to compare with, on the network's backend.
LossTarget target_of_ones(const FieldNetwork& network, const RankShard& shard, std::int64_t cases, std::int64_t times,
                          std::vector<ConstView> inverse_distances);

/// Forward pass, loss and backward pass of batches by plans, which add their gradients to those that the parameters
/// hold and move running statistics.
class TrainingPass {
   public:
    /// The network must outlive it. `recompute_blocks` as rematerialise() has it.
    TrainingPass(const FieldNetwork& network, const LossOptions& loss, int recompute_blocks = 0)
        : network_(&network), loss_(loss), recompute_blocks_(recompute_blocks) {}

    /// A pass over this rank's part of a host batch, the loss under way. After the last batch of a step the gradients
    /// are sums over all ranks. Where ranks share the work they do this together. Throws OutOfMemory.
    StartedLoss run(const Batch& batch, const LossTarget& target, const StepShare& share = {});
    /// The ops of such a pass of one rank, each timed `repeats` times; their gradients are added as well.
    ExplainedPass explain(const Batch& batch, const LossTarget& target, int repeats);
    /// The same of a rank that is planned without the others: nothing is timed, and what it sends is counted.
    ExplainedPass explain_messages(const Batch& batch, const LossTarget& target, const StepShare& share);
    /// Of the latest pass, of which there was one.
    std::shared_ptr<const Plan> latest_plan() const { return known_.front().plan; }

   private:
    struct Prepared;
    struct Known {
        std::string shapes;
        StepOptions options;
        std::shared_ptr<const Plan> plan;
    };
    Prepared prepare(const Batch& batch, const StepShare& share);
    std::shared_ptr<const Plan> plan(const FieldInput& input, const StepOptions& options, const RankShard* shard);

    const FieldNetwork* network_;
    LossOptions loss_;
    int recompute_blocks_;
    std::list<Known> known_;  // the latest few, the last one used first
};

}  // namespace plumecast
