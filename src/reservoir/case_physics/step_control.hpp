#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

#include "reservoir/case_physics/physics_pass.hpp"
#include "reservoir/physics/physics_errors.hpp"

namespace plumecast {

/// A case, and the number of time steps that it was computed with.
struct ControlledCase {
    PhysicsCase computed;
    PhysicsErrors errors;  ///< 0 where they were not asked for, and of a case that cannot be computed
    int substeps = 0;      ///< as in PhysicsSettings
    double change = 0.0;   ///< of the fields from half as many, or twice that from two to one; infinite without fields
    bool has_failed = false;
};

/// Computes cases with more and more time steps until half as many change neither the gas saturation, in the mean over
/// the plume, nor the build-up, in the mean per largest build-up of a time, by more than a tolerance: step doubling as
/// an indicator of the error of the steps, case by case (docs/physics.md, "Steps to a tolerance").
class StepControl {
   public:
    /// Infinite for the steps of the settings as they are.
    static constexpr double any_change = std::numeric_limits<double>::infinity();
    /// Cases take at most so many times the steps of the settings.
    static constexpr int most_times = 16;

    /// The data set must outlive this; `with_errors` asks for those of each case, as any tolerance does. Throws
    /// InvalidData for a corner-point grid.
    StepControl(const Dataset& dataset, const PhysicsSettings& settings, double tolerance, bool with_errors,
                const LogSink& log);

    /// Outputs of the data set format that the physics gives.
    const std::vector<std::string>& fields() const { return passes_.front().fields(); }
    /// Computes or reads a case; any number of threads may, for different cases. What cannot be computed with fewer
    /// steps is tried with more. Throws InvalidData, IoError.
    ControlledCase of(std::int64_t which);
    /// One of fields() of a case [space..., T] in physical units.
    std::vector<float> values(const ControlledCase& of, const std::string& field) const {
        return passes_.front().values(of.computed, field);
    }
    /// Cases that could not be computed; complete for those that of() returned.
    const CaseFailures& failures() const { return failures_; }

   private:
    ControlledCase with_steps_of(std::size_t level, std::int64_t which);

    const Dataset& dataset_;
    std::vector<PhysicsSettings> settings_;  // of each level, with twice the steps of the one before
    std::deque<PhysicsPass> passes_;         // likewise
    double tolerance_;
    bool with_errors_;
    CaseFailures failures_;
};

}  // namespace plumecast
