#include <plumecast/inference/loss.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include <plumecast/graph/layers.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

namespace plumecast {

std::vector<double> field_losses(Backend& backend, ConstView prediction, const LossTarget& target,
                                 const LossOptions& options, Communicator* space) {
    std::map<std::string, ConstView> given{
        {"prediction", prediction}, {"target", target.fields.view()}, {"active", target.active.view()}};
    Graph graph;
    const Value predicted = graph.input("prediction", {prediction.shape}),
                truth = graph.input("target", {prediction.shape});
    LossInputs compared{predicted, truth, graph.input("active", {target.active.shape()}), {}};
    for (std::size_t axis = 0; axis < target.inverse_distances.size(); ++axis) {
        const std::string name = "inverse_distance." + std::to_string(axis);
        given.emplace(name, target.inverse_distances[axis]);
        compared.inverse_distances.push_back(graph.input(name, {target.inverse_distances[axis].shape}));
    }
    graph.output("loss", field_loss(compared, {options.kind, options.derivative_weight}, 1.0, space).per_case);
    const Graph wanted = pruned(graph);
    const std::vector<Tensor> losses =
        evaluate(backend, wanted, [&](const std::string& name) { return given.at(name); });
    Tensor host = host_zeros(losses.front().shape(), DType::float64);
    backend.download(losses.front(), host);
    const auto values = std::as_const(host).values<double>();
    return {values.begin(), values.end()};
}

std::vector<double> inverse_center_distances(std::span<const double> edges) {
    const std::size_t cells = edges.size() - 1;
    std::vector<double> inverse(cells, 0.0);
    for (std::size_t i = 1; i + 1 < cells; ++i) {
        const double before = 0.5 * (edges[i - 1] + edges[i]), after = 0.5 * (edges[i + 1] + edges[i + 2]);
        inverse[i] = 1.0 / (after - before);
    }
    return inverse;
}

std::vector<std::vector<double>> inverse_distances_of(const Dataset& dataset, const LossOptions& options) {
    if (options.kind != LossKind::h1) {
        return {inverse_center_distances(dataset.last_edges())};
    }
    std::vector<std::vector<double>> all;
    for (const std::vector<double>* edges : {&dataset.z_edges(), &dataset.y_edges(), &dataset.last_edges()}) {
        if (edges->empty()) {
            continue;  // y, of data with two axes
        }
        std::vector<double> inverse = inverse_center_distances(*edges);
        const double length = edges->back() - edges->front();
        std::ranges::for_each(inverse, [&](double& one) { one *= length; });
        all.push_back(std::move(inverse));
    }
    return all;
}

}  // namespace plumecast
