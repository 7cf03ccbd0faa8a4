#include "inference/gradients/input_gradient_plan.hpp"

#include <utility>
#include <vector>

#include <plumecast/passes/for_prediction.hpp>

#include "inference/field_plan.hpp"
#include "passes/fold_constants.hpp"
#include "passes/fold_layers.hpp"
#include "passes/for_training.hpp"

namespace plumecast {
namespace {

/// The inputs that a batch gives, in their order.
std::vector<Value> given(Graph& graph) {
    std::vector<Value> inputs;
    for (std::size_t node = 0; node < graph.nodes().size(); ++node) {
        const auto* input = graph.nodes()[node].op.as<InputOp>();
        if (input != nullptr && input->of != "correction") {
            inputs.emplace_back(graph, static_cast<int>(node));
        }
    }
    return inputs;
}

}  // namespace

Plan input_gradient_plan(const FieldNetwork& network, const FieldInput& input) {
    Backend& backend = network.backend();
    const Feed weights = [&](const std::string& name) { return network.parameters().at(name).weight.value(); };
    const bool narrow = backend.field_type() != backend.compute_type();
    Graph graph = describe_fields(network.description(), shapes_of(network, input.network), narrow);
    graph = before_gradients(backend, fold_batch_norms(graph, most_folded_weights_per_cell));
    const Value fields = graph.output("fields");
    const std::vector<Value> inputs = given(graph);
    const std::vector<Value> found = gradients(fields, graph.input("weights", fields.type()), inputs);
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        graph.output("gradient." + op_of<InputOp>(inputs[k])->of, found[k]);
    }
    return {backend, fold_constants(backend, after_gradients(pruned(graph)), weights), weights, PlannedWeights::stay};
}

std::shared_ptr<const Plan> InputGradientPlans::plan(const FieldNetwork& network, const FieldInput& input) {
    std::shared_ptr<const Plan>& known = plans_[{&network, text_of(input.network)}];
    if (!known) {
        known = std::make_shared<const Plan>(input_gradient_plan(network, input));
    }
    return known;
}

}  // namespace plumecast
