#pragma once

#include <memory>
#include <string>
#include <vector>

#include <plumecast/inference/field_network.hpp>
#include <plumecast/inference/prediction/physical_values.hpp>
#include <plumecast/reservoir/batches/input_gradients.hpp>
#include <plumecast/reservoir/case_physics/case_physics.hpp>

namespace plumecast {

/// The physics that a network was trained on, of the cases of a data set, which must outlive it; nothing for a network
/// without. Throws InvalidInput for a version of the physics that this program does not have, and InvalidData for a
/// grid that it does not know.
std::shared_ptr<CasePhysics> physics_for(const NetworkDescription& description, const Dataset& dataset,
                                         PhysicsOptions options = {});

/// Batches for a network, from a data set, which must outlive the source; `physics` as physics_for() gives it, nullptr
/// for one of its own; `physics_fields` of it come with a batch as Batch says; `type` of what the network computes
/// with, float64 for a backend that computes in it; `failures` as of dataset_source(). Throws what dataset_source()
/// throws.
std::unique_ptr<BatchSource> cases_for(const NetworkDescription& description, const Dataset& dataset, Targets targets,
                                       std::shared_ptr<CasePhysics> physics = nullptr,
                                       std::vector<std::string> physics_fields = {}, DType type = DType::float32,
                                       std::shared_ptr<CaseFailures> failures = nullptr);

/// A weighted sum of the predicted fields of each case, and its derivatives by the inputs of that case.
struct PredictionGradients {
    std::vector<double> sums;  ///< [B]
    InputGradients gradients;
};

/// For each case of a batch, the sum over active cells, times and fields of `cotangents` [B, Z, R, T, F] (float32 on
/// the host) times the fields as physical_values() gives them, and its derivatives by the physical inputs of the data
/// set that the batch was loaded from: through network, channels, scales and, of a guided network, its physics
/// (`physics`, as the batch's source has it). Values at a limit or below the cutoff of a field have the derivatives of
/// these limits, unless `limits` are left out. The weights of the network are held fixed, but those that require a
/// gradient get theirs added. Throws InvalidInput for cotangents of another shape, and NotConverged.
PredictionGradients prediction_gradients(const FieldNetwork& network, const Dataset& dataset, const Batch& batch,
                                         const Tensor& cotangents, CasePhysics* physics = nullptr,
                                         Limits limits = Limits::apply);

}  // namespace plumecast
