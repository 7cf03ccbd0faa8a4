#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <plumecast/core/error.hpp>

#include "inference/published/arrays.hpp"
#include "inference/published/kept_modes.hpp"
#include "inference/published/layout.hpp"

namespace plumecast {
namespace {

/// What scripts call their layers; # stands for the number of a block.
struct ScriptNames {
    const char *lift, *spectral, *linear, *mlp, *first, *second;
};

constexpr ScriptNames kinds_of_scripts[] = {
    {"fc0.", "conv#.weights", "w#.", "mlp#.mlp", "fc1.", "fc2."},        // Wen et al.; Li et al. until 2021
    {"p.", "conv#.weights", "w#.", "mlp#.mlp", "q.mlp1.", "q.mlp2."},    // Li et al. of 2022
    {"fc0.", "sp_convs.#.weights", "ws.#.", "mlp#.mlp", "fc1.", "fc2."}  // PINO
};

std::string numbered(std::string_view pattern, const std::string& block) {
    std::string name(pattern);
    const auto at = name.find('#');
    return at == std::string::npos ? name : name.replace(at, 1, block);
}

std::string numbered(std::string_view pattern, std::int64_t block) { return numbered(pattern, std::to_string(block)); }

/// The names that a file uses, and what stands before all of them.
struct Names {
    const ScriptNames* of;
    std::string prefix;

    std::string in_block(const char* pattern, std::int64_t block) const { return prefix + numbered(pattern, block); }
};

/// Prefix of all names in this file: "conv1." as published, or none; before it those of wrappers of PyTorch, as
/// "module." (DataParallel, AveragedModel), "_orig_mod." (compile) and "model." (Lightning), one after the other.
std::vector<std::string> prefixes_of(const SafetensorsFile& weights, const ScriptNames& of) {
    const std::string first_layer = std::string(of.lift) + "weight";
    for (const char* start : {"conv1.", "", "module.conv1.", "module."}) {
        if (weights.contains(start + first_layer)) {
            return {start};
        }
    }
    std::vector<std::string> found;
    for (const std::string& name : weights.names()) {
        if (name.ends_with("." + first_layer)) {
            found.push_back(name.substr(0, name.size() - first_layer.size()));
        }
    }
    return found;
}

Names names_of(const SafetensorsFile& weights) {
    std::vector<Names> without_blocks;
    for (const ScriptNames& kind : kinds_of_scripts) {
        const std::vector<std::string> prefixes = prefixes_of(weights, kind);
        if (prefixes.size() > 1) {
            refuse_weights(
                weights,
                "several networks, under '" + prefixes[0] + "' and '" + prefixes[1] + "' (one is imported at a time)",
                "save the one that is wanted alone");
        }
        if (!prefixes.empty()) {
            const Names names{&kind, prefixes[0]};
            if (weights.contains(names.in_block(kind.spectral, 0) + "1")) {
                return names;
            }
            without_blocks.push_back(names);
        }
    }
    if (without_blocks.empty()) {
        refuse_weights(weights,
                       "no array 'conv1.fc0.weight' (the first layer of a published network; that of the library "
                       "neuraloperator is 'lifting.fcs.0.weight')",
                       "give a state dict under the published names");
    }
    const Names& names = without_blocks.front();
    if (weights.contains(names.prefix + "conv0.weights")) {
        refuse_weights(weights,
                       "array '" + names.prefix +
                           "conv0.weights' (a script of 2020 that keeps its modes in the order of a shifted spectrum, "
                           "which depends on the grid)",
                       "import a network of the scripts of 2021 or later");
    }
    refuse_weights(
        weights, "no array '" + names.in_block(names.of->spectral, 0) + "1' (a network has at least one Fourier block)",
        "give a state dict under the published names");
}

/// Shape of an array that must exist with a number of axes between a least and a most one.
Shape shape_of(const SafetensorsFile& weights, const std::string& name, int least, int most) {
    const Shape shape = weights.shape(name);
    if (shape.rank() < least || shape.rank() > most) {
        refuse_weights(weights,
                       "array '" + name + "' has shape " + shape.text() + " (" + std::to_string(least) +
                           (least == most ? "" : " to " + std::to_string(most)) + " axes are expected" +
                           (most == 6 ? ", the last of them real and imaginary part)" : ")"),
                       "convert the checkpoint again");
    }
    return shape;
}

enum class Branch { none, conv, unet };

Branch branch_of(const SafetensorsFile& weights, const std::string& prefix, std::int64_t block) {
    if (weights.contains(prefix + numbered("unet#.conv1.0.weight", block))) {
        return Branch::unet;
    }
    return weights.contains(prefix + numbered("convolution#.weight", block)) ? Branch::conv : Branch::none;
}

void infer_blocks(const SafetensorsFile& weights, const Names& names, NetworkConfig& config) {
    config.architecture = "fno";
    config.fourier_blocks = config.extended_blocks = 0;
    for (std::int64_t k = 0; weights.contains(names.in_block(names.of->spectral, k) + "1"); ++k) {
        const Branch branch = branch_of(weights, names.prefix, k);
        if (branch == Branch::none && config.extended_blocks == 0) {
            ++config.fourier_blocks;
            continue;
        }
        const std::string architecture = branch == Branch::unet ? "ufno" : "conv_fno";
        if (branch == Branch::none || (config.extended_blocks > 0 && architecture != config.architecture)) {
            refuse_weights(weights,
                           "block " + std::to_string(k) +
                               " has another branch than the block before it (plain blocks come "
                               "first, then blocks of one kind)",
                           "only the published orders can be imported");
        }
        config.architecture = architecture;
        ++config.extended_blocks;
    }
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Published checkpoints carry batch norms bn0, bn1 ... that their forward pass never calls.
bool is_norm(const std::string& name, const std::string& prefix) {
    return name.starts_with(prefix + "bn") && name.size() > prefix.size() + 2 && is_digit(name[prefix.size() + 2]);
}

/// Those of scripts of 2020 are called, and count the batches of the training.
void refuse_called_norms(const SafetensorsFile& weights, const std::string& prefix) {
    for (const std::string& name : weights.names()) {
        if (is_norm(name, prefix) && name.ends_with(".num_batches_tracked") && weights.shape(name).count() == 1 &&
            weights.read(name).number(0) > 0.0) {
            refuse_weights(
                weights,
                "array '" + name + "' is not 0 (batch norms that the network was trained with, which ours lack)",
                "import a network of the scripts of 2021 or later");
        }
    }
}

bool is_unused(const std::string& name, const std::string& prefix) {
    const bool is_count_of_average = name == "n_averaged" || name.ends_with(".n_averaged");  // of AveragedModel
    return is_norm(name, prefix) || is_count_of_average || name.ends_with(".num_batches_tracked");
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

std::string block_name(const ScriptNames& of, const std::string& block, const std::string& name) {
    const std::string mlp = numbered(of.mlp, block);
    const std::array<std::pair<std::string, std::string>, 5> layers{{{"spectral.weight", numbered(of.spectral, block)},
                                                                     {"linear.", numbered(of.linear, block)},
                                                                     {"spectral_mlp.first.", mlp + "1."},
                                                                     {"spectral_mlp.second.", mlp + "2."},
                                                                     {"conv.", "convolution" + block + "."}}};
    for (const auto& [ours, published] : layers) {
        if (name.starts_with(ours)) {
            return published + name.substr(ours.size());
        }
    }
    return name.starts_with("unet.") ? "unet" + block + "." + unet_name(name.substr(5)) : std::string();
}

/// Published name without its prefix; empty for a parameter of no published network.
std::string bare_name(const ScriptNames& of, const std::string& parameter) {
    const std::array<std::pair<std::string, std::string>, 3> layers{
        {{"lift.", of.lift}, {"projection.first.", of.first}, {"projection.second.", of.second}}};
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
    return block_name(of, parameter.substr(blocks.size(), dot - blocks.size()), parameter.substr(dot + 1));
}

/// Joins the parts of each sign of the axes but the last, which has one: "1" has all positive, then the signs change
/// along the first axis first.
Tensor joined_signs(const SafetensorsFile& weights, const std::string& name, const Parameter& parameter,
                    std::set<std::string>& used) {
    const Shape& ours = parameter.weight.shape();
    const int axes_of_signs = ours.rank() - 4;
    Tensor whole;
    for (int part = 0; part < 1 << axes_of_signs; ++part) {
        Shape shape{ours[-2], ours[-1]};
        std::vector<ModesOfAxis> axes;
        for (int axis = 0; axis < axes_of_signs; ++axis) {
            const std::int64_t count = ours[axis] / 2;
            axes.push_back((part >> axis) % 2 == 0 ? positive_modes(count) : negative_modes(count));
            shape = shape.append(count);
        }
        const Tensor values =
            published_array(weights, name + std::to_string(part + 1), shape.append(ours[-4]).append(2), used);
        if (whole.empty()) {
            whole = host_zeros(ours, values.type());
        }
        if (values.type() != whole.type()) {
            refuse_weights(weights,
                           "arrays '" + name + "1' to '" + std::to_string(1 << axes_of_signs) +
                               "' differ in element type (they are one weight)",
                           "convert the checkpoint again");
        }
        place_modes(values, axes, whole);
    }
    return whole;
}

/// Whether the network is one of Wen et al., whose layers along the channels are convolutions of one axis and whose
/// last block ends with its activation.
bool is_of_wen(const SafetensorsFile& weights, const Names& names, const NetworkConfig& config, int axes) {
    const std::string linear = names.in_block(names.of->linear, 0) + "weight";
    return config.extended_blocks > 0 ||
           (axes == 3 && names.of == kinds_of_scripts && weights.contains(linear) && weights.shape(linear).rank() == 3);
}

/// What a file does not tell and no setting does.
std::string assumed(const PublishedSettings& settings, const std::string& activation, const std::string& padding) {
    std::string text = settings.activation ? "" : "its activation (" + activation + ")";
    if (settings.padding.empty()) {
        text += (text.empty() ? "its padding (" : " and its padding (") + padding + ")";
    }
    return text;
}

void set_as_li(const SafetensorsFile& weights, const Names& names, const PublishedSettings& settings,
               PublishedLayout& layout) {
    NetworkConfig& config = layout.config;
    config.last_activation = false;
    config.activation = settings.activation.value_or(Activation{Activation::Kind::gelu});
    const std::string mlp = names.in_block(names.of->mlp, 0) + "1.weight";
    config.spectral_mlp = weights.contains(mlp) ? shape_of(weights, mlp, 2, 5)[0] : 0;
    set_axes(weights, config, settings);
    layout.assumed = assumed(settings, "GELU is taken", "none is taken");
}

void set_as_wen(const PublishedSettings& settings, PublishedLayout& layout) {
    NetworkConfig& config = layout.config;
    config.activation = settings.activation.value_or(config.activation);
    config.padding = settings.padding.empty() ? config.padding : settings.padding;
    if (config.extended_blocks == 0) {  // nothing but the rank of its linear layers shows whose network it is
        layout.assumed = assumed(settings, "that of Wen et al. is taken: ReLU, after the last block too",
                                 "that of Wen et al. is taken: 8 cells along each axis");
    }
}

}  // namespace

void set_axes(const SafetensorsFile& weights, NetworkConfig& config, const PublishedSettings& settings) {
    const std::size_t own = config.modes.size();
    if (!settings.padding.empty() && settings.padding.size() != own) {
        refuse_weights(weights,
                       "a padding of " + std::to_string(settings.padding.size()) + " axes (the network has " +
                           std::to_string(own) + ")",
                       "give one count of cells for each axis");
    }
    config.padding = settings.padding.empty() ? std::vector<std::int64_t>(own, 0) : settings.padding;
    config.pad_lifted = std::ranges::any_of(config.padding, [](std::int64_t cells) { return cells != 0; });
    std::vector<bool> axes = settings.axes;
    if (std::ranges::count(axes, true) != static_cast<std::ptrdiff_t>(own)) {
        axes.assign(own, true);
        axes.insert(axes.begin(), std::max<std::size_t>(own, 3) - own, false);
    }
    const std::vector<std::int64_t> modes = std::exchange(config.modes, {}),
                                    padding = std::exchange(config.padding, {});
    std::size_t at = 0;
    for (const bool is_there : axes) {
        config.modes.push_back(is_there ? modes[at] : 0);
        config.padding.push_back(is_there ? padding[at] : 0);
        at += is_there ? 1 : 0;
    }
    config.edges.assign(config.modes.size(), Padding::Edge::zero);
    config.padded_multiple = 1;
}

PublishedLayout script_layout(const SafetensorsFile& weights, const PublishedSettings& settings) {
    const Names names = names_of(weights);
    refuse_called_norms(weights, names.prefix);
    PublishedLayout layout;
    NetworkConfig& config = layout.config;
    infer_blocks(weights, names, config);
    const Shape lift = shape_of(weights, names.prefix + names.of->lift + "weight", 2, 2);
    config.width = lift[0];
    config.channels = lift[1];
    const std::string first_weight = names.in_block(names.of->spectral, 0) + "1";
    const Shape spectral = shape_of(weights, first_weight, 4, 6);
    const int axes = spectral.rank() - 3;
    config.modes.clear();
    Shape expected{config.width, config.width};
    for (int axis = 0; axis < axes; ++axis) {
        config.modes.push_back(spectral[axis + 2]);
        expected = expected.append(spectral[axis + 2]);
    }
    const Shape last = shape_of(weights, names.prefix + names.of->second + "weight", 2, 5);
    config.fields = last[0];
    config.hidden = last[1];
    if (is_of_wen(weights, names, config, axes)) {
        set_as_wen(settings, layout);
    } else {
        set_as_li(weights, names, settings, layout);
    }
    if (spectral != expected.append(2)) {
        refuse_weights(weights,
                       "array '" + first_weight + "' has shape " + spectral.text() + " (a network of width " +
                           std::to_string(config.width) + " has " + expected.append(2).text() + ")",
                       "convert the checkpoint again");
    }
    layout.is_unused = [names](const std::string& name) { return is_unused(name, names.prefix); };
    layout.values = [names, &weights](const Parameter& parameter, std::set<std::string>& used) {
        const std::string bare = bare_name(*names.of, parameter.name);
        if (bare.empty()) {
            throw InvalidModel("parameter '" + parameter.name +
                               "' has no published name (only fno, conv_fno and ufno are imported); choose one of "
                               "them");
        }
        return parameter.complex_valued ? joined_signs(weights, names.prefix + bare, parameter, used)
                                        : published_values(weights, names.prefix + bare, parameter, used);
    };
    return layout;
}

std::string name_in_scripts(const std::string& parameter) { return bare_name(kinds_of_scripts[0], parameter); }

}  // namespace plumecast
