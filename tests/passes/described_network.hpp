#pragma once

#include <memory>
#include <string>
#include <vector>

#include <plumecast/architectures/describe.hpp>

#include "support/comparison.hpp"
#include "support/oracle_backend.hpp"
#include "support/samples/small_network.hpp"

namespace plumecast::testing {

/// A small network as a graph for evaluation, with weights and an input on the oracle.
struct DescribedNetwork {
    std::unique_ptr<Backend> oracle;
    std::unique_ptr<Network> network;
    Tensor channels;
    Graph graph;

    Feed weights() const {
        return [this](const std::string& name) { return network->parameters().at(name).weight.value(); };
    }
    /// The prediction by a graph of the same network.
    Tensor run(const Graph& other) const {
        const Feed feed = weights();
        std::vector<Tensor> outputs = evaluate(
            *oracle, other, [&](const std::string& name) { return name == "channels" ? channels.view() : feed(name); });
        return std::move(outputs.front());
    }
};

/// An architecture on a radial and on a Cartesian grid.
inline std::vector<DescribedNetwork> described_networks(const std::string& architecture) {
    std::vector<DescribedNetwork> networks;
    for (const bool is_radial : {true, false}) {
        const NetworkConfig config = is_radial ? small_config(architecture) : small_config_3d(architecture);
        const NetworkShapes shapes = whole_input(config, 2, is_radial ? Shape{5, 7, 3} : Shape{3, 4, 5, 2});
        auto oracle = make_oracle_backend();
        auto network = small_network(*oracle, config);
        networks.push_back({std::move(oracle), std::move(network),
                            random_tensor(shapes.groups.front().values, DType::float64, "channels"),
                            describe(config, shapes, ExecutionMode::evaluation)});
    }
    return networks;
}

}  // namespace plumecast::testing
