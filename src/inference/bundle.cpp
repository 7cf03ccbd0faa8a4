#include <plumecast/inference/bundle.hpp>

#include <filesystem>
#include <optional>
#include <set>

#include <plumecast/architectures/weights_file.hpp>
#include <plumecast/core/error.hpp>

#include "inference/bundle/network_json.hpp"
#include "io/atomic_file.hpp"
#include "io/hash.hpp"
#include "io/text_file.hpp"

namespace plumecast {
namespace {

namespace fs = std::filesystem;

constexpr const char* format = "plumecast-model";
constexpr int format_version = 1;
constexpr std::uintmax_t largest_model_json = 256U << 20U;  // constants of points take some 20 bytes a number

bool is_plain_name(const std::string& file) {
    return !file.empty() && file != "." && file != ".." && file.find_first_of("/\\") == std::string::npos;
}

/// Adds names, and tells the first that was there already.
const Field* repeated_field(const std::vector<Field>& fields, std::set<std::string>& names) {
    for (const Field& field : fields) {
        if (!names.insert(field.name).second) {
            return &field;
        }
    }
    return nullptr;
}

/// Reads one entry of the list of networks.
BundleNetwork load_network(JsonReader& entry, const fs::path& folder, Backend& backend, const ProcessGrid* grid) {
    BundleNetwork result;
    result.file = entry.get<std::string>("file");
    result.hash = entry.get<std::string>("sha256");
    const NetworkDescription description = read_network_description(entry);
    entry.reject_unknown();
    if (!is_plain_name(result.file)) {
        throw InvalidModel(entry.path("file") + " is '" + result.file.substr(0, 64) +
                           "' (weights lie in the bundle itself); give the name of a file there");
    }
    const fs::path weights = folder / result.file;
    if (!fs::is_regular_file(weights)) {
        throw InvalidModel(weights.string() + ": is missing (model.json names it); copy the bundle again");
    }
    if (sha256_of_file(weights) != result.hash) {
        throw InvalidModel(weights.string() +
                           ": the content differs from the SHA-256 in model.json (the file was damaged or replaced); "
                           "copy the bundle again");
    }
    constexpr double bytes_per_number = 4.0;
    if (has_more_weights(description.network, static_cast<double>(fs::file_size(weights)) / bytes_per_number)) {
        throw InvalidModel(weights.string() +
                           ": is too small for the network that model.json describes (every weight takes 4 bytes); "
                           "correct width, modes and blocks there");
    }
    result.network = std::make_shared<FieldNetwork>(backend, description, std::nullopt, grid);
    read_weights(weights, result.network->parameters());
    return result;
}

std::string model_json_of(const fs::path& folder) {
    const fs::path file = folder / "model.json";
    if (!fs::is_regular_file(file)) {
        throw InvalidModel(folder.string() +
                           ": is no model bundle (it has no model.json); give the folder that holds model.json");
    }
    if (fs::file_size(file) > largest_model_json) {
        throw InvalidModel(file.string() + ": is larger than 256 MiB (no description of a model is); copy it again");
    }
    return read_text(file.string());
}

void check_format(JsonReader& model) {
    if (const auto found = model.get<std::string>("format"); found != format) {
        throw InvalidModel(model.path("format") + " is '" + found.substr(0, 64) + "' (a bundle has '" + format +
                           "'); use a model of Plumecast");
    }
    if (const int found = model.get<int>("format_version"); found != format_version) {
        throw InvalidModel(model.path("format_version") + " is " + std::to_string(found) + " (this version reads " +
                           std::to_string(format_version) + "); use a Plumecast as new as the model");
    }
}

Bundle read_bundle(const Json& json, const std::string& file, const std::string& path, Backend& backend,
                   const ProcessGrid* grid) {
    JsonReader model(json, file);
    check_format(model);
    Bundle bundle;
    bundle.path = path;
    bundle.title = model.get<std::string>("title");
    model.object("training");  // refuses another kind
    bundle.training = model.raw("training");
    std::vector<JsonReader> entries = model.objects("networks");
    model.reject_unknown();
    if (entries.empty()) {
        throw InvalidModel(model.path("networks") + " is empty (a model has at least one); use a whole model");
    }
    std::set<std::string> names;
    for (JsonReader& entry : entries) {
        bundle.networks.push_back(load_network(entry, path, backend, grid));
        if (const Field* field = repeated_field(bundle.networks.back().network->description().fields, names)) {
            throw InvalidModel(entry.path("fields") + ": '" + field->name +
                               "' is predicted twice (fields go by name); remove one of the networks");
        }
    }
    return bundle;
}

void check_content(const BundleContent& content) {
    std::set<std::string> fields, stems;
    for (const auto& [stem, network] : content.networks) {
        if (!is_plain_name(stem) || !stems.insert(stem).second) {
            throw InvalidInput("file stem '" + stem +
                               "' of a bundle cannot be used (it appears twice or is no plain "
                               "name); choose another");
        }
        if (const Field* field = repeated_field(network->description().fields, fields)) {
            throw InvalidInput("field '" + field->name +
                               "' would be predicted by two networks of a bundle (fields go by name); keep one");
        }
    }
}

Json write_network(const fs::path& folder, const std::string& stem, const FieldNetwork& network,
                   const std::string& title) {
    const std::string file = stem + ".safetensors";
    write_weights(folder / file, network.parameters(), {{"format", format}, {"title", title}});
    Json::Object entry{{"file", file}, {"sha256", sha256_of_file(folder / file)}};
    const Json description = to_json(network.description());
    for (const auto& [key, value] : *description.get_if<Json::Object>()) {
        entry.emplace_back(key, value);
    }
    return entry;
}

/// The part of a rank that does not write.
void send_content(const BundleContent& content, const ProcessGrid& grid,
                  const std::function<void(const std::string& folder)>& extra) {
    if (grid.groups().rank() != 0) {
        return;
    }
    for (const auto& [stem, network] : content.networks) {
        for (const Parameter& parameter : network->parameters().all()) {
            network->parameters().download(parameter);
        }
    }
    if (extra) {
        extra("");
    }
}

}  // namespace

Json to_json(const NetworkDescription& description) {
    Json::Object entries = network_entries(description.network);
    entries.emplace_back("channels", to_json(description.channels));
    entries.emplace_back("fields", to_json(description.fields));
    if (description.physics) {
        entries.emplace_back("physics", physics_entries(description.physics->settings));
    }
    return entries;
}

NetworkDescription read_network_description(JsonReader& object) {
    return read_network_description(object, Entries::required);
}

Bundle Bundle::load(const std::string& path, Backend& backend, const ProcessGrid* grid) {
    if (grid == nullptr || grid->world().rank() == 0) {
        recover_folder(path);
    }
    if (grid != nullptr) {
        grid->world().barrier();
    }
    const std::string file = (fs::path(path) / "model.json").string();
    try {
        return read_bundle(Json::parse(model_json_of(path), file), file, path, backend, grid);
    } catch (const InvalidModel&) {
        throw;
    } catch (const InvalidInput& error) {
        const std::string message = error.what();
        throw InvalidModel(message.starts_with(file) ? message : file + ": " + message);
    }
}

std::string Bundle::hash() const {
    std::string hashes;
    for (const BundleNetwork& network : networks) {
        hashes += network.hash;
    }
    return sha256(hashes);
}

void write_bundle(const std::string& path, const BundleContent& content,
                  const std::function<void(const std::string& folder)>& extra) {
    expects(!content.networks.empty(), "a bundle of at least one network");
    check_content(content);
    if (const ProcessGrid* grid = content.networks.front().second->parameters().grid();
        grid != nullptr && grid->world().rank() != 0) {
        send_content(content, *grid, extra);
        return;
    }
    AtomicFolder folder(path);
    Json::Array networks;
    for (const auto& [stem, network] : content.networks) {
        networks.push_back(write_network(folder.path(), stem, *network, content.title));
    }
    const Json model = Json::Object{{"format", format},
                                    {"format_version", format_version},
                                    {"title", content.title},
                                    {"networks", std::move(networks)},
                                    {"training", content.training.is_null() ? Json::Object{} : content.training}};
    const std::string text = model.dump() + "\n";
    if (text.size() > largest_model_json) {
        throw InvalidInput(path + ": its model.json would have " + std::to_string(text.size() >> 20U) +
                           " MiB (256 are read, and constants of points take the most); take constants of all points "
                           "together, or fewer points");
    }
    write_text_atomically(folder.path() / "model.json", text);
    write_text_atomically(folder.path() / "README.md", content.model_card);
    if (extra) {
        extra(folder.path().string());
    }
    folder.commit();
}

}  // namespace plumecast
