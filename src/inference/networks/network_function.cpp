#include "inference/networks/network_function.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/architectures/describe.hpp>
#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>

#include "inference/networks/host_arrays.hpp"
#include "inference/prediction/output_checks.hpp"
#include "passes/for_training.hpp"
#include "passes/narrow_fields.hpp"

namespace plumecast {
namespace {

constexpr const char* by_channels = "by.channels";
constexpr const char* by_weight = "by.weight.";

/// [B, space..., T, C] as a batch and its extents.
NetworkShapes shapes_of(const NetworkConfig& config, const ArrayView& channels) {
    Shape extents;
    for (std::size_t axis = 1; axis + 1 < channels.extents.size(); ++axis) {
        extents = extents.append(channels.extents[axis]);
    }
    return whole_input(config, channels.extents.front(), extents);
}

/// The prediction as gradients are taken of it.
Graph forward_graph(const Network& network, const ArrayView& channels, ExecutionMode mode) {
    Backend& backend = network.parameters().backend();
    Graph graph = describe(network.config(), shapes_of(network.config(), channels), mode);
    if (backend.field_type() != backend.compute_type()) {
        graph = narrow_fields(graph);
    }
    return before_gradients(backend, graph);
}

Value channels_in(Graph& graph) {
    for (std::size_t node = 0; node < graph.nodes().size(); ++node) {
        const auto* input = graph.nodes()[node].op.as<InputOp>();
        if (input != nullptr && input->of == "channels") {
            return {graph, static_cast<int>(node)};
        }
    }
    throw Error("internal: a network that reads no channels");
}

/// What is to be differentiated by, with the name of the output that the derivatives are.
struct Wanted {
    Value of;
    std::string name;
};

std::vector<Wanted> wanted_of(Graph& graph, const NetworkGradients& gradients) {
    std::vector<Wanted> wanted;
    if (gradients.channels) {
        wanted.push_back({channels_in(graph), by_channels});
    }
    for (const WeightOp& weight : graph.weights()) {
        if (gradients.weights.contains(weight.of)) {
            wanted.push_back({graph.weight(weight), by_weight + weight.of});
        }
    }
    return wanted;
}

/// Only the derivatives, in the order in which the backward pass comes to them.
Graph vjp_graph(Graph graph, const NetworkGradients& gradients) {
    const Value prediction = graph.output("prediction");
    const std::vector<Wanted> wanted = wanted_of(graph, gradients);
    std::vector<Value> of;
    for (const Wanted& one : wanted) {
        of.push_back(one.of);
    }
    const std::vector<Value> found = plumecast::gradients(prediction, graph.input("cotangent", prediction.type()), of);
    std::vector<std::pair<int, std::size_t>> order;
    for (std::size_t k = 0; k < found.size(); ++k) {
        expects(found[k].defined(), "a prediction that depends on all weights");
        order.emplace_back(found[k].node(), k);
    }
    std::ranges::sort(order);
    std::vector<std::string> names;
    for (const auto& [node, k] : order) {
        graph.output(wanted[k].name, found[k]);
        names.push_back(wanted[k].name);
    }
    return after_gradients(pruned(graph, names));
}

std::string key_of(const char* what, const ArrayView& channels, ExecutionMode mode) {
    return fmt::format("{} {} {}", what, mode == ExecutionMode::training ? "training" : "evaluation",
                       fmt::join(channels.extents, " "));
}

/// Throws InvalidInput for an array that cannot be read.
void require_readable(const ArrayView& array, const char* name) {
    if (const std::string problem = problem_of_view(array); !problem.empty()) {
        throw InvalidInput(fmt::format("the array {} {}", name, problem));
    }
}

std::vector<std::int64_t> extents_of(const Shape& shape) { return {shape.extents().begin(), shape.extents().end()}; }

/// The names of weights that have derivatives.
std::vector<std::string> trainable_names(const Parameters& parameters) {
    std::vector<std::string> names;
    for (const Parameter& parameter : parameters.all()) {
        if (parameter.trainable) {
            names.push_back(parameter.name);
        }
    }
    return names;
}

void require_trainable(const Parameters& parameters, const std::map<std::string, OutputArray>& weights) {
    const std::vector<std::string> known = trainable_names(parameters);
    for (const auto& [name, array] : weights) {
        if (std::ranges::find(known, name) == known.end()) {
            const std::string near = nearest(name, known);
            throw InvalidInput(fmt::format("derivatives by '{}', which is no trainable weight of the network; {}",
                                           name.substr(0, 64),
                                           near.empty() ? "name one of its parameters" : "did you mean " + near + "?"));
        }
    }
}

/// Refuses arrays that do not have the shapes of what is written, or share memory with what is read.
void require_writable(const std::map<std::string, OutputArray>& arrays,
                      std::map<std::string, std::vector<std::int64_t>> extents, const char* kind,
                      const std::map<std::string, ArrayView>& read) {
    require_apart(arrays, {kind, "channels and network", std::move(extents)}, {{"input", &read}});
}

}  // namespace

std::vector<std::int64_t> NetworkFunction::prediction_extents(const ArrayView& channels) const {
    require_readable(channels, "of channels");
    const NetworkConfig& config = network_->config();
    const auto axes = static_cast<std::size_t>(config.space_axes()) + 3;
    if (channels.extents.size() != axes || channels.extents.back() != config.channels ||
        std::ranges::any_of(channels.extents, [](std::int64_t extent) { return extent < 1; })) {
        throw InvalidInput(fmt::format(
            "the array of channels has the shape [{}] (the network reads [B, space..., T, {}] with {} axes of space); "
            "give cases, space, times and channels, in this order",
            fmt::join(channels.extents, ", "), config.channels, config.space_axes()));
    }
    std::vector<std::int64_t> extents = channels.extents;
    extents.back() = config.fields;
    return extents;
}

std::shared_ptr<const Plan> NetworkFunction::plan(const std::string& key, const std::function<Graph()>& graph) {
    constexpr std::size_t most = 8;
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(known_, key, &Known::key);
    if (found != known_.end()) {
        known_.splice(known_.begin(), known_, found);
    } else {
        const Parameters& parameters = network_->parameters();
        const Feed weights = [&](const std::string& name) { return parameters.at(name).weight.value(); };
        known_.push_front({key, std::make_shared<const Plan>(parameters.backend(), graph(), weights)});
    }
    if (known_.size() > most) {
        known_.pop_back();
    }
    return known_.front().plan;
}

void NetworkFunction::forward(const ArrayView& channels, const OutputArray& prediction, ExecutionMode mode) {
    require_writable({{"prediction", prediction}}, {{"prediction", prediction_extents(channels)}}, "array",
                     {{"channels", channels}});
    const auto planned = plan(key_of("forward", channels, mode),
                              [&] { return after_gradients(forward_graph(*network_, channels, mode)); });
    Backend& backend = network_->parameters().backend();
    const Tensor input = from_caller(backend, channels);
    Tensor result, workspace = planned->make_workspace();
    std::vector<View> outputs;
    for (const auto& [name, node] : planned->graph().outputs()) {
        if (name == "prediction") {
            const ValueType& type = planned->graph().nodes()[static_cast<std::size_t>(node)].type;
            result = Tensor(backend.memory(), type.shape, on_backend(backend, type.type));
            outputs.push_back(result.view());
        } else {
            outputs.push_back(network_->parameters().at(name).weight.mutable_value());
        }
    }
    planned->run(
        workspace, [&](const std::string&) { return input.view(); }, outputs);
    to_caller(backend, result, prediction);
}

void NetworkFunction::vjp(const ArrayView& channels, const ArrayView& cotangent, const NetworkGradients& gradients,
                          ExecutionMode mode) {
    const std::vector<std::int64_t> predicted = prediction_extents(channels);
    require_readable(cotangent, "of the cotangent");
    if (cotangent.extents != predicted) {
        throw InvalidInput(
            fmt::format("the cotangent has the shape [{}] (predictions have [{}]); give one number for "
                        "each that is predicted",
                        fmt::join(cotangent.extents, ", "), fmt::join(predicted, ", ")));
    }
    const Parameters& parameters = network_->parameters();
    require_trainable(parameters, gradients.weights);
    std::map<std::string, OutputArray> arrays;
    std::map<std::string, std::vector<std::int64_t>> extents;
    if (gradients.channels) {
        arrays[by_channels] = *gradients.channels;
        extents[by_channels] = channels.extents;
    }
    for (const auto& [name, array] : gradients.weights) {
        arrays[by_weight + name] = array;
        extents[by_weight + name] = extents_of(parameters.at(name).whole);
    }
    if (arrays.empty()) {
        throw InvalidInput("no derivative is asked for (they go to the arrays that are given); give an array for one");
    }
    require_writable(arrays, extents, "derivative", {{"channels", channels}, {"cotangent", cotangent}});
    std::string key = key_of("vjp", channels, mode);
    for (const auto& [name, array] : arrays) {
        key += " " + name;
    }
    const auto planned = plan(key, [&] { return vjp_graph(forward_graph(*network_, channels, mode), gradients); });
    Backend& backend = parameters.backend();
    const Tensor input = from_caller(backend, channels), weights = from_caller(backend, cotangent);
    std::vector<Tensor> results;
    std::vector<View> outputs;
    for (const auto& [name, node] : planned->graph().outputs()) {
        const ValueType& type = planned->graph().nodes()[static_cast<std::size_t>(node)].type;
        results.emplace_back(backend.memory(), type.shape, on_backend(backend, type.type));
        outputs.push_back(results.back().view());
    }
    Tensor workspace = planned->make_workspace();
    planned->run(
        workspace, [&](const std::string& name) { return name == "cotangent" ? weights.view() : input.view(); },
        outputs);
    for (std::size_t k = 0; k < results.size(); ++k) {
        to_caller(backend, results[k], arrays.at(planned->graph().outputs()[k].first));
    }
}

}  // namespace plumecast
