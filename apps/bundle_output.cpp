#include "bundle_output.hpp"

#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>

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

}  // namespace

void require_bundle_place(const std::string& path) {
    namespace fs = std::filesystem;
    if (fs::exists(path) && !fs::exists(fs::path(path) / "model.json")) {
        throw InvalidInput(path +
                           ": is there already and is no model bundle (it would be replaced whole); name a folder "
                           "that does not exist yet");
    }
    std::error_code ignored;  // what stands in the way is named when the bundle is written
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
