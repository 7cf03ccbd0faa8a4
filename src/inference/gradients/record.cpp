#include <algorithm>
#include <utility>

#include <plumecast/core/error.hpp>
#include <plumecast/inference/predictor.hpp>

#include "inference/gradients/tape.hpp"
#include "inference/guided/model_grid.hpp"
#include "inference/guided/recorded_grids.hpp"
#include "inference/prediction/loaded_model.hpp"
#include "inference/prediction/prediction_notices.hpp"
#include "inference/prediction/prediction_task.hpp"
#include "inference/prediction/rolled_prediction.hpp"

namespace plumecast {
namespace {

/// Grid and times of the model for cases at other times; nothing for cases at its own. Refuses other grids.
std::optional<GridAndTimes> other_times(const Bundle& bundle, const OpenInput& input,
                                        const PredictionOptions& options) {
    if (!needs_regrid(bundle, *input.dataset, options.beyond, options.log)) {
        return std::nullopt;
    }
    std::optional<GridAndTimes> own = recorded_grid(bundle);
    if (!GridAndTimes::of(*input.dataset).has_grid_of(*own)) {
        throw InvalidInput(input.name +
                           ": has another grid than the model (bringing cases over from one grid to another has no "
                           "derivatives); give cases on the grid of the training");
    }
    return own;
}

/// Refuses what the way from inputs to fields has no derivatives of.
void require_differentiable(const Bundle& bundle, const OpenInput& input) {
    if (!input.dataset) {
        throw InvalidInput(input.name +
                           ": holds ready-made channels (gradients are by the physical inputs they come from); record "
                           "the cases of a data set");
    }
    if (recorded_rollout(bundle).rolls()) {
        throw InvalidInput(bundle.path +
                           ": rolls over windows of time (a tape is that of one pass of the network); go back through "
                           "the network itself, a window at a time");
    }
    const auto corrects_physics = [](const BundleNetwork& one) {
        return one.network->description().corrects_physics();
    };
    if (input.dataset->geometry() == Geometry::cartesian && std::ranges::any_of(bundle.networks, corrects_physics)) {
        throw InvalidInput(input.name +
                           ": derivatives of the reduced physics need a radial grid (that of boxes has fields alone); "
                           "predict, or record with a model without physics");
    }
}

}  // namespace

Recording Predictor::record(const PredictionInput& input, const PredictionOptions& options,
                            const PredictedArrays& outputs) const {
    if (model_->grid() != nullptr && model_->grid()->world().size() > 1) {
        throw InvalidInput("recording with several ranks (a tape stays with one); start one process");
    }
    require_usable(options);
    OpenInput opened(input, options.log);
    std::vector<std::string> names = options.fields;
    for (const auto& [name, array] : outputs.arrays) {
        names.push_back(name);
    }
    const WantedNetworks wanted = wanted_of(model_->bundle(), names);
    std::vector<const FieldNetwork*> networks;
    for (const std::size_t i : wanted.networks) {
        networks.push_back(model_->bundle().networks[i].network.get());
    }
    require_differentiable(model_->bundle(), opened);
    const std::optional<GridAndTimes> model_grid = other_times(model_->bundle(), opened, options);
    model_->out_of_range(*opened.dataset, options.log);
    std::unique_ptr<ResultStore> store;
    if (!outputs.arrays.empty()) {
        store = store_of(outputs, opened, wanted.fields, {});
    }
    auto tape = std::make_unique<Recording::Tape>(std::move(opened), networks, options, model_grid);
    tape->record(options, store.get());
    return Recording(std::move(tape));
}

}  // namespace plumecast
