#include <plumecast/training/recipe.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>
#include <utility>

#include <plumecast/core/error.hpp>

#include "core/json_assignment.hpp"

namespace plumecast {
namespace {

void require(bool condition, const std::string& entry, const std::string& why, const std::string& remedy) {
    if (!condition) {
        throw InvalidInput("recipe entry '" + entry + "' cannot be used (" + why + "); " + remedy);
    }
}

bool is_positive(double value) { return std::isfinite(value) && value > 0.0; }
bool is_non_negative(double value) { return std::isfinite(value) && value >= 0.0; }

void check_schedule(const ScheduleOptions& schedule) {
    using Kind = ScheduleOptions::Kind;
    require(is_positive(schedule.learning_rate), "schedule.learning_rate", "it must be above 0", "try 1e-3");
    require(is_non_negative(schedule.minimum) && schedule.minimum <= schedule.learning_rate, "schedule.minimum",
            "it must lie between 0 and the learning rate", "lower it");
    require(is_positive(schedule.factor) && schedule.factor <= 1.0, "schedule.factor",
            "it multiplies the rate and must lie in (0, 1]", "try 0.9");
    require(schedule.kind != Kind::step || schedule.every >= 1, "schedule.every", "it counts epochs, 1 or more",
            "try 2");
    require(schedule.kind != Kind::plateau || schedule.patience >= 1, "schedule.patience",
            "it counts epochs, 1 or more", "try 5");
    require(schedule.warmup_steps >= 0, "schedule.warmup_steps", "it counts steps", "use 0 for no warm-up");
}

void check_optimizer(const OptimizerOptions& optimizer) {
    const auto is_rate = [](double beta) { return beta >= 0.0 && beta < 1.0; };
    require(is_rate(optimizer.beta1), "optimizer.beta1", "it must lie in [0, 1)", "try 0.9");
    require(is_rate(optimizer.beta2), "optimizer.beta2", "it must lie in [0, 1)", "try 0.999");
    require(is_positive(optimizer.epsilon), "optimizer.epsilon", "it must be above 0", "try 1e-8");
    require(is_non_negative(optimizer.weight_decay), "optimizer.weight_decay", "it must be 0 or more", "try 1e-4");
    require(is_non_negative(optimizer.gradient_clip), "optimizer.gradient_clip", "it must be 0 or more",
            "use 0 for no limit");
}

void check_data(const Recipe& recipe) {
    require(!recipe.train_files.empty(), "data.train", "there are no cases to learn from", "name a data set file");
    for (const auto& [files, entry] :
         {std::pair{&recipe.train_files, "data.train"}, std::pair{&recipe.validation_files, "data.validation"}}) {
        for (auto file = files->begin(); file != files->end(); ++file) {
            require(!file->empty(), entry, "one of its names is empty", "name data set files");
            require(std::find(files->begin(), file, *file) == file, entry, "'" + *file + "' appears twice",
                    "name each data set once");
        }
    }
}

void check_validation(const Recipe& recipe) {
    const bool validates = !recipe.validation_files.empty();
    const std::string why = "there are no validation cases to judge by";
    require(validates || recipe.schedule.kind != ScheduleOptions::Kind::plateau, "schedule.kind", why,
            "name a file in data.validation, or use step or cosine");
    require(validates || recipe.early_stopping.patience == 0, "early_stopping.patience", why,
            "name a file in data.validation, or set it to 0");
    require(recipe.early_stopping.patience >= 0, "early_stopping.patience", "it counts epochs",
            "use 0 to never stop early");
    require(is_non_negative(recipe.early_stopping.min_delta), "early_stopping.min_delta", "it must be 0 or more",
            "use 0");
}

void check_network(const NetworkDescription& description) {
    description.network.check();
    check_channels(description.channels);
    check_physics(description);
    if (description.physics) {
        const int version = description.physics->settings.version;
        require(version == physics_version, "physics.version",
                "this program has version " + std::to_string(physics_version) + ", not " + std::to_string(version),
                "leave it out");
    }
    require(!description.fields.empty(), "fields", "a network must predict something",
            "name gas_saturation or pressure_buildup");
    for (auto field = description.fields.begin(); field != description.fields.end(); ++field) {
        require(std::find_if(description.fields.begin(), field,
                             [&](const Field& other) { return other.name == field->name; }) == field,
                "fields", "'" + field->name + "' appears twice", "name each field once");
    }
}

bool has_physics(const Json& recipe) {
    const Json* physics = recipe.find("physics");
    return physics != nullptr && !physics->is_null();
}

Recipe with_network(const NetworkConfig& network, std::vector<Channel> channels, const std::vector<Field>& fields) {
    Recipe recipe;
    recipe.network.network = network;
    recipe.network.channels = std::move(channels);
    recipe.network.fields = {fields.front()};
    recipe.network.network.channels = static_cast<std::int64_t>(recipe.network.channels.size());
    recipe.network.network.fields = 1;
    recipe.network.network.check();
    return recipe;
}

/// That each field of the network, and nothing else, has states, and that these are among the channels.
void check_rollout(const Recipe& recipe) {
    const RolloutOptions& rollout = recipe.rollout;
    require(rollout.steps >= 0, "rollout.steps", "it counts times, 0 or more", "use 0 for no roll-out");
    require(is_non_negative(recipe.rollout_noise), "rollout_noise", "it is a deviation, 0 or more", "use 0 for none");
    require(rollout.rolls() || recipe.rollout_noise == 0.0, "rollout_noise", "nothing rolls", "use 0");
    if (!rollout.rolls()) {
        return;
    }
    require(rollout.states.size() == recipe.network.fields.size(), "rollout.states",
            "each field of the network has its own, and no other has any", "name the states of each field once");
    std::set<std::string> taken;
    for (const RolledState& state : rollout.states) {
        for (const std::string& input : state.inputs) {
            require(taken.insert(input).second, "rollout.states",
                    "the input " + input + " is the state of two outputs, or twice of one",
                    "name the states of each field once");
        }
        require(std::ranges::find(recipe.network.fields, state.output, &Field::name) != recipe.network.fields.end() &&
                    !state.inputs.empty(),
                "rollout.states", "the network has no field " + state.output + ", or it has no states",
                "name the states of each field");
    }
}

}  // namespace

Recipe Recipe::defaults(const std::string& architecture) {
    return with_network(NetworkConfig::published(architecture), default_channels(), default_fields());
}

Recipe Recipe::defaults_3d(const std::string& architecture) {
    Recipe recipe =
        with_network(NetworkConfig::three_dimensional(architecture), default_channels_3d(), default_fields_3d());
    recipe.loss.derivative_weight = 0.0;
    recipe.batch_size = 1;
    return recipe;
}

void Recipe::set(const std::string& assignment) {
    Json json = to_json();
    assign(json, assignment, "a recipe");
    const std::string dotted = assignment.substr(0, assignment.find('='));
    const bool is_other_physics = has_physics(json) != network.physics.has_value();
    const bool names_channels =
        dotted == "channels" && network.physics && json["channels"].get_if<std::string>() != nullptr;
    if (is_other_physics || names_channels) {  // have other fields of the same names
        Json::Array names;
        for (const Field& field : network.fields) {
            names.emplace_back(field.name);
        }
        json["fields"] = std::move(names);
    }
    if (is_other_physics) {  // has other channels
        std::erase_if(*json.get_if<Json::Object>(), [](const auto& entry) { return entry.first == "channels"; });
    }
    if (dotted == "loss.kind") {  // another kind has another weight of derivatives
        std::erase_if(*json["loss"].get_if<Json::Object>(),
                      [](const auto& entry) { return entry.first == "derivative_weight"; });
    }
    if (dotted == "network.architecture") {  // another architecture has another depth
        std::erase_if(*json["network"].get_if<Json::Object>(), [](const auto& entry) {
            return entry.first == "fourier_blocks" || entry.first == "extended_blocks";
        });
    }
    *this = from_json(json, "Recipe::set " + assignment, "");
}

void Recipe::check() const {
    constexpr std::int64_t most_members = 64;
    require(members >= 1 && members <= most_members, "members", "it counts networks, 1 to 64", "try 4");
    check_data(*this);
    require(freeze.empty() || !weights.empty(), "freeze", "the run starts from no model whose weights it could keep",
            "name a model in weights");
    require(train_cases >= 0, "data.train_cases", "it counts cases", "use 0 for all");
    require(!output.empty(), "output", "the run has no folder to write to", "name one");
    check_network(network);
    require(is_non_negative(loss.derivative_weight), "loss.derivative_weight", "it must be 0 or more", "try 0.5");
    require(loss.kind == LossKind::relative_l2 || loss.derivative_weight == 0.0, "loss.derivative_weight",
            "it is that of loss.kind relative_l2, and this is another", "use 0");
    for (const std::string& axis : augment.flip) {
        require(axis == "x" || axis == "y" || axis == "z", "augment.flip", "it names axes of space, x, y and z",
                "correct \"" + axis + "\"");
    }
    check_rollout(*this);
    check_schedule(schedule);
    check_optimizer(optimizer);
    check_validation(*this);
    require(epochs >= 1, "epochs", "it must be 1 or more", "try 100");
    require(batch_size >= 1, "batch_size", "it must be 1 or more", "try 4");
    require(accumulate >= 1, "accumulate", "it counts batches per step, 1 or more", "use 1 for a step per batch");
    require(recompute_blocks >= 0, "recompute_blocks", "it counts blocks, 0 or more",
            "use 0 to keep all that gradients need");
    require(average_weights >= 0.0 && average_weights < 1.0, "average_weights", "it must lie in [0, 1)",
            "try 0.999, or 0 for no average");
    require(seed <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()), "seed",
            "it must fit a signed integer of 64 bits", "use a smaller one");
    require(threads >= 0, "threads", "it must be 0 or more", "use 0 for all");
    require(is_positive(checkpoint_minutes), "checkpoint_minutes", "it must be above 0", "try 10");
}

}  // namespace plumecast
