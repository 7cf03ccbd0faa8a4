#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <plumecast/inference/bundle.hpp>
#include <plumecast/reservoir/dataset/ranges.hpp>
#include <plumecast/training/training_observer.hpp>

#include "reservoir/metrics/trust/trust_record.hpp"
#include "training/run/run_data.hpp"

/// What a training run writes of itself into its model.
namespace plumecast {

/// "gas_saturation and pressure_buildup"
std::string names_of(const std::vector<Field>& fields);

/// Name of the weights file of a network.
std::string stem_of(const std::vector<Field>& fields);

/// The recipe as a model carries it: files by name, since a model travels and folders do not.
Recipe without_folders(Recipe recipe);

/// The model of an epoch that is the best so far.
BundleContent content_of_best(const Recipe& recipe, const RunData& data, const InputRanges& ranges,
                              const TrustRecord& trust, const FieldNetwork& network, const EpochReport& report);

/// The error that a field is watched by: MPE of saturation, MRE of other outputs of reservoirs, relative L2 of others.
struct ChiefError {
    std::string_view label;
    double value = 0.0;
};
ChiefError chief_error_of(const FieldReport& field);

/// "validation 0.0123  gas_saturation MPE 0.0045 R2 0.9876": loss and errors in a line.
std::string text_of(const Evaluation& evaluation);

/// What a run starts from as its epoch 0, without a loss of training.
EpochReport report_of_start(const Evaluation& evaluation, double seconds);
/// Writes metrics.csv and metrics.jsonl of a run, on the first rank.
void write_metrics(const Recipe& recipe, const RankShard& share, const std::vector<EpochReport>& history);
std::vector<FieldReport> reports_of(const Evaluation& evaluation);

}  // namespace plumecast
