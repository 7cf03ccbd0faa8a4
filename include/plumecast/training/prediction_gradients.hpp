#pragma once

#include <vector>

#include <plumecast/data/physics/input_gradients.hpp>
#include <plumecast/training/field_network.hpp>

namespace plumecast {

/// A weighted sum of the predicted fields of each case, and its derivatives by the inputs of that case.
struct PredictionGradients {
    std::vector<double> sums;  ///< [B]
    InputGradients gradients;
};

/// For each case of a batch, the sum over active cells, times and fields of `weights` [B, Z, R, T, F] (float32 on the
/// host) times the fields as physical_values() gives them, and its derivatives by the physical inputs of the data set
/// that the batch was loaded from: through network, channels, scales and, of a guided network, its physics (`physics`,
/// as the batch's source has it). Values at a limit or below the cutoff of a field have the derivatives of these
/// limits. The weights of the network are held fixed, but those that want a gradient get theirs added. Throws
/// InvalidInput where require_input_gradients() does, and for weights of another shape.
PredictionGradients prediction_gradients(const FieldNetwork& network, const Dataset& dataset, const Batch& batch,
                                         const Tensor& weights, const CasePhysics* physics = nullptr);

}  // namespace plumecast
