#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/core/json.hpp>
#include <plumecast/inference/field_network.hpp>

namespace plumecast {

/// One network of a bundle: what it is, and its weights on a backend.
struct BundleNetwork {
    std::string file;  ///< weights, relative to the bundle
    std::string hash;  ///< SHA-256 of that file
    std::shared_ptr<FieldNetwork> network;
};

/// A trained model: a folder with `model.json` (format `plumecast-model`, version 1), one safetensors file of weights
/// per network and `README.md`. Nothing in it can be executed.
struct Bundle {
    std::string path;
    std::string title;
    std::vector<BundleNetwork> networks;
    Json training;  ///< ranges of the training inputs (`ranges`), recipe, metrics: what the trainer recorded

    /// Loads all networks, for the ranks of a grid together (nullptr for one alone). Throws InvalidModel naming file,
    /// entry and remedy; weights whose hash differs are refused.
    static Bundle load(const std::string& path, Backend& backend, const ProcessGrid* grid = nullptr);
    /// One hash for the whole model: SHA-256 over the hashes of its networks.
    std::string hash() const;
};

/// What a bundle is written from; networks keep their place.
struct BundleContent {
    std::string title;
    std::vector<std::pair<std::string, const FieldNetwork*>> networks;  ///< file stem, network
    Json training;
    std::string model_card;  ///< README.md
};

/// Writes a whole bundle or nothing. `extra` is called with the temporary folder before it gets its final name, so that
/// a checkpoint can add its files. Where ranks work together they call this together, and the first of all writes; in
/// its group `extra` is called with an empty name on the others, to send what the first writes. Throws InvalidInput for
/// a field predicted twice, a file stem used twice or with a separator, or weights that are not finite; IoError.
void write_bundle(const std::string& path, const BundleContent& content,
                  const std::function<void(const std::string& folder)>& extra = nullptr);

/// Network description as an entry of model.json and back, strictly; reading leaves other keys of the object alone.
/// Throws InvalidInput with the dotted path.
Json to_json(const NetworkDescription& description);
/// Reads what to_json() wrote.
NetworkDescription read_network_description(JsonReader& object);

}  // namespace plumecast
