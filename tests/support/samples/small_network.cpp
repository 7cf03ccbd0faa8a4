#include "support/samples/small_network.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "support/comparison.hpp"

namespace plumecast::testing {
namespace {

Tensor uploaded(Backend& backend, const Tensor& host) {
    Tensor value(backend.memory(), host.shape(), backend.compute_type());
    backend.upload(host, value);
    return value;
}

}  // namespace

NetworkConfig small_config(const std::string& architecture) {
    NetworkConfig config = NetworkConfig::published(architecture);
    config.channels = 3;
    config.fields = 2;
    config.width = 3;
    config.hidden = 5;
    config.modes = {2, 2, 3};
    config.fourier_blocks = 1;
    config.extended_blocks = std::min<std::int64_t>(config.extended_blocks, 1);
    config.residual_blocks = 1;
    config.padding = {2, 2, 2};
    return config;
}

NetworkConfig small_config_3d(const std::string& architecture) {
    NetworkConfig config = small_config(architecture);
    config.width = 2;
    config.modes = {1, 2, 2, 2};
    config.padding = {1, 1, 0, 1};
    config.edges = {Padding::Edge::zero, Padding::Edge::replicate, Padding::Edge::replicate, Padding::Edge::replicate};
    config.padded_multiple = architecture == "fno" || architecture == "conv_fno" ? 1 : 8;
    config.time_kernel = 1;
    config.time_strides = false;
    return config;
}

NetworkInput small_input(Backend& backend, const Shape& extents, std::int64_t batch, std::int64_t first) {
    NetworkInput input;
    input.batch = batch;
    input.extents = extents;
    Shape map{batch}, time{1}, one{1};
    for (int axis = 0; axis + 1 < extents.rank(); ++axis) {
        map = map.append(extents[axis]);
        one = one.append(extents[axis]);
        time = time.append(1);
    }
    map = map.append(1).append(2);
    Tensor maps = host_zeros(map);
    const std::size_t size = static_cast<std::size_t>(map.count() / batch);
    for (std::int64_t b = 0; b < batch; ++b) {
        const Tensor values =
            random_tensor(one.append(1).append(2), DType::float32, "maps of case " + std::to_string(first + b));
        std::ranges::copy(values.values<float>(), maps.values<float>().begin() +
                                                      static_cast<std::ptrdiff_t>(static_cast<std::size_t>(b) * size));
    }
    const Tensor days = random_tensor(time.append(extents[-1]).append(1), DType::float32, "times");
    input.groups.push_back({{2, 0}, uploaded(backend, maps)});
    input.groups.push_back({{1}, uploaded(backend, days)});
    return input;
}

std::unique_ptr<Network> small_network(Backend& backend, const NetworkConfig& config, const ProcessGrid* grid) {
    auto network = std::make_unique<Network>(backend, config, 11, grid);
    for (const Parameter& parameter : network->parameters().all()) {
        const double scale = parameter.complex_valued ? 0.5 : 0.3;
        Tensor values = random_tensor(parameter.whole, DType::float32, parameter.name, scale);
        if (parameter.name.ends_with("running_variance")) {
            for (float& value : values.values<float>()) {
                value = 1.0F + value * value;
            }
        }
        network->parameters().assign(parameter.name, values);
    }
    return network;
}

}  // namespace plumecast::testing
