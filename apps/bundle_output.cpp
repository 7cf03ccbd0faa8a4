#include "bundle_output.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>

#include "io/folders.hpp"

namespace plumecast::app {
namespace {

/// A count with commas between thousands, whatever the user's locale.
std::string grouped(std::int64_t count) {
    std::string text = std::to_string(count);
    for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3) {
        text.insert(static_cast<std::size_t>(at), ",");
    }
    return text;
}

/// Name of a file in a folder that belongs to no bundle; empty when there is none.
std::string foreign_file(const std::filesystem::path& folder) {
    std::error_code ignored;
    for (std::string& name : names_in(folder, ignored)) {
        const bool is_weights = name.ends_with(".safetensors") && name != "optimizer.safetensors";
        if (!is_weights && name != "model.json" && name != "README.md") {
            return name;
        }
    }
    return "";
}

/// Whether a folder holds a model that this program wrote.
bool is_bundle(const std::filesystem::path& folder) try {
    const std::string file = (folder / "model.json").string();
    std::ifstream stream(file, std::ios::binary);
    const Json model = Json::parse(std::string(std::istreambuf_iterator<char>(stream), {}), file);
    const Json* format = model.find("format");
    return format != nullptr && *format == Json("plumecast-model");
} catch (const Error&) {
    return false;
}

}  // namespace

void add_model_force(CLI::App& app, bool& is_forced) {
    app.add_flag("--force", is_forced, "Replace a model that is there, unless the new one is made from it");
}

void require_bundle_place(const std::string& path, const std::vector<std::string>& inputs, bool is_forced) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    if (fs::exists(path, ignored) && !is_bundle(path)) {
        throw InvalidInput(path +
                           ": is there already and is no model bundle (it would be replaced whole); name a folder "
                           "that does not exist yet");
    }
    for (const std::string& input : inputs) {
        if (!input.empty() && (fs::equivalent(path, input, ignored) ||
                               fs::equivalent(path, fs::absolute(input).parent_path(), ignored))) {
            throw InvalidInput(path + ": holds what the model is made from (it would be replaced whole, " + input +
                               " with it); name another folder after -o");
        }
    }
    if (const std::string name = foreign_file(path); !name.empty()) {
        throw InvalidInput(path + ": is a model with more in its folder (it would be replaced whole, " + name +
                           " with it); name a folder that does not exist yet");
    }
    if (fs::exists(path, ignored) && !is_forced) {
        throw InvalidInput(path +
                           ": exists already (it is a model, and its training would be lost); choose another folder "
                           "with -o, or replace it with --force");
    }
    // What stands in the way is named when the bundle is written.
    fs::create_directories(fs::path(path).parent_path(), ignored);
}

std::string network_text(const FieldNetwork& network) {
    const NetworkConfig& config = network.description().network;
    const std::string body = config.architecture == "cnn"
                                 ? fmt::format("{} residual blocks", config.residual_blocks)
                                 : fmt::format("modes {}, {} + {} blocks", fmt::join(config.modes, " x "),
                                               config.fourier_blocks, config.extended_blocks);
    return fmt::format("{}, width {}, {}, {} parameters", config.architecture, config.width, body,
                       grouped(network.parameters().count()));
}

}  // namespace plumecast::app
