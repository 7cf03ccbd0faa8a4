#include <optional>

#include <plumecast/reservoir/regridding/grid_and_times.hpp>

#include "inference/exported_network.hpp"
#include "inference/field_plan.hpp"
#include "inference/guided/recorded_grids.hpp"
#include "onnx/export_onnx.hpp"
#include "passes/fold_constants.hpp"
#include "passes/fold_layers.hpp"

namespace plumecast {

Shape grid_of_training(const Bundle& bundle) {
    const std::optional<GridAndTimes> grid = recorded_grid(bundle);
    Shape extents;
    if (bundle.training.find("points") != nullptr) {
        JsonReader training(bundle.training, bundle.path + "/model.json: training");
        return Shape(training.get<std::vector<std::int64_t>>("points"));
    }
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
    const auto on_backend = [&](const std::string& name) { return parameters.at(name).weight.value(); };
    const auto on_host = [&](const std::string& name) {
        Tensor values = host_zeros(parameters.at(name).whole);
        network.backend().download(on_backend(name), values);
        return values;
    };
    const NetworkShapes shapes = whole_input(network.description().network, 1, extents);
    const Graph described = describe_fields(network.description(), shapes, false);
    const Graph graph = fold_constants(network.backend(), fold_linear_layers(fold_batch_norms(described)), on_backend);
    metadata["plumecast.network"] = to_json(network.description()).dump(-1);
    metadata["plumecast.grid"] = extents.text();
    return onnx_file(graph, on_host, metadata);
}

}  // namespace plumecast
