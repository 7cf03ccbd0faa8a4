#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <plumecast/inference/field_network.hpp>
#include <plumecast/inference/prediction/physical_values.hpp>
#include <plumecast/reservoir/batches/input_gradients.hpp>

#include "inference/gradients/input_gradient_plan.hpp"

namespace plumecast {

/// What cotangents are of: fields, or what physical_part() takes of them, which is not limited where it adds to a base.
enum class CotangentsOf { fields, parts };

/// The pass of a network over a batch, paused before its gradients: what these read is kept in its workspace.
class RecordedBatch {
   public:
    /// Network and batch must outlive this. Throws OutOfMemory.
    RecordedBatch(const FieldNetwork& network, const Batch& batch, InputGradientPlans& plans);

    /// [B, Z, R, T, F] of the fields.
    const Shape& shape() const { return cotangents_.shape(); }
    /// Normalised fields of this shape, float32 on the host, fetched anew; until the pull-back.
    Tensor values() const;

    /// Derivatives by the inputs of `dataset`, which the batch was loaded from, and by `physics`, as the batch's source
    /// has it, of the sum over active cells of `cotangents` [B, Z, R, T, F] (float32 on the host) times the physical
    /// fields: input_gradients(). Once: what was kept goes with it.
    InputGradients pull_back(const Dataset& dataset, CasePhysics* physics, const Tensor& cotangents, Limits limits,
                             CotangentsOf of = CotangentsOf::fields);

   private:
    const FieldNetwork& network_;
    const Batch& batch_;
    FieldInput input_;
    std::shared_ptr<const Plan> plan_;
    Tensor workspace_, cotangents_;
    std::vector<Tensor> outputs_;  // of the plan, in its order
    std::optional<Plan::Run> run_;
};

/// Cotangents [B, space..., T, F] without those of inactive cells.
Tensor active_cotangents(const Batch& batch, const Tensor& cotangents);

}  // namespace plumecast
