#include "training/recipe/fine_tuning.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "training/run_records.hpp"

namespace plumecast {
namespace {

constexpr int epochs = 20;
constexpr double share_of_rate = 0.1;

const NetworkDescription& network_of(const Bundle& bundle, const std::string& field) {
    std::string known;
    for (const BundleNetwork& one : bundle.networks) {
        const NetworkDescription& description = one.network->description();
        const bool has_field = std::ranges::find(description.fields, field, &Field::name) != description.fields.end();
        if (has_field || (field.empty() && bundle.networks.size() == 1)) {
            return description;
        }
        known += (known.empty() ? "" : "; ") + names_of(description.fields);
    }
    throw InvalidInput(bundle.path + ": " +
                       (field.empty() ? "has several networks" : "has no network for '" + field + "'") +
                       " (they predict: " + known + "); choose a field that one of them predicts");
}

/// The recipe that a trainer recorded in its model, or defaults.
Recipe recorded_recipe(const Bundle& bundle, const Recipe& otherwise) {
    const Json* recorded = bundle.training.find("recipe");
    if (recorded == nullptr || !recorded->is_object()) {
        return otherwise;
    }
    return Recipe::from_json(*recorded, bundle.path + "/model.json: training.recipe", "");
}

}  // namespace

Recipe fine_tuning_recipe(const Bundle& bundle, const std::string& field) {
    const NetworkDescription& network = network_of(bundle, field);
    if (network.network.members > 1) {
        throw InvalidInput(
            fmt::format("{}: is the mean of {} networks (a run tunes one); give one of those that it was "
                        "joined from, members/0/best in the folder of its run",
                        bundle.path, network.network.members));
    }
    const std::string& architecture = network.network.architecture;
    Recipe recipe =
        network.network.space_axes() == 3 ? Recipe::defaults_3d(architecture) : Recipe::defaults(architecture);
    const Recipe recorded = recorded_recipe(bundle, recipe);
    recipe.network = network;
    recipe.weights = bundle.path;
    recipe.loss = recorded.loss;
    recipe.rollout = recorded.rollout;
    recipe.rollout_noise = recorded.rollout_noise;
    recipe.augment = recorded.augment;
    recipe.batch_size = recorded.batch_size;
    recipe.optimizer = recorded.optimizer;
    recipe.schedule.kind = ScheduleOptions::Kind::cosine;
    recipe.schedule.learning_rate = share_of_rate * recorded.schedule.learning_rate;
    recipe.schedule.minimum = std::min(recipe.schedule.minimum, recipe.schedule.learning_rate);
    recipe.epochs = epochs;
    return recipe;
}

}  // namespace plumecast
