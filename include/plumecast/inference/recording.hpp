#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <plumecast/inference/predicted_arrays.hpp>

namespace plumecast {

/// Cotangents of predicted fields by their names, [N, T, Z, R] ([N, T, Z, Y, X] of a Cartesian grid), and of series of
/// them, [N, T], such as the derivatives of a misfit: each per the unit of its field or series. Those of inactive cells
/// are not read.
using FieldCotangents = std::map<std::string, ArrayView>;

/// Where derivatives by inputs go, by the names of the inputs: maps [N, Z, R], numbers [N], rates of a schedule [N, W,
/// P].
using GradientArrays = std::map<std::string, OutputArray>;

/// A forward pass over cases whose tape is kept (Predictor::record()). Of one thread at a time; it can be moved.
class Recording {
   public:
    class Tape;
    explicit Recording(std::unique_ptr<Tape> tape);
    ~Recording();
    Recording(Recording&&) noexcept;
    Recording& operator=(Recording&&) noexcept;

    /// Names of the fields that may have cotangents.
    std::vector<std::string> fields() const;
    /// Names of the series that may have cotangents: bottom_hole_pressure [bar], mass_free and mass_trapped [Mt] of
    /// cases on rings where build-up and saturation are both recorded; else none. They are computed from the predicted
    /// fields as `report` does; trapped gas follows from the largest saturation at the times so far (Land).
    std::vector<std::string> series() const;
    /// Values [N, T] of one of them, of fields with the limits that were recorded; NaN where it has no value, as CO2
    /// has no known density at a pressure outside 0 to 1000 bar, or no cell is perforated. Before the pull-back. Throws
    /// InvalidInput for another name, or after it.
    std::vector<double> series(const std::string& name);
    /// Names of the inputs that have derivatives: all maps and numbers of the cases but active, which takes two values;
    /// of a schedule schedule_rate in the place of injection_rate, its mean.
    std::vector<std::string> inputs() const;

    /// The vector-Jacobian product: derivatives of the sum of cotangents times fields and series by inputs in their
    /// physical units (mD, Mt/year, bar, 1 ...), each case's by its own, in float32 or float64; fields without
    /// cotangents count nothing. They go through the networks, the channels with transforms, masks and factors, derived
    /// inputs, scales and limits of the fields, and the reduced physics; grid and times are held fixed.
    /// Written once, through the strides of the arrays; 0 in inactive cells. Once per recording, whose tape goes with
    /// it. Throws InvalidInput for a second call, for a name, shape or type that does not fit, for arrays that share
    /// memory, and naming case and day where a series without a value (NaN) has a cotangent that is not 0; such a
    /// mistake leaves the tape and the arrays as they were. Throws OutOfMemory and what the physics throws.
    void pull_back(const FieldCotangents& cotangents, const GradientArrays& gradients);

    /// Of each case, after pull_back(): time steps of its reduced physics that failed at first and were taken in
    /// another way (docs/physics.md). Where it is not 0 the fields jump with the inputs, and the derivatives hold for
    /// changes of inputs below a thousandth only. 0 without such physics. Throws InvalidInput before pull_back().
    std::vector<std::int64_t> retaken_steps() const;

   private:
    std::unique_ptr<Tape> tape_;
};

}  // namespace plumecast
