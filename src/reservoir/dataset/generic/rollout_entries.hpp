#pragma once

#include <optional>
#include <string>

#include <plumecast/core/json.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/rollout.hpp>

namespace plumecast {

/// The entries of a roll-out in recipes and models, for readers and writers of JSON.
template <class Visitor, class Options>
void visit_rollout(Visitor& v, Options& rollout) {
    v.field("steps", rollout.steps);
    v.objects("states", rollout.states, [](auto& item, auto& state) {
        item.required("output", state.output);
        item.required("inputs", state.inputs);
    });
}

/// The roll-out of an entry, strictly. Throws InvalidInput with the dotted path.
RolloutOptions read_rollout(const Json& entry, const std::string& path);
Json to_json(const RolloutOptions& rollout);

/// The step of time of data whose times lie at equal distances; nothing where there is one time.
std::optional<double> time_step_of(const Dataset& dataset);

}  // namespace plumecast
