#include "training/training_graph.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <plumecast/graph/layers.hpp>
#include <plumecast/passes/for_training.hpp>

#include "inference/field_plan.hpp"

namespace plumecast {
namespace {

/// The fields as gradients are taken of them.
Graph forward_pass(const FieldNetwork& network, const FieldInput& input) {
    const Backend& backend = network.backend();
    const Parameters& parameters = network.parameters();
    const auto is_frozen = [&](const LayerPath& weight) { return parameters.at(weight.text).variable.is_frozen(); };
    const auto statistics = [&](const LayerPath& norm) {
        return is_frozen(norm / "weight") && is_frozen(norm / "bias") ? Statistics::running : Statistics::of_batch;
    };
    const bool narrow = backend.field_type() != backend.compute_type();
    return before_gradients(
        describe_fields(network.description(), shapes_of(network, input.network), narrow, statistics));
}

LossValues loss_of(const Value& fields, const StepOptions& options) {
    Graph& graph = fields.graph();
    const Shape all = fields.shape(), active = all.slice(0, all.rank() - 2);
    const Value target = graph.input("target", fields.type());
    return relative_l2_loss(fields, target, graph.input("active", {active}),
                            graph.input("inverse_distance", {{active[-1]}}), options.loss.derivative_weight,
                            options.share);
}

/// The weights that an optimizer moves, as far as the graph has them.
std::vector<Value> moving_weights(Graph& graph, const Parameters& parameters) {
    std::vector<Value> weights;
    for (const WeightOp& weight : graph.weights()) {
        if (parameters.at(weight.of).moves()) {
            weights.push_back(graph.weight(weight));
        }
    }
    return weights;
}

}  // namespace

std::string gradient_name(const std::string& weight) { return "gradient." + weight; }

Graph training_graph(const FieldNetwork& network, const FieldInput& input, const StepOptions& options) {
    Graph graph = forward_pass(network, input);
    const Value fields = graph.output("fields");
    const LossValues loss = loss_of(fields, options);
    std::vector<std::string> wanted;
    for (const auto& [name, node] : graph.outputs()) {
        if (name != "fields") {
            wanted.push_back(name);
        }
    }
    graph.output("loss", loss.per_case);
    wanted.emplace_back("loss");
    const std::vector<Value> weights = moving_weights(graph, network.parameters());
    const std::vector<Value> found = gradients(fields, loss.gradient, weights);
    std::vector<std::pair<Value, std::string>> in_order;  // in which the backward pass comes to them
    for (std::size_t k = 0; k < weights.size(); ++k) {
        const std::string name = gradient_name(op_of<WeightOp>(weights[k])->of);
        Value gradient = found[k];
        if (options.accumulates) {
            gradient = graph.add(AddOp{}, {graph.input(name, gradient.type()), gradient});
        }
        in_order.emplace_back(gradient, name);
    }
    std::ranges::sort(in_order, {}, [](const auto& named) { return named.first.node(); });
    for (const auto& [gradient, name] : in_order) {
        graph.output(name, gradient);
        wanted.push_back(name);
    }
    return after_gradients(pruned(graph, wanted));
}

}  // namespace plumecast
