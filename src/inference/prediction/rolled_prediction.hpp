#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <plumecast/inference/bundle.hpp>
#include <plumecast/inference/evaluation.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/rollout.hpp>

namespace plumecast {

/// How the networks of a bundle roll over times, as it records of its training; nothing rolls without such a record.
/// Throws InvalidInput for a damaged one.
RolloutOptions recorded_rollout(const Bundle& bundle);

/// Throws InvalidInput where the times of the data lie at another distance than those that the bundle was trained on,
/// as far as it records that: states follow each other by that step.
void require_time_step(const Bundle& bundle, const Dataset& dataset);

/// Predicts a window of the data: [N, steps, space...] of each field, NaN where points do not count.
using PredictWindow = std::function<RolledOutputs(Dataset window)>;

/// The outputs of all times of a data set, [N, T, space...]: window after window, each from the states that the one
/// before ends with. The last one may begin earlier than the one before ends, and gives only times that were not there.
/// Throws InvalidData for states or times that the data do not have.
RolledOutputs rolled_outputs(const Dataset& dataset, const RolloutOptions& rollout, const PredictWindow& predict);

/// The field of a case among them as results have it, [space..., T].
std::vector<float> rolled_case(const Dataset& dataset, const std::vector<float>& rolled, std::int64_t which);

/// Errors of rolled outputs of a network against those of a data set, over all times; the loss is the sum of the
/// relative L2 norms of the fields, in physical units.
Evaluation rolled_evaluation(const NetworkDescription& network, const Dataset& dataset, const RolledOutputs& rolled,
                             const std::map<std::int64_t, std::string>& failed);

}  // namespace plumecast
