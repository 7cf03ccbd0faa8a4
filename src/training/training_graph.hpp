#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <plumecast/graph/graph.hpp>
#include <plumecast/inference/field_network.hpp>
#include <plumecast/inference/loss.hpp>

#include "inference/rank_shard.hpp"

namespace plumecast {

/// What tells the graphs of training steps of one network apart, besides the shapes of the batch.
struct StepOptions {
    LossOptions loss;
    double share = 1.0;        ///< of a case in the mean that is the loss
    bool accumulates = false;  ///< the gradients are added to those of batches before
    std::int64_t cases = 0;    ///< of the batch, over all groups; 0 for those of the input
    bool is_last = true;       ///< no batch of the step follows: ranks add up their gradients
    int recompute_blocks = 0;  ///< as rematerialise() has it

    friend bool operator==(const StepOptions&, const StepOptions&) = default;
};

/// The name of the gradient with respect to a weight, among inputs and outputs.
std::string gradient_name(const std::string& weight);

/// The name of inverse distances among the inputs, as LossTarget counts them.
std::string inverse_distance_name(std::size_t which);

/// Forward pass, loss and gradients of one batch. Inputs those of describe_fields(), `target` like the
/// fields, `active` [B, space...], the inverse distances of LossTarget and, where the step accumulates, the gradients
/// so far. Outputs `loss` [B] float64, the gradients of all weights that an optimizer moves, and the running statistics
/// that the batch leaves. Norms whose weights are frozen keep theirs. Where ranks share the work, it is that of one of
/// them, whose inputs are those of its shard, with the sums of gradients over all that have a part in them; collective
/// then.
Graph training_graph(const FieldNetwork& network, const FieldInput& input, const StepOptions& options,
                     const RankShard* shard = nullptr);

}  // namespace plumecast
