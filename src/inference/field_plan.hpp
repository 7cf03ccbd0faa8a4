#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <plumecast/architectures/describe.hpp>
#include <plumecast/inference/field_network.hpp>
#include <plumecast/plan/plan.hpp>

namespace plumecast {

/// The graph of the fields that a network predicts, output `fields` [B, space..., T, F]: what the network says, or of a
/// guided one the input `base` + the input `correction` * that, all as large. Fields between layers are bfloat16 if
/// `narrow`.
Graph describe_fields(const NetworkDescription& description, const NetworkShapes& shapes, bool narrow);
/// The same with such norms; statistics that these move are outputs before the fields. With `with_spread` the fields
/// are followed on the last axis by how far the members of a network are from them in the mean, [B, space..., T, 2 F].
Graph describe_fields(const NetworkDescription& description, const NetworkShapes& shapes, bool narrow,
                      const StatisticsOf& statistics, bool with_spread = false);
/// What a graph of a network is made for, of an input: the whole grid, where the input has the cells of a rank.
NetworkShapes shapes_of(const FieldNetwork& network, const NetworkInput& input);
/// The ranks that share the work, or do it as if they did; nullptr for one alone.
const ProcessGrid* ranks_of(const FieldNetwork& network);
/// What tells graphs of a network for such inputs apart.
std::string text_of(const NetworkInput& input);

/// The plan of predictions from such inputs, which are arrays `group.0`, `group.1`, ..., `base` and `correction`; where
/// ranks share the work, of this rank's part, from inputs of its shard. All of them make it together.
Plan plan_of(const FieldNetwork& network, const FieldInput& input, bool with_spread = false);

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

/// A host array in the backend's memory, of the type that it computes with.
Tensor uploaded(Backend& backend, ConstView host);

/// Copies what a plan reads of a batch to memory made for it.
void upload(Backend& backend, const Batch& batch, FieldInput& input);

/// Normalised fields [B, space..., T, F] of a host batch, in the backend's memory, by the plan that `pass` has for it;
/// of this rank's shard, if it is not alone.
Tensor predicted_by(const FieldNetwork& network, const Batch& batch,
                    const std::function<PlannedPass(const FieldInput&)>& pass);

}  // namespace plumecast
