#include <array>

#include <plumecast/architectures/network_config.hpp>

#include "architectures/blocks.hpp"

namespace plumecast {

Value cnn(Value v, const NetworkConfig& config, const Shape& extents, const StatisticsOf& statistics) {
    constexpr std::array<std::int64_t, 6> stages{1, 2, 4, 4, 8, 8};
    const Activation relu = Activation::relu(), none = Activation::identity();
    const ConvAxes axes{config.space_axes(), config.time_kernel, config.time_strides};
    for (std::size_t k = 0; k < stages.size(); ++k) {
        v = normalised_conv(v, kernel3(k % 2 == 0 ? 2 : 1, axes), stages[k] * config.width, true, relu, statistics,
                            LayerPath{"encoder"} / static_cast<std::int64_t>(k));
    }
    for (std::int64_t k = 0; k < config.residual_blocks; ++k) {
        const LayerPath at = LayerPath{"residual"} / k;
        const std::int64_t width = v.shape()[-1];
        const Value first = normalised_conv(v, kernel3(1, axes), width, true, relu, statistics, at / "first");
        v = normalised_conv(first, kernel3(1, axes), width, true, none, statistics, at / "second") + v;
    }
    for (std::size_t k = 0; k < stages.size(); ++k) {
        v = normalised_conv(v, k % 2 == 0 ? kernel3(1, axes) : doubling3(axes),
                            stages[stages.size() - 1 - k] * config.width, true, relu, statistics,
                            LayerPath{"decoder"} / static_cast<std::int64_t>(k));
    }
    return crop(conv(v, kernel3(1, axes), config.fields, true, LayerPath{"output"}), extents);
}

double least_cnn_weights(const NetworkConfig& config) {
    const auto real = [](std::int64_t count) { return static_cast<double>(count); };
    constexpr double widest = 8.0;
    const double width = real(config.width), kernel = kernel_numbers(config);
    return kernel * (2.0 * real(config.residual_blocks) + 1.0) * widest * width * widest * width +
           kernel * real(config.fields) * width;
}

void set_usual_cnn(NetworkConfig& config) { config.width = 32; }

}  // namespace plumecast
