#include "support/samples/network_pass.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <plumecast/plan/plan.hpp>

#include "inference/field_plan.hpp"
#include "passes/for_training.hpp"
#include "passes/narrow_fields.hpp"
#include "support/comparison.hpp"
#include "support/op_check.hpp"

namespace plumecast::testing {
namespace {

Tensor on_host(Backend& backend, ConstView values) {
    Tensor host = host_zeros(values.shape, DType::float64);
    backend.download(values, host);
    return host;
}

}  // namespace

NetworkShapes shapes_of(const NetworkInput& input) {
    NetworkShapes shapes{{}, input.batch, input.extents};
    for (const InputChannels& group : input.groups) {
        shapes.groups.push_back(
            {"input." + std::to_string(shapes.groups.size()), group.channels, group.values.shape()});
    }
    return shapes;
}

Feed feed_of(const Network& network, const NetworkInput& input) {
    return [&](const std::string& name) {
        return name.starts_with("input.") ? input.groups.at(std::stoul(name.substr(6))).values.view()
                                          : network.parameters().at(name).weight.value();
    };
}

Tensor described_prediction(const Network& network, const NetworkInput& input, ExecutionMode mode) {
    const Graph graph = pruned(describe(network.config(), shapes_of(input), mode), {"prediction"});
    return std::move(evaluate(network.parameters().backend(), graph, feed_of(network, input)).front());
}

Tensor described_fields(const FieldNetwork& network, const Batch& batch) {
    FieldInput input = network.input_for(batch);
    upload(network.backend(), batch, input);
    return described_fields(network, input);
}

Tensor described_fields(const FieldNetwork& network, const FieldInput& input) {
    Backend& backend = network.backend();
    const Graph graph = describe_fields(network.description(), plumecast::shapes_of(network, input.network), false);
    const Feed arrays = plumecast::feed_of(input);
    return std::move(evaluate(backend, graph, [&](const std::string& name) {
                         const auto& all = network.parameters().all();
                         const auto known = std::ranges::find(all, name, &Parameter::name);
                         return known != all.end() ? known->weight.value() : arrays(name);
                     }).front());
}

double relative_l2_of_all(const std::map<std::string, Tensor>& tried, const std::map<std::string, Tensor>& right) {
    double error = 0.0, norm = 0.0;
    for (const auto& [name, values] : right) {
        const double own = dot(values, values);
        error += std::pow(relative_l2(tried.at(name), values), 2) * own;
        norm += own;
    }
    return std::sqrt(error / norm);
}

std::vector<std::string> add_gradients(Graph& graph) {
    const Value prediction = graph.output("prediction");
    std::vector<Value> of;
    std::vector<std::string> names;
    for (std::size_t node = 0; node < graph.nodes().size(); ++node) {
        const auto* weight = graph.nodes()[node].op.as<WeightOp>();
        const auto* input = graph.nodes()[node].op.as<InputOp>();
        if (input != nullptr || (weight != nullptr && weight->trainable)) {
            of.emplace_back(graph, static_cast<int>(node));
            names.push_back(input != nullptr ? input->of : weight->of);
        }
    }
    const std::vector<Value> found = gradients(prediction, graph.input("cotangent", prediction.type()), of);
    std::vector<std::string> outputs;
    for (std::size_t k = 0; k < found.size(); ++k) {
        if (found[k].defined()) {
            outputs.push_back("gradient." + names[k]);
            graph.output(outputs.back(), found[k]);
        }
    }
    return outputs;
}

NetworkPass network_pass(const Network& network, const NetworkInput& input, ExecutionMode mode) {
    Backend& backend = network.parameters().backend();
    Graph described = describe(network.config(), shapes_of(input), mode);
    if (backend.field_type() != backend.compute_type()) {
        described = narrow_fields(described);
    }
    Graph graph = before_gradients(backend, described);
    add_gradients(graph);
    const Feed feed = feed_of(network, input);
    const Plan plan(backend, after_gradients(pruned(graph)), feed);
    std::vector<Tensor> outputs;
    std::vector<View> views;
    Tensor upstream;
    for (const auto& [name, node] : plan.graph().outputs()) {
        const ValueType& type = plan.graph().nodes()[static_cast<std::size_t>(node)].type;
        outputs.emplace_back(backend.memory(), type.shape, on_backend(backend, type.type));
        views.push_back(outputs.back().view());
        if (name == "prediction") {
            upstream = cotangent(backend, type.shape);
        }
    }
    Tensor workspace = plan.make_workspace();
    plan.run(
        workspace, [&](const std::string& name) { return name == "cotangent" ? upstream.view() : feed(name); }, views);
    NetworkPass pass;
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        const std::string& name = plan.graph().outputs()[k].first;
        Tensor host = on_host(backend, outputs[k].view());
        if (name == "prediction") {
            pass.prediction = std::move(host);
        } else if (name.starts_with("gradient.")) {
            pass.gradients.emplace(name.substr(9), std::move(host));
        } else {
            pass.statistics.emplace(name, std::move(host));
        }
    }
    return pass;
}

}  // namespace plumecast::testing
