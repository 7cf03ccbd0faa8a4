#include <plumecast/architectures/network_config.hpp>

#include "architectures/blocks.hpp"
#include "graph/axis_layers.hpp"

namespace plumecast {
namespace {

/// v + W2 f(W1 sum over axes of K_axis v): transforms of one axis at a time, and what is added is a correction.
Value factorised_block(const Value& v, const NetworkConfig& config, const LayerPath& at) {
    Value sum;
    for (std::size_t axis = 0; axis < config.modes.size(); ++axis) {
        if (config.modes[axis] == 0) {
            continue;
        }
        const LayerPath here = at / "spectral" / static_cast<std::int64_t>(axis);
        const Value along = spectral_conv_along(v, static_cast<int>(axis) + 1, config.modes[axis], here);
        sum = sum.defined() ? sum + along : along;
    }
    const std::int64_t hidden = config.channel_mlp > 0 ? config.channel_mlp : 2 * config.width;
    const Value inner = activate(linear(sum, hidden, at / "first"), config.activation);
    return v + linear(inner, config.width, at / "second");
}

}  // namespace

Value f_fno(Value v, const NetworkConfig& config, const Shape& extents, const StatisticsOf& /*statistics*/) {
    for (std::int64_t k = 0; k < config.fourier_blocks; ++k) {
        v = factorised_block(v, config, LayerPath{"blocks"} / k);
    }
    return projected(v, config, extents);
}

void set_usual_f_fno(NetworkConfig& config) {
    config.fourier_blocks = 4;
    config.extended_blocks = 0;
}

}  // namespace plumecast
