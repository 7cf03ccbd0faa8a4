#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <plumecast/core/log.hpp>
#include <plumecast/reservoir/physics/reduced_physics.hpp>

#include "reservoir/physics/physics_errors.hpp"

namespace plumecast {

class Dataset;
class FieldsWriter;

/// How estimates are computed, and who is told.
struct EstimateOptions {
    PhysicsSettings settings{.substeps = 2};
    int threads = 0;                                                    ///< that compute cases; 0 for all
    LogSink log;                                                        ///< warnings; may be empty
    std::function<void(std::int64_t done, std::int64_t all)> progress;  ///< of the cases; may be empty
    std::function<bool()> stop_requested;                               ///< ends it early; may be empty
    /// Told of each case which errors are to be expected of it, in the order of the cases, for which it is computed
    /// with other time steps too; that takes about half as long again. Infinite where those lead to pressures without
    /// known properties, 0 of a case that cannot be computed. May be empty.
    std::function<void(std::int64_t which, const PhysicsErrors& errors)> expected_errors;
    /// Cases take more and more time steps than those of the settings, until half as many change the gas
    /// saturation and the build-up by at most this (StepControl); nothing for the steps of the settings.
    std::optional<double> tolerance;
    /// Told of each case that can be computed with how many steps it was, and how much half as many change, in the
    /// order of the cases; the change is 0 where neither `tolerance` nor `expected_errors` asks for it. May be empty.
    std::function<void(std::int64_t which, int substeps, double change)> steps;
    std::function<void(FieldsWriter& result)> before_commit;  ///< sees the fields of all cases; may be empty
    /// Told of a case that cannot be computed, and why, in the order of the cases; its fields are NaN; may be empty.
    std::function<void(std::int64_t which, const std::string& why)> skipped;
    /// Ends with NotConverged when a case could not be computed, after the file is there, whole.
    bool strict = false;
};

/// "reduced physics, two phases, 2 substeps, version 7": the attribute `model` of an estimate.
std::string description_of(const PhysicsSettings& settings, std::optional<double> tolerance = std::nullopt);

/// Writes the fields of the reduced physics for the cases of a data set as a result file, which appears when it is
/// complete: gas_saturation, pressure_buildup and dissolved_co2. Cases are
/// computed side by side and written in their order, with a few of them in memory; the file is the same for any number
/// of threads. Cases that a run with a guided network left beside the data set (CasePhysics) are read and not computed.
/// A case that cannot be computed is NaN, and the attribute `skipped_cases` of the file lists those ("3, 14").
/// With a tolerance the file has `/case/substeps` [N]. It has `/case/bottom_hole_pressure` [N, T] too,
/// the highest of the wells that inject [bar]. False when stop_requested said so; nothing is written then. Throws
/// InvalidData for a corner-point grid, NotConverged when no case can
/// be computed, and IoError.
bool estimate(const std::string& input, const std::string& output, const EstimateOptions& options);

}  // namespace plumecast
