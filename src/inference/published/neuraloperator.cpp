#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>

#include "inference/published/arrays.hpp"
#include "inference/published/factorised.hpp"
#include "inference/published/kept_modes.hpp"
#include "inference/published/layout.hpp"

namespace plumecast {
namespace {

constexpr std::string_view blocks_of_library = "fno_blocks.";

/// What the library says of a network when it stores it, under its own names; null where nothing was kept of it.
Json arguments_of(const SafetensorsFile& weights) {
    const auto found = weights.metadata().find("neuraloperator");
    if (found == weights.metadata().end()) {
        return {};
    }
    Json arguments = Json::parse(found->second, weights.path().string() + ": text 'neuraloperator'");
    const auto* named = arguments.get_if<Json::Object>();
    if (named == nullptr) {
        refuse_weights(weights,
                       "text 'neuraloperator' is " + arguments.dump(-1).substr(0, 64) +
                           " (what the network was made with, by name, is an object)",
                       "convert the checkpoint again");
    }
    return named->empty() ? Json() : arguments;
}

/// Whether an argument is there and asks for something.
bool is_set(const Json& arguments, std::string_view key) {
    const Json* value = arguments.find(key);
    if (value == nullptr || value->is_null() || *value == Json(false)) {
        return false;
    }
    const auto* list = value->get_if<Json::Array>();
    return *value != Json(0) && *value != Json(0.0) && (list == nullptr || !list->empty());
}

void refuse_argument(const SafetensorsFile& weights, const Json& arguments, std::string_view key,
                     const std::string& what) {
    if (is_set(arguments, key)) {
        refuse_weights(weights,
                       "the network was made with " + std::string(key) + " = " + arguments.find(key)->dump(-1) + " (" +
                           what + ", which our networks lack)",
                       "import a network without it");
    }
}

void check_arguments(const SafetensorsFile& weights, const Json& arguments) {
    const Json* name = arguments.find("_name");
    const std::string* text = name == nullptr ? nullptr : name->get_if<std::string>();
    if (text != nullptr && *text != "FNO" && *text != "TFNO") {
        refuse_weights(weights, "a network of the class " + *text + " (FNO and TFNO are imported)",
                       "import one of these");
    }
    refuse_argument(weights, arguments, "preactivation", "activations before the transforms");
    refuse_argument(weights, arguments, "norm", "normalisation in each block");
    refuse_argument(weights, arguments, "stabilizer", "a bound on what is transformed");
    refuse_argument(weights, arguments, "separable", "spectral weights of each channel alone");
    refuse_argument(weights, arguments, "complex_data", "complex fields");
    refuse_argument(weights, arguments, "resolution_scaling_factor", "grids that change from block to block");
    refuse_argument(weights, arguments, "domain_padding", "zeros around the field behind a lift of two layers");
    const Json *modes = arguments.find("n_modes"), *most = arguments.find("max_n_modes");
    if (most != nullptr && !most->is_null() && modes != nullptr && *modes != *most) {
        refuse_argument(weights, arguments, "max_n_modes", "weights of modes that are not used yet");
    }
}

/// The activation by its name in PyTorch.
Activation activation_of(const SafetensorsFile& weights, const Json& arguments) {
    const Json* value = arguments.find("non_linearity");
    const std::string* name = value == nullptr ? nullptr : value->get_if<std::string>();
    if (name == nullptr || *name == "gelu") {
        return {Activation::Kind::gelu};
    }
    if (*name == "relu" || *name == "tanh") {
        return {*name == "relu" ? Activation::Kind::relu : Activation::Kind::tanh};
    }
    refuse_weights(weights, "the network was made with non_linearity = " + *name + " (which our networks lack)",
                   "import a network of gelu, relu or tanh");
}

std::string block(const std::string& prefix, std::string_view layer, const std::string& number) {
    return prefix + std::string(blocks_of_library) + std::string(layer) + "." + number;
}

std::string block(const std::string& prefix, std::string_view layer, std::int64_t number) {
    return block(prefix, layer, std::to_string(number));
}

/// What stands before all names: wrappers of PyTorch, or nothing.
std::optional<std::string> prefix_of_library(const SafetensorsFile& weights) {
    const std::string first = std::string(blocks_of_library) + "convs.";
    for (const std::string& name : weights.names()) {
        const auto at = name.find(first);
        if (at != std::string::npos) {
            return name.substr(0, at);
        }
    }
    return std::nullopt;
}

/// Layers that a file may have and our networks do not.
void refuse_layers(const SafetensorsFile& weights, const std::string& prefix) {
    const std::string blocks = prefix + std::string(blocks_of_library);
    for (const std::string& name : weights.names()) {
        if (name.starts_with(blocks + "norm.")) {
            refuse_weights(weights, "array '" + name + "' (normalisation in each block, which our networks lack)",
                           "import a network without it");
        }
        if (name.starts_with(blocks + "convs.weight.") || name.starts_with(blocks + "mlp.")) {
            refuse_weights(weights, "array '" + name + "' (a layout of neuraloperator before version 1)",
                           "load the network in version 1 or later, and save it there");
        }
    }
}

/// A skip is a matrix, a factor for each channel, the identity or nothing; ours is a matrix.
class Skips {
   public:
    Skips(const SafetensorsFile& weights, std::string prefix, Json arguments)
        : weights_(&weights), prefix_(std::move(prefix)), arguments_(std::move(arguments)) {}

    Tensor matrix(const char* layer, const char* argument, const std::string& number, const Shape& shape,
                  std::set<std::string>& used) const {
        const std::string at = block(prefix_, layer, number);
        if (weights_->contains(at + ".conv.weight")) {
            return published_array(*weights_, at + ".conv.weight", shape, used);
        }
        const std::string name = at + ".weight";
        if (weights_->contains(name)) {
            const Shape& found = weights_->shape(name);
            const bool is_gate = found.rank() > 2 && found[0] == 1;
            refuse_kernel(name);
            return is_gate ? diagonal(published_array(*weights_, name, {1, shape[0]}, used), shape)
                           : published_array(*weights_, name, shape, used);
        }
        return without_weights(argument, shape);
    }

   private:
    void refuse_kernel(const std::string& name) const {
        const Shape& found = weights_->shape(name);
        for (int axis = 2; axis < found.rank(); ++axis) {
            if (found[axis] != 1) {
                refuse_weights(*weights_,
                               "array '" + name + "' has shape " + found.text() +
                                   " (a convolution beside each transform without a bias, conv_bias_kernel, which our "
                                   "networks lack)",
                               "import a network without it");
            }
        }
    }
    static Tensor diagonal(const Tensor& factors, const Shape& shape) {
        Tensor matrix = host_zeros(shape, DType::float64);
        for (std::int64_t c = 0; c < shape[0]; ++c) {
            matrix.values<double>()[static_cast<std::size_t>(c * shape[1] + c)] =
                factors.number(static_cast<std::size_t>(c));
        }
        return matrix;
    }
    Tensor without_weights(const char* argument, const Shape& shape) const {
        const Json* kind = arguments_.find(argument);
        if (kind == nullptr) {
            refuse_weights(*weights_,
                           std::string("skips without weights (the identity or none: ") + argument +
                               " tells, which the file lacks)",
                           "convert the whole state dict, with its entry _metadata");
        }
        Tensor ones = host_zeros({1, shape[0]}, DType::float64);
        const std::string* name = kind->get_if<std::string>();
        std::ranges::fill(ones.values<double>(), name != nullptr && *name == "identity" ? 1.0 : 0.0);
        return diagonal(ones, shape);
    }

    const SafetensorsFile* weights_;
    std::string prefix_;
    Json arguments_;
};

/// The weights of one network of the library by our names.
class LibraryWeights {
   public:
    LibraryWeights(const SafetensorsFile& weights, const std::string& prefix, const Json& arguments)
        : weights_(&weights), prefix_(prefix), skips_(weights, prefix, arguments) {}

    Tensor values(const Parameter& parameter, std::set<std::string>& used) const {
        const std::string& name = parameter.name;
        if (!name.starts_with("blocks.")) {
            return published_values(*weights_, prefix_ + outer_name(name), parameter, used);
        }
        const auto dot = name.find('.', 7);
        const std::string number = name.substr(7, dot - 7), layer = name.substr(dot + 1);
        const Shape& shape = parameter.weight.shape();
        if (layer == "spectral.weight") {
            return spectral(number, shape, used);
        }
        if (layer == "linear.weight") {
            return skips_.matrix("fno_skips", "fno_skip", number, shape, used);
        }
        if (layer == "channel_skip.weight") {
            return skips_.matrix("channel_mlp_skips", "channel_mlp_skip", number, shape, used);
        }
        if (layer == "linear.bias" && weights_->contains(block(prefix_, "convs", number) + ".bias")) {
            return published_array(*weights_, block(prefix_, "convs", number) + ".bias", shape, used);
        }
        if (layer.starts_with("channel_mlp.")) {
            const std::string fcs = layer.starts_with("channel_mlp.first") ? ".fcs.0" : ".fcs.1";
            return published_values(*weights_,
                                    block(prefix_, "channel_mlp", number) + fcs + layer.substr(layer.rfind('.')),
                                    parameter, used);
        }
        return host_zeros(shape);  // biases that the library does not have
    }

   private:
    static std::string outer_name(const std::string& name) {
        const std::string kind = name.substr(name.rfind('.'));
        const bool is_second = name.find(".second.") != std::string::npos;
        return (name.starts_with("lift.") ? "lifting.fcs." : "projection.fcs.") + std::string(is_second ? "1" : "0") +
               kind;
    }

    std::string spectral_stem(const std::string& number) const { return block(prefix_, "convs", number) + ".weight"; }

    [[noreturn]] void refuse_block(const std::string& number, const Shape& shape) const {
        refuse_weights(*weights_,
                       "the weight '" + spectral_stem(number) + "' has shape " + shape.text() + " ('" +
                           spectral_stem("0") + "' has " + weight_shape(*weights_, spectral_stem("0")).text() + ")",
                       "import a network whose blocks are alike");
    }

    Tensor spectral(const std::string& number, const Shape& ours, std::set<std::string>& used) const {
        const Shape shape = weight_shape(*weights_, spectral_stem(number));
        if (shape != weight_shape(*weights_, spectral_stem("0"))) {
            refuse_block(number, shape);
        }
        const Tensor published = weight_values(*weights_, spectral_stem(number), used);
        std::vector<ModesOfAxis> axes;
        Shape made;
        for (int axis = 2; axis + 2 < shape.rank(); ++axis) {
            axes.push_back(ordered_modes(shape[axis]));
            made = made.append(static_cast<std::int64_t>(axes.back().size()));
        }
        if (made.append(shape[-2]).append(2).append(shape[0]).append(shape[1]) != ours) {
            refuse_block(number, shape);
        }
        Tensor whole = host_zeros(ours, published.type());
        place_modes(published, axes, whole);
        return whole;
    }

    const SafetensorsFile* weights_;
    std::string prefix_;
    Skips skips_;
};

/// Extents of the first two axes of an array of two or more.
Shape matrix_shape(const SafetensorsFile& weights, const std::string& name) {
    const Shape& shape = weights.shape(name);
    if (shape.rank() < 2) {
        refuse_weights(weights, "array '" + name + "' has shape " + shape.text() + " (a matrix is expected)",
                       "convert the checkpoint again");
    }
    return shape.slice(0, 2);
}

void set_sizes(const SafetensorsFile& weights, const std::string& prefix, NetworkConfig& config) {
    const std::string first = block(prefix, "convs", 0) + ".weight";
    const Shape spectral = weight_shape(weights, first);
    if (spectral.rank() < 4 || spectral.rank() > 7 || spectral[-1] != 2 || spectral[0] != spectral[1]) {
        refuse_weights(weights,
                       "array '" + first + "' has shape " + spectral.text() +
                           " (a square matrix of complex numbers for each mode of one to four axes is expected)",
                       "import a network of real fields whose blocks have one width");
    }
    config.architecture = "fno";
    config.width = spectral[0];
    config.modes.clear();
    for (int axis = 2; axis + 2 < spectral.rank(); ++axis) {
        config.modes.push_back((spectral[axis] + 1) / 2);
    }
    config.modes.push_back(spectral[-2]);
    config.fourier_blocks = config.extended_blocks = 0;
    while (std::ranges::any_of(weights.names(), [&](const std::string& name) {
        return name.starts_with(block(prefix, "convs", config.fourier_blocks) + ".weight");
    })) {
        ++config.fourier_blocks;
    }
    const Shape lift = matrix_shape(weights, prefix + "lifting.fcs.0.weight");
    config.channels = lift[1];
    config.lifting = weights.contains(prefix + "lifting.fcs.1.weight") ? lift[0] : 0;
    const Shape last = matrix_shape(weights, prefix + "projection.fcs.1.weight");
    config.fields = last[0];
    config.hidden = last[1];
    const std::string mlp = block(prefix, "channel_mlp", 0) + ".fcs.0.weight";
    config.channel_mlp = weights.contains(mlp) ? matrix_shape(weights, mlp)[0] : 0;
}

}  // namespace

bool is_of_neuraloperator(const SafetensorsFile& weights) { return prefix_of_library(weights).has_value(); }

PublishedLayout neuraloperator_layout(const SafetensorsFile& weights, const PublishedSettings& settings) {
    const std::string prefix = prefix_of_library(weights).value();
    const Json arguments = arguments_of(weights);
    check_arguments(weights, arguments);
    refuse_layers(weights, prefix);
    PublishedLayout layout;
    set_sizes(weights, prefix, layout.config);
    set_axes(weights, layout.config, settings);
    layout.config.last_activation = false;
    layout.config.activation = settings.activation.value_or(activation_of(weights, arguments));
    if (layout.config.channel_mlp > 0 && layout.config.activation.kind != Activation::Kind::gelu) {
        refuse_weights(weights,
                       "another activation than gelu beside MLPs in the blocks (which have gelu within all the same; "
                       "our networks have one)",
                       "import a network of gelu, or one without channel MLPs");
    }
    if (arguments.is_null() && !settings.activation) {
        layout.assumed = "what the network was made with (GELU, no normalisation and no padding are taken)";
    }
    layout.is_unused = [](const std::string& name) { return name == "n_averaged"; };
    layout.values = [held = LibraryWeights(weights, prefix, arguments)](const Parameter& parameter,
                                                                        std::set<std::string>& used) {
        return held.values(parameter, used);
    };
    return layout;
}

}  // namespace plumecast
