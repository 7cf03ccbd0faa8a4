#include <plumecast/architectures/network_config.hpp>

#include "architectures/blocks.hpp"

namespace plumecast {
namespace {

/// Two linear layers on the channels with the activation between them.
Value channel_mlp(const Value& x, std::int64_t hidden, const NetworkConfig& config, const LayerPath& at) {
    return linear(activate(linear(x, hidden, at / "first"), config.activation), config.width, at / "second");
}

Value fourier_block(const Value& v, const NetworkConfig& config, std::int64_t k, const StatisticsOf& statistics) {
    const LayerPath at = LayerPath{"blocks"} / k;
    const bool is_extended = k >= config.fourier_blocks;
    const bool is_last = k + 1 == config.fourier_blocks + config.extended_blocks;
    const Activation f = is_last && !config.last_activation ? Activation::identity() : config.activation;
    const ConvAxes axes{config.space_axes(), config.time_kernel, config.time_strides};
    Value sum = spectral_conv(v, config.modes, at / "spectral");
    if (!is_extended && config.spectral_mlp > 0) {
        sum = channel_mlp(sum, config.spectral_mlp, config, at / "spectral_mlp");
    }
    sum = sum + linear(v, config.width, at / "linear");
    if (is_extended && config.architecture == "ufno") {
        sum = sum + unet(v, axes, statistics, at / "unet");
    } else if (is_extended) {
        sum = sum + conv(v, kernel3(1, axes), config.width, true, at / "conv");
    }
    const Value u = activate(sum, f);
    if (is_extended || config.channel_mlp == 0) {
        return u;
    }
    return activate(
        channel_mlp(u, config.channel_mlp, config, at / "channel_mlp") + linear(v, config.width, at / "channel_skip"),
        f);
}

}  // namespace

Value fourier_network(Value v, const NetworkConfig& config, const Shape& extents, const StatisticsOf& statistics) {
    for (std::int64_t k = 0; k < config.fourier_blocks + config.extended_blocks; ++k) {
        v = fourier_block(v, config, k, statistics);
    }
    return projected(v, config, extents);
}

Value projected(const Value& v, const NetworkConfig& config, const Shape& extents) {
    const LayerPath projection{"projection"};
    const Value hidden = activate(linear(crop(v, extents), config.hidden, projection / "first"), config.activation);
    return linear(hidden, config.fields, projection / "second");
}

double kernel_numbers(const NetworkConfig& config) {
    return (config.space_axes() == 3 ? 27.0 : 9.0) * static_cast<double>(config.time_kernel);
}

double least_fourier_weights(const NetworkConfig& config) {
    const auto real = [](std::int64_t count) { return static_cast<double>(count); };  // products overflow integers
    const double width = real(config.width);
    double modes = 1.0;
    for (const std::int64_t kept : config.modes) {
        modes *= real(kept) * 2.0;
    }
    return (real(config.fourier_blocks) + real(config.extended_blocks)) * modes * width * width +
           real(config.extended_blocks) * kernel_numbers(config) * width * width +
           real(config.hidden) * (width + real(config.fields));
}

void set_usual_fno(NetworkConfig& config) {
    config.fourier_blocks = 6;
    config.extended_blocks = 0;
}

}  // namespace plumecast
