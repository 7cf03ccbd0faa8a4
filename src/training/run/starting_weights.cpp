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

[[noreturn]] void refuse(const std::string& bundle, const std::string& entry, const std::string& wanted,
                         const std::string& found) {
    throw InvalidInput("recipe entry '" + entry + "' is " + wanted + " (the model " + bundle + " has " + found +
                       ", and weights fit only the network they were trained in); take the own recipe of the model " +
                       bundle + " in place of this one");
}

/// Refuses the first entry of two JSON objects that differs.
void require_equal_entries(const std::string& bundle, const std::string& prefix, const Json::Object& wanted,
                           const Json& found) {
    for (const auto& [key, value] : wanted) {
        const Json* other = found.find(key);
        if (other == nullptr || *other != value) {
            refuse(bundle, prefix + key, text_of(value), other == nullptr ? "none" : text_of(*other));
        }
    }
}

/// Refuses the first member of two lists that differs.
template <class Named>
void require_equal(const std::string& bundle, const std::string& entry, const std::vector<Named>& wanted,
                   const std::vector<Named>& found) {
    const auto name = [](const std::vector<Named>& list, std::size_t i) {
        return i < list.size() ? "'" + list[i].name + "'" : std::string("none");
    };
    for (std::size_t i = 0; i < std::max(wanted.size(), found.size()); ++i) {
        if (i >= wanted.size() || i >= found.size() || wanted[i].name != found[i].name) {
            refuse(bundle, entry + "[" + std::to_string(i) + "]", name(wanted, i), name(found, i));
        }
        if (!(wanted[i] == found[i])) {
            refuse(bundle, entry + "[" + std::to_string(i) + "]", text_of(to_json(std::vector<Named>{wanted[i]})),
                   text_of(to_json(std::vector<Named>{found[i]})));
        }
    }
}

void require_same_network(const std::string& bundle, const NetworkDescription& new_network,
                          const NetworkDescription& source) {
    require_equal_entries(bundle, "network.", network_entries(new_network.network), network_entries(source.network));
    const auto physics = [](const NetworkDescription& description) {
        return description.physics ? Json(physics_entries(description.physics->settings)) : Json();
    };
    if (physics(new_network) != physics(source)) {
        refuse(bundle, "physics", text_of(physics(new_network)), text_of(physics(source)));
    }
    require_equal(bundle, "channels", new_network.channels, source.channels);
    require_equal(bundle, "fields", new_network.fields, source.fields);
}

const FieldNetwork& network_for(const std::vector<Field>& fields, const Bundle& bundle) {
    std::string of_model;
    for (const BundleNetwork& one : bundle.networks) {
        if (names_in(one.network->description().fields) == names_in(fields)) {
            return *one.network;
        }
        of_model += (of_model.empty() ? "" : "; ") + names_of(one.network->description().fields);
    }
    refuse(bundle.path, "fields", names_of(fields), of_model);
}

/// Weights and running statistics, to a network of the same description on the same backend.
void copy_weights(const FieldNetwork& from, const FieldNetwork& to) {
    for (const Parameter& parameter : from.parameters().all()) {
        const Weight& target = to.parameters().at(parameter.name).weight;
        to.backend().add(1.0, parameter.weight.value(), {target.mutable_value()});
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
    }
}

}  // namespace plumecast
