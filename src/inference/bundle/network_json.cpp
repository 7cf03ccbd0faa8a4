#include "inference/bundle/network_json.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

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

Json to_json(const std::vector<Padding::Edge>& edges) {
    Json::Array names;
    for (const Padding::Edge edge : edges) {
        names.emplace_back(edge_names()[static_cast<std::size_t>(edge)]);
    }
    return names;
}

/// All entries but the architecture; what is written in words is read elsewhere.
template <class Visitor, class Config>
void visit_network(Visitor& v, Config& config, Entries presence) {
    const auto entry = [&](std::string_view key, auto& value) {
        presence == Entries::required ? v.required(key, value) : v.field(key, value);
    };
    entry("width", config.width);
    entry("modes", config.modes);
    entry("fourier_blocks", config.fourier_blocks);
    entry("extended_blocks", config.extended_blocks);
    entry("residual_blocks", config.residual_blocks);
    entry("hidden", config.hidden);
    if constexpr (!Visitor::reads) {
        v.field("activation", to_json(config.activation));
    }
    entry("padding", config.padding);
    if constexpr (!Visitor::reads) {
        v.field("edges", to_json(config.edges));
    }
    entry("padded_multiple", config.padded_multiple);
    // Bundles written before there were three axes of space lack these.
    v.field("time_kernel", config.time_kernel);
    v.field("time_strides", config.time_strides);
    // Those written before there were weights of other libraries lack these.
    v.field("lifting", config.lifting);
    v.field("spectral_mlp", config.spectral_mlp);
    v.field("channel_mlp", config.channel_mlp);
    v.field("last_activation", config.last_activation);
    v.field("pad_lifted", config.pad_lifted);
    v.field_or("members", config.members, std::int64_t{1});  // one is not written, as it was before there were several
}

}  // namespace

Activation activation_named(const std::string& word, const std::string& path) { return {kind_of(word, path)}; }

Json::Object network_entries(const NetworkConfig& config) {
    return written([&](FieldWriter& v) {
        v.field("architecture", config.architecture);
        visit_network(v, config, Entries::required);
    });
}

NetworkConfig read_network_entries(JsonReader& object, Entries presence) {
    const bool are_all = presence == Entries::required;
    const auto architecture = are_all || object.has("architecture") ? object.get<std::string>("architecture") : "ufno";
    index_of(architecture, architecture_names(), object.path("architecture"));
    const bool has_modes = are_all || object.has("modes");
    NetworkConfig config = has_modes && object.get<std::vector<std::int64_t>>("modes").size() == 4
                               ? NetworkConfig::three_dimensional(architecture)
                               : NetworkConfig::published(architecture);
    FieldReader v(object);
    visit_network(v, config, presence);
    if (are_all || object.has("activation")) {
        config.activation = read_activation(object, "activation");
    }
    if (are_all || object.has("edges")) {
        config.edges = read_edges(object, "edges");
    }
    return config;
}

NetworkDescription read_network_description(JsonReader& object, Entries presence) {
    NetworkDescription description;
    description.network = read_network_entries(object, presence);
    if (object.has("physics")) {
        JsonReader physics = object.object("physics");
        description.physics = NetworkPhysics{read_physics_entries(physics, presence)};
    }
    description.channels = read_channels(object, "channels");
    description.fields = read_fields(object, "fields");
    description.network.channels = static_cast<std::int64_t>(description.channels.size());
    description.network.fields = static_cast<std::int64_t>(description.fields.size());
    description.network.check();
    check_physics(description);
    return description;
}

Json physics_entries(const PhysicsSettings& settings) {
    return Json::Object{
        {"kind", std::string(physics_kind)}, {"substeps", settings.substeps}, {"version", settings.version}};
}

PhysicsSettings read_physics_entries(JsonReader& object, Entries presence) {
    const auto kind = object.get<std::string>("kind", std::string(physics_kind));
    if (kind == "single_phase") {
        throw InvalidInput(object.path("kind") +
                           " is \"single_phase\" (the physics of brine alone is gone: with one step that of CO2 and "
                           "brine is more accurate); train over two_phase, or use an earlier Plumecast");
    }
    index_of(kind, {std::string(physics_kind)}, object.path("kind"));
    PhysicsSettings settings;
    read_whole(object, [&](FieldReader& v) {
        v.field("substeps", settings.substeps);
        presence == Entries::required ? v.required("version", settings.version) : v.field("version", settings.version);
    });
    require_known_physics(settings.version, object.path("version"));
    return settings;
}

}  // namespace plumecast
