#include <algorithm>
#include <vector>

#include <plumecast/architectures/network_config.hpp>

#include "architectures/blocks.hpp"
#include "graph/axis_layers.hpp"

namespace plumecast {
namespace {

/// The field on a grid of 1 / 2^level of the extents `whole`; one point stays one.
Value at_level(Value v, const NetworkConfig& config, const Shape& whole, int level) {
    for (int axis = 1; axis + 1 < whole.rank(); ++axis) {
        const int halvings = axis + 2 < whole.rank() || config.time_strides ? level : 0;
        v = resampled(v, axis, std::max<std::int64_t>(whole[axis] >> halvings, 1));
    }
    return v;
}

/// f(K u + W u) of u = P v on such a grid, with 1 / 2^level of the modes. P is taken where the grid is coarser.
Value resized_block(const Value& v, const NetworkConfig& config, const Shape& whole, int level, std::int64_t channels,
                    const LayerPath& at) {
    std::vector<std::int64_t> modes = config.modes;
    for (std::size_t axis = 0; axis + (config.time_strides ? 0 : 1) < modes.size(); ++axis) {
        modes[axis] = std::max(modes[axis] >> level, std::min<std::int64_t>(modes[axis], 1));
    }
    const bool is_finer = v.shape()[whole.rank() - 3] < whole[whole.rank() - 3] >> level;  // along x
    const Value u = is_finer ? at_level(linear(v, channels, at / "channels"), config, whole, level)
                             : linear(at_level(v, config, whole, level), channels, at / "channels");
    return activate(spectral_conv(u, modes, at / "spectral") + linear(u, channels, at / "linear"), config.activation);
}

}  // namespace

Value uno(Value v, const NetworkConfig& config, const Shape& extents, const StatisticsOf& /*statistics*/) {
    constexpr int levels = 2;
    const Shape whole = v.shape();
    std::vector<Value> kept;
    for (int level = 0; level < levels; ++level) {
        kept.push_back(v);
        v = resized_block(v, config, whole, level + 1, config.width << (level + 1), LayerPath{"down"} / level);
    }
    for (std::int64_t k = 0; k < config.fourier_blocks; ++k) {
        v = resized_block(v, config, whole, levels, config.width << levels, LayerPath{"middle"} / k);
    }
    for (int level = levels; level-- > 0;) {
        v = resized_block(v, config, whole, level, config.width << level, LayerPath{"up"} / level);
        v = concat(v, kept[static_cast<std::size_t>(level)]);
    }
    return projected(v, config, extents);
}

void set_usual_uno(NetworkConfig& config) {
    config.fourier_blocks = 1;
    config.extended_blocks = 0;
}

}  // namespace plumecast
