#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/backend/backend.hpp>
#include <plumecast/core/error.hpp>
#include <plumecast/io/safetensors.hpp>
#include <plumecast/training/recipe.hpp>

#include "arguments/model_path.hpp"
#include "bundle_output.hpp"
#include "command.hpp"
#include "inference/bundle/network_json.hpp"
#include "inference/published_weights.hpp"
#include "io/hash.hpp"

namespace plumecast::app {
namespace {

struct ImportOptions {
    std::string weights, output, channels;
    std::string field;
    std::string activation;
    std::vector<std::int64_t> padding;
    bool is_forced = false;
};

/// Throws InvalidModel for a file of PyTorch, a pickle that is zipped or plain.
void refuse_pickle(const std::string& path) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) {
        return;  // refused where it is read; a pipe would keep this waiting
    }
    std::ifstream file(path, std::ios::binary);
    std::array<char, 2> start{};
    file.read(start.data(), start.size());
    const bool is_zip = start == std::array{'P', 'K'};
    const bool is_pickle = static_cast<unsigned char>(start[0]) == 0x80 && start[1] >= 2 && start[1] <= 5;
    if (file.gcount() == 2 && (is_zip || is_pickle)) {
        const std::string converted = std::filesystem::path(path).replace_extension(".safetensors").string();
        throw InvalidModel(
            fmt::format("{}: a PyTorch file (a pickle may run what it names, so none is read here); convert first: "
                        "python3 {} {} {}",
                        path, installed_file("scripts/convert/convert_checkpoint.py"), path, converted));
    }
}

std::vector<Channel> channels_of(const ImportOptions& options, const NetworkConfig& config,
                                 const NetworkDescription* described) {
    std::vector<Channel> channels = described == nullptr ? published_channels() : described->channels;
    if (static_cast<std::int64_t>(channels.size()) != config.channels) {
        throw InvalidInput(
            fmt::format("{} takes {} input channels (the {} ones are {}); describe them in the list "
                        "'channels' of a configuration and pass it with --channels",
                        options.weights, config.channels, options.channels.empty() ? "published" : options.channels,
                        channels.size()));
    }
    return channels;
}

/// A published field of that name, else one of the configuration, whose only one needs no name.
Field field_of(const ImportOptions& options, const NetworkDescription* described) {
    std::vector<Field> known = published_fields();
    const std::string usual = known.front().name;
    if (described != nullptr) {
        known.insert(known.end(), described->fields.begin(), described->fields.end());
    }
    const bool is_told = described != nullptr && described->fields.size() == 1;
    const std::string name = !options.field.empty() ? options.field : is_told ? described->fields[0].name : usual;
    std::vector<std::string> names;
    for (const Field& field : known) {
        if (field.name == name) {
            return field;
        }
        names.push_back(field.name);
    }
    const std::string meant = nearest(name, names);
    throw InvalidInput(fmt::format("--field {} is unknown (known: {}); {}", name, fmt::join(names, ", "),
                                   meant.empty() ? "choose one of them" : "did you mean '" + meant + "'?"));
}

PublishedSettings settings_of(const ImportOptions& options, const NetworkDescription* described) {
    PublishedSettings settings{.padding = options.padding};
    for (const std::int64_t kept : described == nullptr ? std::vector<std::int64_t>() : described->network.modes) {
        settings.axes.push_back(kept > 0);
    }
    if (!options.activation.empty()) {
        settings.activation = activation_named(options.activation, "--activation");
    }
    return settings;
}

std::string model_card(const FieldNetwork& network, const std::string& file, const std::string& hash) {
    const Field& field = network.description().fields.front();
    return fmt::format(
        "# {}\n\nNetwork: {}. Predicts {} [{}].\n\nWeights imported from `{}` (SHA-256 `{}`). The data it "
        "was trained on and its input ranges are not recorded there; licence and terms are those of the "
        "weights.\n",
        field.name, network_text(network), field.name, field.unit, file, hash);
}

ExitCode import_weights(const ImportOptions& options, Console& console) {
    require_bundle_place(options.output, {options.weights, options.channels}, options.is_forced);
    std::optional<NetworkDescription> read;
    if (!options.channels.empty()) {
        read = Recipe::from_file(options.channels).network;
    }
    const NetworkDescription* described = read ? &*read : nullptr;
    const Field field = field_of(options, described);
    refuse_pickle(options.weights);
    const SafetensorsFile weights(options.weights);
    const PublishedNetwork published = published_network(weights, settings_of(options, described));
    const NetworkConfig& config = published.config;
    const auto backend = make_cpu_backend({.threads = 1});
    const FieldNetwork network(*backend, {config, channels_of(options, config, described), {field}}, 0);
    assign_published_weights(weights, network.network());
    const std::string file = std::filesystem::path(options.weights).filename().string();
    const std::string hash = sha256_of_file(options.weights);
    write_bundle(options.output, {config.architecture + " for " + field.name,
                                  {{field.name, &network}},
                                  Json::Object{{"imported_from", file}, {"imported_sha256", hash}},
                                  model_card(network, file, hash)});
    console.print(fmt::format("{}: {} for {}\n", options.output, network_text(network), field.name));
    if (!published.assumed.empty()) {
        console.warn(fmt::format(
            "{} does not tell {}; --activation and --padding tell, and a prediction of your own shows whether "
            "it is right",
            options.weights, published.assumed));
    }
    return exit_ok;
}

}  // namespace

Command make_import_weights(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("import-weights", "Turn published PyTorch weights into a model");
    const auto options = std::make_shared<ImportOptions>();
    app->add_option("weights", options->weights,
                    "State dict under the published names; scripts/convert/convert_checkpoint.py "
                    "makes it from a checkpoint")
        ->required()
        ->type_name("W.safetensors");
    app->add_option("-o,--output", options->output, "Folder of the new model")->required()->type_name("BUNDLE");
    app->add_option(
           "--field", options->field,
           "What the network predicts: gas_saturation, pressure_buildup or a field of CONFIG.json; default: the "
           "one there, else gas_saturation")
        ->type_name("NAME");
    app->add_option("--channels", options->channels,
                    "Take the input channels from this configuration; default: the "
                    "twelve published ones")
        ->type_name("CONFIG.json");
    app->add_option("--activation", options->activation,
                    "What the weights do not tell: gelu, relu, leaky_relu, tanh or identity; default: that of the "
                    "layout")
        ->type_name("NAME");
    app->add_option("--padding", options->padding,
                    "What the weights do not tell: cells that the network adds at the high end of each of its axes; "
                    "default: none, of a U-FNO 8,8,8")
        ->delimiter(',')
        ->type_name("N,N");
    add_model_force(*app, options->is_forced);
    add_examples(
        *app,
        "  plumecast import-weights saturation.safetensors -o models/published-saturation\n"
        "  plumecast import-weights pressure.safetensors --field pressure_buildup -o models/published-pressure\n\n"
        "Architecture, width, modes and blocks are read off names and shapes.");
    return {app, [options](Console& console) { return import_weights(*options, console); }};
}

}  // namespace plumecast::app
