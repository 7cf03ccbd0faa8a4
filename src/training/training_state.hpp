#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <plumecast/core/json.hpp>
#include <plumecast/training/recipe.hpp>
#include <plumecast/training/training_observer.hpp>

namespace plumecast {

/// Everything but weights and moments that a run needs to continue as if it had never stopped: `state.json`.
struct TrainingState {
    int epoch = 0;                ///< in progress, counts from 0
    std::int64_t next_batch = 0;  ///< of that epoch
    std::int64_t steps = 0;       ///< optimizer steps so far
    double loss_sum = 0.0;        ///< over the cases of the epoch so far
    std::int64_t loss_cases = 0;
    double epoch_seconds = 0.0;  ///< spent on the epoch before the last interruption
    double best_loss = 0.0;
    int best_epoch = 0;  ///< counts from 1; 0 for the start, or when there is no history yet
    int epochs_without_gain = 0;
    Json schedule;
    Json data;  ///< hashes of the data sets; null in a checkpoint of an earlier version
    std::vector<EpochReport> history;

    Json to_json(const Recipe& recipe) const;
    /// Throws InvalidModel when the state is damaged or belongs to another recipe.
    static TrainingState from_text(const std::string& json, const std::string& origin, const Recipe& recipe);
};

/// History as text, one line per epoch.
std::string metrics_csv(const std::vector<EpochReport>& history);
std::string metrics_jsonl(const std::vector<EpochReport>& history);

Json to_json(const EpochReport& report);
/// The converse. Throws InvalidInput for a missing, unknown or mistyped entry.
EpochReport read_report(JsonReader reader);

}  // namespace plumecast
