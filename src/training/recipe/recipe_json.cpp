#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include <plumecast/core/error.hpp>
#include <plumecast/training/recipe.hpp>

#include "core/json_fields.hpp"
#include "inference/bundle/network_json.hpp"
#include "io/text_file.hpp"
#include "reservoir/dataset/generic/rollout_entries.hpp"

namespace plumecast {
namespace {

const std::vector<std::string>& schedule_names() {
    static const std::vector<std::string> names{"constant", "step", "cosine", "plateau"};
    return names;
}

/// In the order of LossKind.
const std::vector<std::string>& loss_names() {
    static const std::vector<std::string> names{"relative_l2", "h1", "mse"};
    return names;
}

const std::vector<std::string>& optimizer_names() {
    static const std::vector<std::string> names{"adam", "adamw"};
    return names;
}

const std::vector<std::string>& precision_names() {
    static const std::vector<std::string> names{"fp32", "tf32", "bf16"};
    return names;
}

std::string resolved(const std::string& path, const std::string& folder) {
    if (path.empty() || folder.empty()) {
        return path;
    }
    return (std::filesystem::path(folder) / path).lexically_normal().string();
}

/// A text or a list of them; paths count from `folder`.
std::vector<std::string> read_list(JsonReader& object, std::string_view key, const std::string& folder) {
    if (!object.has(key)) {
        return {};
    }
    std::vector<std::string> texts;
    if (object.raw(key).get_if<std::string>() == nullptr) {
        texts = object.get<std::vector<std::string>>(key);
    } else if (const auto text = object.get<std::string>(key); !text.empty()) {
        texts = {text};
    }
    for (std::string& text : texts) {
        text = resolved(text, folder);
    }
    return texts;
}

/// One path as text, several as a list.
Json files_entry(const std::vector<std::string>& files) {
    if (files.size() > 1) {
        return Json::Array(files.begin(), files.end());
    }
    return files.empty() ? "" : files.front();
}

std::vector<Channel> channels_of(const NetworkDescription& description) {
    const bool is_box = description.network.space_axes() == 3;
    if (description.physics) {
        return is_box ? guided_channels_3d() : guided_channels();
    }
    return is_box ? default_channels_3d() : default_channels();
}

/// Whether a channel is over the size of the build-up at each time, as those of schedules are.
bool knows_size_by_time(const std::vector<Channel>& channels) {
    const auto is_size = [](const PowerFactor& factor) { return factor.source == "physics_buildup_rms_by_time"; };
    return std::ranges::any_of(channels,
                               [&](const Channel& channel) { return std::ranges::any_of(channel.factors, is_size); });
}

/// Fields that can be named; `of_schedules`: with such channels.
std::vector<Field> fields_of(const NetworkDescription& description, bool of_schedules) {
    if (description.physics) {
        return of_schedules ? scheduled_fields() : guided_fields();
    }
    return description.network.space_axes() == 3 ? default_fields_3d() : default_fields();
}

std::vector<Channel> channels_under(JsonReader& object, std::string_view key, const NetworkDescription& description) {
    if (object.raw(key).get_if<std::string>() == nullptr) {
        return read_channels(object, key);
    }
    const std::vector<std::string> choices = {"default", "published", "guided", "scheduled"};
    const std::size_t choice = index_of(object.get<std::string>(key), choices, object.path(key));
    if (choice >= 2 && !description.physics) {
        throw InvalidInput(object.path(key) + " is \"" + choices[choice] +
                           "\" (there is no entry physics to read channels from); add it, or use "
                           "\"default\"");
    }
    return choice == 1                             ? published_channels()
           : choice != 3                           ? channels_of(description)
           : description.network.space_axes() == 3 ? scheduled_channels_3d()
                                                   : scheduled_channels();
}

std::vector<Field> fields_by_name(const std::vector<std::string>& names, const std::string& path,
                                  const std::vector<Field>& known) {
    std::vector<std::string> known_names;
    for (const Field& field : known) {
        known_names.push_back(field.name);
    }
    std::vector<Field> fields;
    for (const std::string& name : names) {
        fields.push_back(known[index_of(name, known_names, path)]);
    }
    return fields;
}

std::vector<Field> fields_under(JsonReader& object, std::string_view key, const std::vector<Field>& known) {
    const Json& value = object.raw(key);
    if (value.get_if<std::string>() != nullptr) {
        return fields_by_name({object.get<std::string>(key)}, object.path(key), known);
    }
    const auto* list = value.get_if<Json::Array>();
    if (list != nullptr && !list->empty() && list->front().get_if<std::string>() != nullptr) {
        return fields_by_name(object.get<std::vector<std::string>>(key), object.path(key), known);
    }
    return read_fields(object, key);
}

void read_network(JsonReader& object, NetworkDescription& description) {
    if (object.has("network")) {
        JsonReader entries = object.object("network");
        const NetworkConfig counts = description.network;
        description.network = read_network_entries(entries, Entries::optional);
        description.network.channels = counts.channels;
        description.network.fields = counts.fields;
        if (description.network.members != 1) {
            throw InvalidInput(entries.path("members") +
                               " is that of a model that was trained (a recipe trains one network after the other); "
                               "set members beside network");
        }
        entries.reject_unknown();
    }
    if (object.has("physics") && !object.raw("physics").is_null()) {
        JsonReader entries = object.object("physics");
        description.physics = NetworkPhysics{read_physics_entries(entries, Entries::optional)};
    }
    description.channels =
        object.has("channels") ? channels_under(object, "channels", description) : channels_of(description);
    const std::vector<Field> known = fields_of(description, knows_size_by_time(description.channels));
    description.fields =
        object.has("fields") ? fields_under(object, "fields", known) : std::vector<Field>{known.front()};
    description.network.channels = static_cast<std::int64_t>(description.channels.size());
    description.network.fields = static_cast<std::int64_t>(description.fields.size());
}

template <class Visitor, class Options>
void visit_schedule(Visitor& v, Options& schedule) {
    v.choice("kind", schedule.kind, schedule_names());
    v.field("learning_rate", schedule.learning_rate);
    v.field("minimum", schedule.minimum);
    v.field("factor", schedule.factor);
    v.field("every", schedule.every);
    v.field("patience", schedule.patience);
    v.field("warmup_steps", schedule.warmup_steps);
}

template <class Visitor, class Options>
void visit_optimizer(Visitor& v, Options& optimizer) {
    v.choice("kind", optimizer.kind, optimizer_names());
    v.field("beta1", optimizer.beta1);
    v.field("beta2", optimizer.beta2);
    v.field("epsilon", optimizer.epsilon);
    v.field("weight_decay", optimizer.weight_decay);
    v.field("gradient_clip", optimizer.gradient_clip);
}

template <class Visitor, class Options>
void visit_augment(Visitor& v, Options& augment) {
    v.field("flip", augment.flip);
    v.field("rotate", augment.rotate);
    v.field("odd_in_x", augment.odd_in_x);
    v.field("odd_in_y", augment.odd_in_y);
    v.field("odd_in_z", augment.odd_in_z);
}

/// The entries from the loss on, which say how a network is trained.
template <class Visitor, class OneRecipe>
void visit_run(Visitor& v, OneRecipe& recipe) {
    v.section("loss", [&](auto& e) {
        e.field("derivative_weight", recipe.loss.derivative_weight);
        e.choice("kind", recipe.loss.kind, loss_names());  // last, where as_recorded() puts it
    });
    v.section("schedule", [&](auto& e) { visit_schedule(e, recipe.schedule); });
    v.section("optimizer", [&](auto& e) { visit_optimizer(e, recipe.optimizer); });
    v.section("early_stopping", [&](auto& e) {
        e.field("patience", recipe.early_stopping.patience);
        e.field("min_delta", recipe.early_stopping.min_delta);
    });
    v.field("epochs", recipe.epochs);
    v.field("batch_size", recipe.batch_size);
    v.field("accumulate", recipe.accumulate);
    v.field("recompute_blocks", recipe.recompute_blocks);
    v.field("average_weights", recipe.average_weights);
    v.seed("seed", recipe.seed);
    v.field("threads", recipe.threads);
    v.choice("precision", recipe.precision, precision_names());
    v.field("checkpoint_minutes", recipe.checkpoint_minutes);
    v.field("members", recipe.members);  // from here on where as_recorded() puts them
    v.section("augment", [&](auto& e) { visit_augment(e, recipe.augment); });
    v.section("rollout", [&](auto& e) { visit_rollout(e, recipe.rollout); });
    v.field("rollout_noise", recipe.rollout_noise);
}

}  // namespace

std::string name_of(Precision precision) { return precision_names()[static_cast<std::size_t>(precision)]; }

Precision precision_named(const std::string& name, const std::string& entry) {
    return static_cast<Precision>(index_of(name, precision_names(), entry));
}

Recipe Recipe::from_json(const Json& json, const std::string& origin, const std::string& folder) {
    Recipe recipe = defaults("ufno");
    JsonReader object(json, origin);
    object.has("$schema");  // for editors only
    if (object.has("data")) {
        JsonReader data = object.object("data");
        recipe.train_files = read_list(data, "train", folder);
        recipe.validation_files = read_list(data, "validation", folder);
        recipe.train_cases = data.get("train_cases", recipe.train_cases);
        data.reject_unknown();
    }
    recipe.output = resolved(object.get<std::string>("output", ""), folder);
    recipe.weights = resolved(object.get<std::string>("weights", ""), folder);
    recipe.freeze = read_list(object, "freeze", "");
    read_network(object, recipe.network);
    if (recipe.network.network.space_axes() == 3) {
        const Recipe other = defaults_3d(recipe.network.network.architecture);
        recipe.loss = other.loss;
        recipe.batch_size = other.batch_size;
    }
    const Json* loss = json.find("loss");
    const Json* kind = loss == nullptr ? nullptr : loss->find("kind");
    if (kind != nullptr && *kind != Json(loss_names().front())) {
        recipe.loss.derivative_weight = 0.0;  // which is that of the usual kind
    }
    read_whole(object, [&](FieldReader& v) { visit_run(v, recipe); });
    return recipe;
}

Recipe Recipe::from_file(const std::string& path) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    return from_json(Json::parse(read_text(path), path), path, folder);
}

Recipe Recipe::seen_from(const std::string& folder) const {
    // By names alone, as resolved() goes back: what exists already, and what is a link, must not matter.
    const auto named = [](const std::string& path) { return std::filesystem::absolute(path).lexically_normal(); };
    const auto counted = [&](const std::string& path) {
        const bool stays = path.empty() || std::filesystem::path(path).is_absolute();
        return stays ? path : named(path).lexically_proximate(named(folder)).string();
    };
    Recipe recipe = *this;
    for (std::vector<std::string>* files : {&recipe.train_files, &recipe.validation_files}) {
        std::ranges::transform(*files, files->begin(), counted);
    }
    recipe.output = counted(output);
    recipe.weights = counted(weights);
    return recipe;
}

Json Recipe::to_json() const {
    FieldWriter v;
    v.section("data", [&](FieldWriter& data) {
        data.field("train", files_entry(train_files));
        data.field("validation", files_entry(validation_files));
        data.field("train_cases", train_cases);
    });
    v.field("output", output);
    v.field("weights", weights);
    v.field("freeze", freeze);
    v.field("network", Json(network_entries(network.network)));
    v.field("physics", network.physics ? physics_entries(network.physics->settings) : Json());
    v.field("channels", plumecast::to_json(network.channels));
    v.field("fields", plumecast::to_json(network.fields));
    visit_run(v, *this);
    return v.take();
}

Json lasting_part(Json recipe) {
    constexpr std::array<std::string_view, 7> free = {
        "epochs", "threads", "precision", "recompute_blocks", "output", "early_stopping", "checkpoint_minutes"};
    if (auto* entries = recipe.get_if<Json::Object>()) {
        std::erase_if(*entries, [&](const auto& entry) { return std::ranges::find(free, entry.first) != free.end(); });
    }
    return recipe;
}

Json as_recorded(Json recipe) {
    auto* entries = recipe.get_if<Json::Object>();
    if (entries != nullptr && recipe.find("physics") != nullptr && recipe.find("physics")->is_object() &&
        recipe.find("physics")->find("version") == nullptr) {
        recipe["physics"]["version"] = 1;  // before recipes recorded it
    }
    if (entries != nullptr && recipe.find("loss") != nullptr && recipe.find("loss")->is_object() &&
        recipe.find("loss")->find("kind") == nullptr) {
        recipe["loss"]["kind"] = loss_names().front();
    }
    if (entries != nullptr && recipe.find("members") == nullptr) {
        recipe["members"] = 1;
    }
    if (entries != nullptr && recipe.find("augment") == nullptr) {
        const AugmentOptions nothing;
        FieldWriter none;
        visit_augment(none, nothing);
        recipe["augment"] = none.take();
    }
    if (entries != nullptr && recipe.find("rollout") == nullptr) {
        recipe["rollout"] = plumecast::to_json(RolloutOptions());
        recipe["rollout_noise"] = 0.0;
    }
    return recipe;
}

}  // namespace plumecast
