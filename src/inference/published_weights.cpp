#include "inference/published_weights.hpp"

#include <cstdint>
#include <set>
#include <string>

#include <plumecast/core/error.hpp>

#include "inference/published/arrays.hpp"
#include "inference/published/layout.hpp"

namespace plumecast {
namespace {

/// Throws InvalidInput for more cells than any network adds, whose sum with those of a grid no number might hold.
void check_padding(const PublishedSettings& settings) {
    constexpr std::int64_t most = std::int64_t{1} << 20;
    for (const std::int64_t cells : settings.padding) {
        if (cells < 0 || cells > most) {
            throw InvalidInput("padding of " + std::to_string(cells) + " cells (0 to " + std::to_string(most) +
                               " along each axis); give those that the network was trained with");
        }
    }
}

PublishedLayout layout_of(const SafetensorsFile& weights, const PublishedSettings& settings) {
    check_padding(settings);
    PublishedLayout layout =
        is_of_neuraloperator(weights) ? neuraloperator_layout(weights, settings) : script_layout(weights, settings);
    try {
        layout.config.check();
    } catch (const InvalidInput& error) {
        throw InvalidModel(weights.path().string() + ": " + error.what());
    }
    return layout;
}

}  // namespace

PublishedNetwork published_network(const SafetensorsFile& weights, const PublishedSettings& settings) {
    const PublishedLayout layout = layout_of(weights, settings);
    return {layout.config, layout.assumed};
}

void assign_published_weights(const SafetensorsFile& weights, const Network& network) {
    const PublishedLayout layout = layout_of(weights, {});
    std::set<std::string> used;
    for (const Parameter& parameter : network.parameters().all()) {
        network.parameters().assign(parameter.name, layout.values(parameter, used));
    }
    for (const std::string& name : weights.names()) {
        if (!used.contains(name) && !layout.is_unused(name)) {
            refuse_weights(weights,
                           "array '" + name.substr(0, 64) + "' is left over (the network has nothing of that name)",
                           "remove it, or check the architecture");
        }
    }
}

std::string published_name(const std::string& parameter) {
    const std::string bare = name_in_scripts(parameter);
    if (bare.empty()) {
        throw InvalidInput("parameter '" + parameter +
                           "' has no published name (only fno, conv_fno and ufno are published); use its own");
    }
    return "conv1." + bare;
}

}  // namespace plumecast
