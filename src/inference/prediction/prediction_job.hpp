#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <plumecast/inference/prediction/prediction_options.hpp>
#include <plumecast/reservoir/case_physics/case_failures.hpp>

#include "inference/guided/correction_sizes.hpp"
#include "inference/prediction/loaded_model.hpp"
#include "inference/prediction/prediction_task.hpp"
#include "inference/prediction/result_store.hpp"
#include "reservoir/metrics/trust/result_judge.hpp"

namespace plumecast {

/// One prediction: its cases, what of the bundle it computes, and where that goes.
struct PredictionJob {
    OpenInput input;
    WantedNetworks wanted;
    bool is_other_grid = false;
    std::unique_ptr<ResultStore> store = nullptr;                      // of the rank that keeps results
    std::unique_ptr<ResultStore> physics = nullptr, spread = nullptr;  // of what networks correct, of their members
    std::map<std::string, std::vector<float>> judged_values = {};      // of what follows, where it lies in memory
    std::unique_ptr<ResultStore> judged = nullptr;                     // of fields for the verdicts alone
    CorrectionSizes corrections{0};
    std::shared_ptr<CaseFailures> failures = std::make_shared<CaseFailures>();
    std::map<std::int64_t, DissolvedSeries> dissolved = {};    // of cases whose balance is closed
    std::map<std::int64_t, std::vector<float>> injected = {};  // of cases whose wells have limits, as in Batch
};

/// All networks that are wanted over all cases.
void run_networks(const LoadedModel& model, PredictionJob& job, const PredictionOptions& options,
                  PredictionReport& report);

/// Gives cases that no network answered what is known of them: 0 where nothing is injected, NaN where they failed.
void settle_unanswered(const PredictionJob& job, PredictionReport& report);

/// Where fields go that the verdicts need and nobody asked for: beside a file into one that never gets its name, beside
/// arrays into memory.
std::unique_ptr<ResultStore> judged_store(const LoadedModel& model, PredictionJob& job, const PredictionOutput& output);

/// A further result file, of the fields of which `has` is true; nothing where there are none or none are wanted.
std::unique_ptr<ResultStore> further_store(const LoadedModel& model, const PredictionJob& job, const std::string& path,
                                           bool (*has)(const NetworkDescription& network, const Field& field));

/// Takes the bands of cases away of which the calibration says nothing.
void leave_uncalibrated(const PredictionJob& job, const std::vector<std::string>& notes);

}  // namespace plumecast
