#include <optional>
#include <utility>

#include <plumecast/architectures/describe.hpp>
#include <plumecast/graph/layers.hpp>
#include <plumecast/inference/exported_network.hpp>
#include <plumecast/onnx/export_onnx.hpp>
#include <plumecast/passes/fold_constants.hpp>
#include <plumecast/passes/fold_layers.hpp>
#include <plumecast/reservoir/regridding/grid_and_times.hpp>

#include "inference/guided/way_back.hpp"

namespace plumecast {
namespace {

/// The network's graph with its result as `fields`.
Graph graph_of_fields(const NetworkDescription& description, const Shape& extents) {
    NetworkShapes shapes = whole_input(description.network, 1, extents);
    Graph whole = describe(description.network, shapes, ExecutionMode::evaluation);
    const Value prediction = whole.output("prediction");
    Value fields = prediction;
    if (description.corrects_physics()) {
        const Value base = whole.input("base", prediction.type());
        const Value correction = whole.input("correction", prediction.type());
        fields = base + correction * prediction;
    }
    whole.output("fields", fields);
    return pruned(whole, {"fields"});
}

}  // namespace

Shape grid_of_training(const Bundle& bundle) {
    const std::optional<GridAndTimes> grid = recorded_grid(bundle);
    Shape extents;
    if (grid) {
        const auto append = [&](const std::vector<double>& edges) {
            extents = edges.empty() ? extents : extents.append(static_cast<std::int64_t>(edges.size()) - 1);
        };
        for (const std::vector<double>* edges : {&grid->z_edges, &grid->y_edges, &grid->x_edges, &grid->r_edges}) {
            append(*edges);
        }
        extents = extents.append(static_cast<std::int64_t>(grid->times.size()));
    }
    return extents;
}

std::string exported_network(const FieldNetwork& network, const Shape& extents,
                             std::map<std::string, std::string> metadata) {
    const Parameters& parameters = network.parameters();
    const auto on_backend = [&](const std::string& name) { return parameters.at(name).variable.value(); };
    const auto on_host = [&](const std::string& name) {
        Tensor values = host_zeros(parameters.at(name).whole);
        network.backend().download(on_backend(name), values);
        return values;
    };
    const Graph described = graph_of_fields(network.description(), extents);
    const Graph graph = fold_constants(network.backend(), fold_linear_layers(fold_batch_norms(described)), on_backend);
    metadata["plumecast.network"] = to_json(network.description()).dump(-1);
    metadata["plumecast.grid"] = extents.text();
    return onnx_file(graph, on_host, metadata);
}

}  // namespace plumecast
