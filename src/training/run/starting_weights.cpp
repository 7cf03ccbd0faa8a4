#include "training/run/starting_weights.hpp"

#include <algorithm>
#include <set>

#include <plumecast/inference/bundle.hpp>

#include "inference/bundle/network_json.hpp"
#include "training/run_records.hpp"

namespace plumecast {
namespace {

template <class Named>
std::set<std::string> names_in(const std::vector<Named>& list) {
    std::set<std::string> names;
    for (const Named& item : list) {
        names.insert(item.name);
    }
    return names;
}

std::string text_of(const Json& value) { return value.dump(-1); }

[[noreturn]] void refuse(const std::string& bundle, const std::string& entry, const std::string& own,
                         const std::string& theirs) {
    throw InvalidInput("recipe entry '" + entry + "' is " + own + " (the model " + bundle + " has " + theirs +
                       ", and weights fit only the network they were trained in); take the own recipe of the model " +
                       bundle + " in place of this one");
}

/// Refuses the first entry of two JSON objects that differs.
void require_equal_entries(const std::string& bundle, const std::string& prefix, const Json::Object& own,
                           const Json& theirs) {
    for (const auto& [key, value] : own) {
        const Json* other = theirs.find(key);
        if (other == nullptr || *other != value) {
            refuse(bundle, prefix + key, text_of(value), other == nullptr ? "none" : text_of(*other));
        }
    }
}

/// Refuses the first member of two lists that differs.
template <class Named>
void require_equal(const std::string& bundle, const std::string& entry, const std::vector<Named>& own,
                   const std::vector<Named>& theirs) {
    const auto name = [](const std::vector<Named>& list, std::size_t i) {
        return i < list.size() ? "'" + list[i].name + "'" : std::string("none");
    };
    for (std::size_t i = 0; i < std::max(own.size(), theirs.size()); ++i) {
        if (i >= own.size() || i >= theirs.size() || own[i].name != theirs[i].name) {
            refuse(bundle, entry + "[" + std::to_string(i) + "]", name(own, i), name(theirs, i));
        }
        if (!(own[i] == theirs[i])) {
            const Json mine = to_json(std::vector<Named>{own[i]}), other = to_json(std::vector<Named>{theirs[i]});
            refuse(bundle, entry + "[" + std::to_string(i) + "]", text_of(mine), text_of(other));
        }
    }
}

void require_same_network(const std::string& bundle, const NetworkDescription& own, const NetworkDescription& theirs) {
    require_equal_entries(bundle, "network.", network_entries(own.network), network_entries(theirs.network));
    const auto physics = [](const NetworkDescription& description) {
        return description.physics ? Json(physics_entries(description.physics->settings)) : Json();
    };
    if (physics(own) != physics(theirs)) {
        refuse(bundle, "physics", text_of(physics(own)), text_of(physics(theirs)));
    }
    require_equal(bundle, "channels", own.channels, theirs.channels);
    require_equal(bundle, "fields", own.fields, theirs.fields);
}

const FieldNetwork& network_for(const std::vector<Field>& fields, const Bundle& bundle) {
    std::string known;
    for (const BundleNetwork& one : bundle.networks) {
        if (names_in(one.network->description().fields) == names_in(fields)) {
            return *one.network;
        }
        known += (known.empty() ? "" : "; ") + names_of(one.network->description().fields);
    }
    refuse(bundle.path, "fields", names_of(fields), known);
}

/// Weights and running statistics, to a network of the same description on the same backend.
void copy_weights(const FieldNetwork& from, const FieldNetwork& to) {
    for (const Parameter& parameter : from.parameters().all()) {
        const Weight& own = to.parameters().at(parameter.name).weight;
        to.backend().add(1.0, parameter.weight.value(), {own.mutable_value()});
    }
}

}  // namespace

FieldNetwork network_of(const Recipe& recipe, Backend& backend, const ProcessGrid* grid) {
    FieldNetwork network(backend, recipe.network, recipe.seed, grid);
    network.parameters().freeze(recipe.freeze);
    if (std::ranges::none_of(network.parameters().all(), &Parameter::moves)) {
        throw InvalidInput("recipe entry 'freeze' cannot be used (it leaves no weight to train); name fewer parts");
    }
    return network;
}

void restore_weights(const std::string& checkpoint, const FieldNetwork& network, const ProcessGrid* grid) {
    const Bundle saved = Bundle::load(checkpoint, network.backend(), grid);
    if (saved.networks.size() != 1 || saved.networks[0].network->description() != network.description()) {
        throw InvalidModel(checkpoint + ": holds another network than the recipe; restore the recipe");
    }
    copy_weights(*saved.networks[0].network, network);
}

void start_from(const std::string& bundle, const FieldNetwork& network, const ProcessGrid* grid, const LogSink& log) {
    const Bundle model = Bundle::load(bundle, network.backend(), grid);
    const FieldNetwork& start = network_for(network.description().fields, model);
    require_same_network(bundle, network.description(), start.description());
    copy_weights(start, network);
    if (log) {
        log(Severity::info, "starting from the weights of " + bundle);
        const auto& own = network.description().physics;
        const auto& theirs = start.description().physics;
        if (own && theirs && own->settings.version != theirs->settings.version) {
            log(Severity::warning,
                "the model to start from was trained on version " + std::to_string(theirs->settings.version) +
                    " of the reduced physics (this program has version " + std::to_string(own->settings.version) +
                    "); give the run cases and epochs to adapt");
        }
    }
}

}  // namespace plumecast
