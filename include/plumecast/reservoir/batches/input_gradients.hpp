#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <plumecast/core/tensor.hpp>
#include <plumecast/reservoir/batches/batch.hpp>
#include <plumecast/reservoir/case_physics/case_physics.hpp>

namespace plumecast {

/// Derivatives of a number by what a Batch holds.
struct BatchCotangents {
    std::vector<Tensor> inputs;  ///< of each group of Batch::inputs, of its shape, on the host
    Tensor base;                 ///< [B, Z, R, T, F] on the host; empty where the batch has none
    std::vector<double> scales;  ///< [B, T|1, F] as Batch::scales
    std::vector<double> limits;  ///< [B, F]; empty where nothing depends on them
};

/// Derivatives of a number by the inputs of cases, by name: maps [B, Z, R] ([B, Z, Y, X] of a Cartesian grid), scalars
/// [B] and rates of a schedule [B, W, P] of the data set, each in the number's unit per the input's. Rates of a
/// schedule take the place of `injection_rate`, their mean. All inputs of the file are there but active, which takes
/// two values; those that nothing depends on are 0.
struct InputGradients {
    std::vector<std::int64_t> cases;
    std::map<std::string, std::vector<double>, std::less<>> inputs;
    std::vector<PhysicsCotangents>
        physics;  ///< of each case, by what add_physics_gradients() still has to add to inputs
    /// Of each case, RadialCaseGradient::retaken_steps of the physics that it went back through; empty before.
    std::vector<std::int64_t> retaken_steps = {};
};

/// Names of these inputs of a data set; of generic data their paths, "/inputs/coefficient".
std::vector<std::string> differentiable_inputs(const Dataset& dataset);

/// The extents of the derivatives by one of them: cases, then what the input has.
std::vector<std::int64_t> gradient_extents(const Dataset& dataset, std::string_view name);

/// Goes back from a batch to the data set that it was loaded from and to the reduced physics of its cases (`physics`,
/// as the source of the batch has it; nullptr where nothing comes from it): through the channels with their transforms,
/// factors and derived sources, base and scales of the fields. Grid and times are held fixed, and so is the share of
/// the correction in each cell. Throws InvalidInput for a box of a case, and what the physics throws.
InputGradients input_gradients(const Dataset& dataset, const std::vector<Channel>& channels,
                               const std::vector<Field>& fields, CasePhysics* physics, const Batch& batch,
                               const BatchCotangents& cotangents);

/// Adds the gradients of another number by the same cases, or none: what comes from one physics goes back through it
/// once.
void add(const InputGradients& more, InputGradients& sum);

/// Adds the gradient of the case `sum.cases[place]`, of a data set on rings, for the inputs that `sum` holds.
void add(const Dataset& dataset, std::size_t place, const RadialCaseGradient& more, InputGradients& sum);

/// Goes back through the reduced physics of the cases of a data set, on several threads, to the inputs; no cotangents
/// of the physics are left. Throws what the physics throws.
void add_physics_gradients(const Dataset& dataset, const CasePhysics& physics, InputGradients& gradients);

}  // namespace plumecast
