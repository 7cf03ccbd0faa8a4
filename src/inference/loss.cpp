#include <plumecast/inference/loss.hpp>

#include <string>
#include <utility>

#include <plumecast/graph/layers.hpp>

namespace plumecast {

std::vector<double> relative_l2_losses(Backend& backend, ConstView prediction, const LossTarget& target,
                                       const LossOptions& options, Communicator* space) {
    Graph graph;
    const Value predicted = graph.input("prediction", {prediction.shape}),
                truth = graph.input("target", {prediction.shape});
    const Value active = graph.input("active", {target.active.shape()});
    const Value inverse_distance = graph.input("inverse_distance", {target.inverse_distance.shape});
    graph.output(
        "loss",
        relative_l2_loss(predicted, truth, active, inverse_distance, options.derivative_weight, 1.0, space).per_case);
    const Graph wanted = pruned(graph);
    const std::vector<Tensor> losses = evaluate(backend, wanted, [&](const std::string& name) {
        return name == "prediction" ? prediction
               : name == "target"   ? target.fields.view()
               : name == "active"   ? target.active.view()
                                    : target.inverse_distance;
    });
    Tensor host = host_zeros(losses.front().shape(), DType::float64);
    backend.download(losses.front(), host);
    const auto values = std::as_const(host).values<double>();
    return {values.begin(), values.end()};
}

std::vector<double> inverse_center_distances(std::span<const double> r_edges) {
    const std::size_t cells = r_edges.size() - 1;
    std::vector<double> inverse(cells, 0.0);
    for (std::size_t i = 1; i + 1 < cells; ++i) {
        const double before = 0.5 * (r_edges[i - 1] + r_edges[i]), after = 0.5 * (r_edges[i + 1] + r_edges[i + 2]);
        inverse[i] = 1.0 / (after - before);
    }
    return inverse;
}

}  // namespace plumecast
