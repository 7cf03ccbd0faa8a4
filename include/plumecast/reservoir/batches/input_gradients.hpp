#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <plumecast/core/tensor.hpp>
#include <plumecast/reservoir/batches/batch.hpp>
#include <plumecast/reservoir/case_physics/case_physics.hpp>

namespace plumecast {

/// Derivatives of a number by what a Batch holds.
struct BatchWeights {
    std::vector<Tensor> inputs;  ///< of each group of Batch::inputs, of its shape, on the host
    Tensor base;                 ///< [B, Z, R, T, F] on the host; empty where the batch has none
    std::vector<double> scales;  ///< [B, F]
    std::vector<double> limits;  ///< [B, F]; empty where nothing depends on them
};

/// Derivatives of a number by the inputs of cases, by name: maps [B, Z, R] ([B, Z, Y, X] of a Cartesian grid) and
/// scalars [B] of the data set, each in the number's unit per the input's. All inputs of the file are there but active,
/// which takes two values; those that nothing depends on are 0.
struct InputGradients {
    std::vector<std::int64_t> cases;
    std::map<std::string, std::vector<double>, std::less<>> inputs;
};

/// Names of these inputs of a data set.
std::vector<std::string> differentiable_inputs(const Dataset& dataset);

/// Goes back from a batch to the data set that it was loaded from: through the channels with their transforms, factors
/// and derived sources, base and scales of the fields, and the reduced physics of each case (`physics`, as the source
/// of the batch has it; nullptr where nothing comes from it). Grid and times are held fixed, and so is the share of the
/// correction in each cell. Throws InvalidInput for a box of a case, and what the physics throws.
InputGradients input_gradients(const Dataset& dataset, const std::vector<Channel>& channels,
                               const std::vector<Field>& fields, CasePhysics* physics, const Batch& batch,
                               const BatchWeights& weights);

}  // namespace plumecast
