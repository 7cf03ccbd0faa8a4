#include "architectures/blocks.hpp"

namespace plumecast {

Value normalised_conv(const Value& x, const ConvGeometry& geometry, std::int64_t outputs, bool with_bias,
                      Activation activation, const StatisticsOf& statistics, const LayerPath& at) {
    const LayerPath norm = at / "norm";
    return activate(batch_norm(conv(x, geometry, outputs, with_bias, at), statistics(norm), norm), activation);
}

Value unet(const Value& v, const ConvAxes& axes, const StatisticsOf& statistics, const LayerPath& at) {
    const std::int64_t width = v.shape()[-1];
    const Activation leaky = Activation::leaky_relu(0.1);
    const auto down = [&](const Value& x, std::int64_t stride, const char* name) {
        return normalised_conv(x, kernel3(stride, axes), width, false, leaky, statistics, at / name);
    };
    const auto up = [&](const Value& x, const char* name) {
        return activate(conv(x, doubling4(axes), width, true, at / name), leaky);
    };
    const Value half = down(v, 2, "conv1");
    const Value quarter = down(down(half, 2, "conv2"), 1, "conv2_1");
    const Value eighth = down(down(quarter, 2, "conv3"), 1, "conv3_1");
    const Value from_eighth = up(eighth, "deconv2");
    const Value from_quarter = up(concat(quarter, from_eighth), "deconv1");
    const Value from_half = up(concat(half, from_quarter), "deconv0");
    return conv(concat(v, from_half), kernel3(1, axes), width, true, at / "output");
}

}  // namespace plumecast
