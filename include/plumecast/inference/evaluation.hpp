#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <plumecast/core/log.hpp>
#include <plumecast/inference/loss.hpp>
#include <plumecast/reservoir/batches/channels.hpp>
#include <plumecast/reservoir/metrics/errors.hpp>
#include <plumecast/reservoir/physics/reduced_physics.hpp>
#include <plumecast/reservoir/regridding/grid_and_times.hpp>

namespace plumecast {

class CaseFailures;
class CasePhysics;
class Dataset;
class FieldNetwork;

/// Errors of one output field against the simulator.
struct FieldEvaluation {
    Field field;
    ErrorSummary errors;  ///< in the order of the cases evaluated
    /// Those of the field that the network corrects, alone, where asked for.
    std::optional<ErrorSummary> physics = std::nullopt;
    /// The physics of these errors.
    std::optional<PhysicsSettings> physics_settings = std::nullopt;
};

/// Errors of the fields of a network over some cases.
struct Evaluation {
    std::vector<std::int64_t> cases;  ///< those compared
    /// Cases that are not compared, as they cannot be computed or nothing is injected, and why; only with failures.
    std::map<std::int64_t, std::string> left_out;
    std::vector<FieldEvaluation> fields;
    double loss = 0.0;             ///< mean of the loss over the cases
    double compute_seconds = 0.0;  ///< of the network alone, all cases together
};

/// How a network is evaluated, and who is told.
struct EvaluationOptions {
    /// Cases computed at once; 0 for 4, or for as many as seem to fit in Predictor::evaluate().
    std::int64_t batch = 0;
    LossOptions loss;
    bool compare_physics = false;  ///< also judge the fields of the physics that a guided network corrects
    std::function<void(std::int64_t done)> progress;  ///< told how many cases are done; may be empty
    std::function<bool()> stop_requested;             ///< ends with Interrupted; may be empty
    LogSink log;                                      ///< may be empty
    /// Takes the cases that cannot be computed, which are left out then, as are those without injection; without it
    /// they end the evaluation. Predictor::evaluate() goes on in any case.
    std::shared_ptr<CaseFailures> failures = nullptr;
    /// Of the data set, for a guided network; nullptr to compute it, and to keep it beside the data set.
    std::shared_ptr<CasePhysics> physics = nullptr;
    /// Grid and times that a network knows, where the data set has others: what it says is brought over from there. Not
    /// for ranks that share the cells of a case.
    std::optional<GridAndTimes> trained_on = std::nullopt;
};

/// Runs the network over cases of a data set with outputs and compares in physical units. Loading runs ahead of
/// computing. Throws InvalidInput when the data set lacks a field, for a negative batch, and for such ranks with
/// `trained_on`, InvalidData when all cases are left out.
Evaluation evaluate(const FieldNetwork& network, const Dataset& dataset, const std::vector<std::int64_t>& cases,
                    const EvaluationOptions& options);

}  // namespace plumecast
