#include "inference/published_weights.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <plumecast/core/error.hpp>

#include "inference/bundle/published_tensors.hpp"

namespace plumecast {
namespace {

[[noreturn]] void refuse(const SafetensorsFile& weights, const std::string& problem, const std::string& remedy) {
    throw InvalidModel(weights.path().string() + ": " + problem + "; " + remedy);
}

std::string numbered(const std::string& stem, std::int64_t number) { return stem + std::to_string(number); }

/// Prefix of all names in this file: "conv1." as published, or none; before it those of wrappers of PyTorch, as
/// "module." (DataParallel, AveragedModel), "_orig_mod." (compile) and "model." (Lightning), one after the other.
std::string prefix_of(const SafetensorsFile& weights) {
    for (const char* start : {"conv1.", "", "module.conv1.", "module."}) {
        std::string prefix = start;
        if (weights.contains(prefix + "fc0.weight")) {
            return prefix;
        }
    }
    constexpr std::string_view first_layer = ".fc0.weight";
    std::vector<std::string> found;
    for (const std::string& name : weights.names()) {
        if (name.ends_with(first_layer)) {
            found.push_back(name.substr(0, name.size() - first_layer.size() + 1));
        }
    }
    if (found.size() == 1) {
        return found[0];
    }
    if (found.size() > 1) {
        refuse(weights, "several networks, under '" + found[0] + "' and '" + found[1] + "' (one is imported at a time)",
               "save the one that is wanted alone");
    }
    refuse(weights, "no array 'conv1.fc0.weight' (the first layer of a published network)",
           "give a state dict under the published names");
}

/// Shape of an array that must exist with a number of axes.
Shape shape_of(const SafetensorsFile& weights, const std::string& name, int rank) {
    const Shape shape = weights.shape(name);
    if (shape.rank() != rank) {
        refuse(weights,
               "array '" + name + "' has shape " + shape.text() + " (" + std::to_string(rank) + " axes are expected" +
                   (rank == 6 ? ", the last of them real and imaginary part)" : ")"),
               "convert the checkpoint again");
    }
    return shape;
}

enum class Branch { none, conv, unet };

Branch branch_of(const SafetensorsFile& weights, const std::string& prefix, std::int64_t block) {
    if (weights.contains(prefix + numbered("unet", block) + ".conv1.0.weight")) {
        return Branch::unet;
    }
    const bool has_conv = weights.contains(prefix + numbered("convolution", block) + ".weight");
    return has_conv ? Branch::conv : Branch::none;
}

void infer_blocks(const SafetensorsFile& weights, const std::string& prefix, NetworkConfig& config) {
    config.architecture = "fno";
    config.fourier_blocks = config.extended_blocks = 0;
    for (std::int64_t k = 0; weights.contains(prefix + numbered("conv", k) + ".weights1"); ++k) {
        const Branch branch = branch_of(weights, prefix, k);
        if (branch == Branch::none && config.extended_blocks == 0) {
            ++config.fourier_blocks;
            continue;
        }
        const std::string architecture = branch == Branch::unet ? "ufno" : "conv_fno";
        if (branch == Branch::none || (config.extended_blocks > 0 && architecture != config.architecture)) {
            refuse(weights,
                   "block " + std::to_string(k) +
                       " has another branch than the block before it (plain blocks come "
                       "first, then blocks of one kind)",
                   "only the published orders can be imported");
        }
        config.architecture = architecture;
        ++config.extended_blocks;
    }
    if (config.fourier_blocks + config.extended_blocks == 0) {
        refuse(weights, "no array '" + prefix + "conv0.weights1' (a network has at least one Fourier block)",
               "give a state dict under the published names");
    }
}

bool is_unused(const std::string& name, const std::string& prefix) {
    // Published checkpoints carry batch norms bn0, bn1 ... that their forward pass never calls.
    const bool is_idle_norm = name.starts_with(prefix + "bn") && name.size() > prefix.size() + 2 &&
                              name[prefix.size() + 2] >= '0' && name[prefix.size() + 2] <= '9';
    const bool is_count_of_average = name == "n_averaged" || name.ends_with(".n_averaged");  // of AveragedModel
    return is_idle_norm || is_count_of_average || name.ends_with(".num_batches_tracked");
}

/// Name of our U-Net's parameter, in the published U-Net.
std::string unet_name(const std::string& name) {
    const auto dot = name.find('.');
    const std::string layer = name.substr(0, dot), rest = name.substr(dot + 1);
    if (layer == "output") {
        return "output_layer." + rest;
    }
    if (!rest.starts_with("norm.")) {
        return layer + ".0." + rest;
    }
    return layer + ".1." + (rest == "norm.running_variance" ? "running_var" : rest.substr(5));
}

std::string block_name(const std::string& block, const std::string& name) {
    const std::array<std::pair<std::string, std::string>, 3> layers{{{"spectral.weight", "conv" + block + ".weights"},
                                                                     {"linear.", "w" + block + "."},
                                                                     {"conv.", "convolution" + block + "."}}};
    for (const auto& [ours, published] : layers) {
        if (name.starts_with(ours)) {
            return published + name.substr(ours.size());
        }
    }
    return name.starts_with("unet.") ? "unet" + block + "." + unet_name(name.substr(5)) : std::string();
}

/// Published name without its prefix; empty for a parameter of no published network.
std::string bare_name(const std::string& parameter) {
    const std::array<std::pair<std::string, std::string>, 3> layers{
        {{"lift.", "fc0."}, {"projection.first.", "fc1."}, {"projection.second.", "fc2."}}};
    for (const auto& [ours, published] : layers) {
        if (parameter.starts_with(ours)) {
            return published + parameter.substr(ours.size());
        }
    }
    constexpr std::string_view blocks = "blocks.";
    const auto dot = parameter.find('.', blocks.size());
    if (!parameter.starts_with(blocks) || dot == std::string::npos) {
        return {};
    }
    return block_name(parameter.substr(blocks.size(), dot - blocks.size()), parameter.substr(dot + 1));
}

}  // namespace

NetworkConfig infer_published_config(const SafetensorsFile& weights) {
    const std::string prefix = prefix_of(weights);
    NetworkConfig config;
    infer_blocks(weights, prefix, config);
    const Shape lift = shape_of(weights, prefix + "fc0.weight", 2);
    config.width = lift[0];
    config.channels = lift[1];
    const Shape spectral = shape_of(weights, prefix + "conv0.weights1", 6);
    config.modes = {spectral[2], spectral[3], spectral[4]};
    const Shape last = shape_of(weights, prefix + "fc2.weight", 2);
    config.fields = last[0];
    config.hidden = last[1];
    try {
        config.check();
    } catch (const InvalidInput& error) {
        throw InvalidModel(weights.path().string() + ": " + error.what());
    }
    const Shape expected{config.width, config.width, spectral[2], spectral[3], spectral[4], 2};
    if (spectral != expected) {
        refuse(weights,
               "array '" + prefix + "conv0.weights1' has shape " + spectral.text() + " (a network of width " +
                   std::to_string(config.width) + " has " + expected.text() + ")",
               "convert the checkpoint again");
    }
    return config;
}

void assign_published_weights(const SafetensorsFile& weights, const Network& network) {
    const std::string prefix = prefix_of(weights);
    std::set<std::string> used;
    for (const Parameter& parameter : network.parameters().all()) {
        const std::string bare = bare_name(parameter.name);
        if (bare.empty()) {
            throw InvalidModel("parameter '" + parameter.name +
                               "' has no published name (only fno, conv_fno and ufno are imported); choose one of "
                               "them");
        }
        network.parameters().assign(parameter.name, published_values(weights, prefix + bare, parameter, used));
    }
    for (const std::string& name : weights.names()) {
        if (!used.contains(name) && !is_unused(name, prefix)) {
            refuse(weights, "array '" + name.substr(0, 64) + "' is left over (the network has nothing of that name)",
                   "remove it, or check the architecture");
        }
    }
}

std::string published_name(const std::string& parameter) {
    const std::string bare = bare_name(parameter);
    if (bare.empty()) {
        throw InvalidInput("parameter '" + parameter +
                           "' has no published name (only fno, conv_fno and ufno are published); use its own");
    }
    return "conv1." + bare;
}

}  // namespace plumecast
