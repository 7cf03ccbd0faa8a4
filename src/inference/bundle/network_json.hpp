#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <plumecast/architectures/network.hpp>
#include <plumecast/core/json.hpp>
#include <plumecast/inference/field_network.hpp>
#include <plumecast/reservoir/physics/reduced_physics.hpp>

namespace plumecast {

/// Whether entries may be left out, so that the published values of the architecture stand.
enum class Entries { optional, required };

/// Shape of a network as entries of a JSON object; numbers of channels and fields follow from their lists elsewhere.
Json::Object network_entries(const NetworkConfig& config);
/// Reads them from an object that may hold others. Throws InvalidInput with the dotted path.
NetworkConfig read_network_entries(JsonReader& object, Entries presence);

/// The activation of a word. Throws InvalidInput naming `path` and the nearest word.
Activation activation_named(const std::string& word, const std::string& path);

/// A whole description from an object that may hold others: network, channels, fields and physics. Throws InvalidInput
/// with the dotted path.
NetworkDescription read_network_description(JsonReader& object, Entries presence);

/// Settings of the reduced physics as a JSON object, and back; kind and substeps may be left out, and the version,
/// which then is the newest one, where entries are optional. Throws InvalidInput with the dotted path.
Json physics_entries(const PhysicsSettings& settings);
PhysicsSettings read_physics_entries(JsonReader& object, Entries presence);

}  // namespace plumecast
