#include <plumecast/architectures/network_config.hpp>

#include "architectures/blocks.hpp"

namespace plumecast {
namespace {

Value fourier_block(const Value& v, const NetworkConfig& config, bool is_extended, const StatisticsOf& statistics,
                    const LayerPath& at) {
    const ConvAxes axes{config.space_axes(), config.time_kernel, config.time_strides};
    Value sum = spectral_conv(v, config.modes, at / "spectral");
    sum = sum + linear(v, config.width, at / "linear");
    if (is_extended && config.architecture == "ufno") {
        sum = sum + unet(v, axes, statistics, at / "unet");
    } else if (is_extended) {
        sum = sum + conv(v, kernel3(1, axes), config.width, true, at / "conv");
    }
    return activate(sum, config.activation);
}

}  // namespace

Value fourier_network(Value v, const NetworkConfig& config, const Shape& extents, const StatisticsOf& statistics) {
    for (std::int64_t k = 0; k < config.fourier_blocks + config.extended_blocks; ++k) {
        v = fourier_block(v, config, k >= config.fourier_blocks, statistics, LayerPath{"blocks"} / k);
    }
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

}  // namespace plumecast
