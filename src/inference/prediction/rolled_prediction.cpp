#include "inference/prediction/rolled_prediction.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/generic/rollout_entries.hpp"

namespace plumecast {

RolloutOptions recorded_rollout(const Bundle& bundle) {
    const Json* record = bundle.training.find("rollout");
    return record == nullptr ? RolloutOptions() : read_rollout(*record, bundle.path + "/model.json: training.rollout");
}

void require_time_step(const Bundle& bundle, const Dataset& dataset) {
    const Json* record = bundle.training.find("rollout_time_step");
    const double* trained = record == nullptr ? nullptr : record->get_if<double>();
    const std::optional<double> own = time_step_of(dataset);
    constexpr double tolerance = 1e-3;  // of the step
    if (trained != nullptr && own && !(std::abs(*own - *trained) <= tolerance * *trained)) {
        throw InvalidInput(
            fmt::format("{}: its times lie {:g} apart (the model rolls by steps of {:g}); give states by "
                        "that step",
                        dataset.path(), *own, *trained));
    }
}

RolledOutputs rolled_outputs(const Dataset& dataset, const RolloutOptions& rollout, const PredictWindow& predict) {
    const std::int64_t cases = dataset.cases(), times = dataset.snapshots(), cells = dataset.cells();
    RolledOutputs rolled;
    for (const RolledState& state : rollout.states) {
        rolled[state.output].resize(static_cast<std::size_t>(cases * times * cells));
    }
    for (std::int64_t done = 0; done < times; done += rollout.steps) {
        const std::int64_t start = std::min(done, times - rollout.steps), known = done - start;
        const RolledOutputs found = predict(dataset.window(rollout, start, rolled));
        for (auto& [name, values] : rolled) {
            const std::vector<float>& window = found.at(name);
            for (std::int64_t which = 0; which < cases; ++which) {
                std::copy_n(window.begin() + (which * rollout.steps + known) * cells, (rollout.steps - known) * cells,
                            values.begin() + (which * times + done) * cells);
            }
        }
    }
    return rolled;
}

std::vector<float> rolled_case(const Dataset& dataset, const std::vector<float>& rolled, std::int64_t which) {
    const std::int64_t times = dataset.snapshots(), cells = dataset.cells();
    std::vector<float> values(static_cast<std::size_t>(times * cells));
    for (std::int64_t t = 0; t < times; ++t) {
        for (std::int64_t cell = 0; cell < cells; ++cell) {
            values[static_cast<std::size_t>(cell * times + t)] =
                rolled[static_cast<std::size_t>((which * times + t) * cells + cell)];
        }
    }
    return values;
}

Evaluation rolled_evaluation(const NetworkDescription& network, const Dataset& dataset, const RolledOutputs& rolled,
                             const std::map<std::int64_t, std::string>& failed) {
    if (!dataset.has_outputs()) {
        throw InvalidData(dataset.path() +
                          ": no /outputs to compare with (the file holds inputs only); give a simulated data set");
    }
    Evaluation result;
    result.left_out = failed;
    for (const Field& field : network.fields) {
        result.fields.push_back({field, {}});
    }
    const std::int64_t times = dataset.snapshots(), cells = dataset.cells();
    std::vector<float> active(static_cast<std::size_t>(cells)), stored(static_cast<std::size_t>(times * cells));
    for (std::int64_t which = 0; which < dataset.cases(); ++which) {
        if (failed.contains(which)) {
            continue;
        }
        result.cases.push_back(which);
        dataset.read_map("active", {&which, 1}, active);
        for (FieldEvaluation& one : result.fields) {
            dataset.read_output(one.field.name, {&which, 1}, stored);
            const std::vector<float> predicted = rolled_case(dataset, rolled.at(one.field.name), which);
            std::vector<float> truth(stored.size());
            for (std::int64_t i = 0; i < times * cells; ++i) {
                truth[static_cast<std::size_t>(i % cells * times + i / cells)] = stored[static_cast<std::size_t>(i)];
            }
            const Shape shape{cells, 1, times};
            result.loss += one.errors
                               .add(FieldCase{{shape, DType::float32, predicted.data()},
                                              {shape, DType::float32, truth.data()},
                                              {{cells, 1}, DType::float32, active.data()}})
                               .relative_l2;
        }
    }
    result.loss /= static_cast<double>(std::max<std::size_t>(1, result.cases.size()));
    return result;
}

}  // namespace plumecast
