#include "reservoir/dataset/generic/rollout_entries.hpp"

#include <vector>

#include <plumecast/core/error.hpp>

#include "core/json_fields.hpp"

namespace plumecast {

RolloutOptions read_rollout(const Json& entry, const std::string& path) {
    RolloutOptions rollout;
    JsonReader object(entry, path);
    read_whole(object, [&](FieldReader& v) { visit_rollout(v, rollout); });
    return rollout;
}

Json to_json(const RolloutOptions& rollout) {
    return written([&](FieldWriter& v) { visit_rollout(v, rollout); });
}

std::optional<double> time_step_of(const Dataset& dataset) {
    const std::vector<double>& times = dataset.times();
    return times.size() < 2 ? std::nullopt
                            : std::optional((times.back() - times.front()) / static_cast<double>(times.size() - 1));
}

}  // namespace plumecast
