#pragma once

#include <plumecast/inference/evaluation.hpp>
#include <plumecast/inference/field_network.hpp>
#include <plumecast/reservoir/batches/input_gradients.hpp>

namespace plumecast {

/// The pass of a network over a batch, with its tape.
class RecordedBatch {
   public:
    /// Both must outlive this. Throws InvalidInput where require_input_gradients() does, OutOfMemory.
    RecordedBatch(const FieldNetwork& network, const Batch& batch);

    /// Normalised fields [B, Z, R, T, F], float32 on the host.
    const Tensor& values() const { return values_; }

    /// Derivatives by the inputs of `dataset`, which the batch was loaded from, of the sum over active cells of
    /// `weights` [B, Z, R, T, F] (float32 on the host) times the physical fields; `physics` as the batch's source has
    /// it. Once: the tape goes with it.
    InputGradients pull_back(const Dataset& dataset, const CasePhysics* physics, const Tensor& weights, Limits limits);

   private:
    const FieldNetwork& network_;
    const Batch& batch_;
    FieldInput input_;
    Variable prediction_;
    Tensor values_;
};

/// Weights [B, space..., T, F] without those of inactive cells.
Tensor active_weights(const Batch& batch, const Tensor& weights);

}  // namespace plumecast
