#include "inference/bundle/network_json.hpp"

#include <algorithm>
#include <cmath>

#include <plumecast/core/error.hpp>

#include "core/json_fields.hpp"

namespace plumecast {
namespace {

const std::vector<std::string>& activation_names() {
    static const std::vector<std::string> names{"identity", "relu", "leaky_relu", "tanh", "gelu"};
    return names;
}

const std::vector<std::string>& edge_names() {
    static const std::vector<std::string> names{"replicate", "zero"};
    return names;
}

template <class T>
T entry(JsonReader& object, std::string_view key, const T& published, Entries presence) {
    return presence == Entries::required ? object.get<T>(key) : object.get<T>(key, published);
}

Json list_of(const std::vector<std::int64_t>& values) { return Json::Array(values.begin(), values.end()); }

Json to_json(const Activation& activation) {
    const std::string& name = activation_names()[static_cast<std::size_t>(activation.kind)];
    if (activation.kind == Activation::Kind::leaky_relu) {
        return Json::Object{{"kind", name}, {"slope", activation.slope}};
    }
    return name;
}

Activation::Kind kind_of(const std::string& name, const std::string& path) {
    return static_cast<Activation::Kind>(index_of(name, activation_names(), path));
}

Activation read_activation(JsonReader& object, std::string_view key) {
    Activation activation;
    if (!object.raw(key).is_object()) {
        activation.kind = kind_of(object.get<std::string>(key), object.path(key));
        return activation;
    }
    JsonReader reader = object.object(key);
    activation.kind = kind_of(reader.get<std::string>("kind"), reader.path("kind"));
    if (activation.kind == Activation::Kind::leaky_relu) {
        activation.slope = reader.get<double>("slope", activation.slope);
    }
    reader.reject_unknown();
    return activation;
}

std::vector<Padding::Edge> read_edges(JsonReader& object, std::string_view key) {
    std::vector<Padding::Edge> edges;
    for (const std::string& name : object.get<std::vector<std::string>>(key)) {
        edges.push_back(static_cast<Padding::Edge>(index_of(name, edge_names(), object.path(key))));
    }
    return edges;
}

}  // namespace

Json::Object network_entries(const NetworkConfig& config) {
    Json::Array edges;
    for (const Padding::Edge edge : config.edges) {
        edges.emplace_back(edge_names()[static_cast<std::size_t>(edge)]);
    }
    return {{"architecture", config.architecture},
            {"width", config.width},
            {"modes", list_of(config.modes)},
            {"fourier_blocks", config.fourier_blocks},
            {"extended_blocks", config.extended_blocks},
            {"residual_blocks", config.residual_blocks},
            {"hidden", config.hidden},
            {"activation", to_json(config.activation)},
            {"padding", list_of(config.padding)},
            {"edges", std::move(edges)},
            {"padded_multiple", config.padded_multiple},
            {"time_kernel", config.time_kernel},
            {"time_strides", config.time_strides}};
}

NetworkConfig read_network_entries(JsonReader& object, Entries presence) {
    const std::string architecture = entry<std::string>(object, "architecture", "ufno", presence);
    index_of(architecture, architecture_names(), object.path("architecture"));
    NetworkConfig config = NetworkConfig::published(architecture);
    if (entry(object, "modes", config.modes, presence).size() == 4) {
        config = NetworkConfig::three_dimensional(architecture);
    }
    const auto read = [&](std::string_view key, auto& value) { value = entry(object, key, value, presence); };
    read("width", config.width);
    read("modes", config.modes);
    read("fourier_blocks", config.fourier_blocks);
    read("extended_blocks", config.extended_blocks);
    read("residual_blocks", config.residual_blocks);
    read("hidden", config.hidden);
    read("padding", config.padding);
    read("padded_multiple", config.padded_multiple);
    // Bundles written before there were three axes of space lack these.
    config.time_kernel = object.get<std::int64_t>("time_kernel", config.time_kernel);
    config.time_strides = object.get<bool>("time_strides", config.time_strides);
    if (object.has("activation") || presence == Entries::required) {
        config.activation = read_activation(object, "activation");
    }
    if (object.has("edges") || presence == Entries::required) {
        config.edges = read_edges(object, "edges");
    }
    return config;
}

Json::Object physics_entries(const PhysicsSettings& settings) {
    return {{"kind", std::string(name_of(settings.kind))}, {"substeps", settings.substeps}};
}

PhysicsSettings read_physics_entries(JsonReader& object) {
    constexpr PhysicsKind kinds[] = {PhysicsKind::single_phase, PhysicsKind::two_phase};
    const std::vector<std::string> names{std::string(name_of(kinds[0])), std::string(name_of(kinds[1]))};
    PhysicsSettings settings;
    settings.kind = kinds[index_of(object.get<std::string>("kind"), names, object.path("kind"))];
    settings.substeps = object.get<int>("substeps", settings.substeps);
    return settings;
}

}  // namespace plumecast
