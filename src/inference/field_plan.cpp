#include "inference/field_plan.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <plumecast/graph/layers.hpp>
#include <plumecast/passes/for_prediction.hpp>

#include "passes/narrow_fields.hpp"
#include "passes/partition/predict_on_ranks.hpp"

namespace plumecast {
namespace {

std::string name_of_group(std::size_t group) { return "group." + std::to_string(group); }

Statistics running_statistics(const LayerPath& /*norm*/) { return Statistics::running; }

/// The array of an input of a graph.
ConstView array_of(const FieldInput& input, const std::string& name) {
    if (name == "base") {
        return input.base.view();
    }
    if (name == "correction") {
        return input.correction.view();
    }
    for (std::size_t group = 0; group < input.network.groups.size(); ++group) {
        if (name == name_of_group(group)) {
            return input.network.groups[group].values.view();
        }
    }
    throw Error("internal: a graph of fields has no input " + name);
}

}  // namespace

const ProcessGrid* ranks_of(const FieldNetwork& network) {
    const ProcessGrid* grid = network.parameters().grid();
    return grid != nullptr && (grid->world().size() > 1 || grid->route() == Route::transpose) ? grid : nullptr;
}

NetworkShapes shapes_of(const FieldNetwork& network, const NetworkInput& input) {
    const Box read = network.network().input_box(input.extents);
    NetworkShapes shapes{{}, input.batch, input.extents};
    for (const InputChannels& group : input.groups) {
        Shape whole = group.values.shape();
        for (int axis = 0; axis < read.rank(); ++axis) {
            const bool varies = whole[axis + 1] == read.extents()[axis];
            whole = varies ? whole.with(axis + 1, input.extents[axis]) : whole;
        }
        shapes.groups.push_back({name_of_group(shapes.groups.size()), group.channels, whole});
    }
    return shapes;
}

std::string text_of(const NetworkInput& input) {
    std::string text = std::to_string(input.batch) + " " + input.extents.text();
    for (const InputChannels& group : input.groups) {
        text += " " + group.values.shape().text();
        for (const std::int64_t channel : group.channels) {
            text += " " + std::to_string(channel);
        }
    }
    return text;
}

Graph describe_fields(const NetworkDescription& description, const NetworkShapes& shapes, bool narrow,
                      const StatisticsOf& statistics, bool with_spread) {
    Graph graph = describe(description.network, shapes, statistics, with_spread);
    std::vector<std::string> outputs;
    for (const auto& [name, node] : graph.outputs()) {
        outputs.push_back(name == "prediction" ? "fields" : name);
    }
    std::erase(outputs, "spread");  // comes with the fields
    if (narrow) {
        graph = narrow_fields(graph);
    }
    const Value prediction = graph.output("prediction");
    Value fields = prediction, spread = with_spread ? graph.output("spread") : Value();
    if (description.has_base()) {
        const Value base = graph.input("base", prediction.type());
        const Value correction = graph.input("correction", prediction.type());
        fields = base + correction * prediction;
        spread = with_spread ? activate(correction * spread, Activation::leaky_relu(-1.0)) : spread;  // of no sign
    }
    fields = with_spread ? concat(fields, spread) : fields;
    graph.output("fields", fields);
    return pruned(graph, outputs);
}

Graph describe_fields(const NetworkDescription& description, const NetworkShapes& shapes, bool narrow) {
    return describe_fields(description, shapes, narrow, running_statistics);
}

Plan plan_of(const FieldNetwork& network, const FieldInput& input, bool with_spread) {
    Backend& backend = network.backend();
    const Feed weights = [&](const std::string& name) { return network.parameters().at(name).weight.value(); };
    const bool narrow = backend.field_type() != backend.compute_type();
    const Graph described = describe_fields(network.description(), shapes_of(network, input.network), narrow,
                                            running_statistics, with_spread);
    const ProcessGrid* ranks = ranks_of(network);
    return {backend,
            ranks == nullptr ? for_prediction(backend, described, weights)
                             : predict_on_ranks(backend, described, weights, *ranks, {0, input.network.batch}),
            weights, PlannedWeights::stay};
}

Feed feed_of(const FieldInput& input) {
    return [&input](const std::string& name) { return array_of(input, name); };
}

void upload(Backend& backend, const Batch& batch, FieldInput& input) {
    const std::vector<ConstView> arrays = arrays_of(batch);
    const std::vector<View> views = input.views();
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        backend.upload(arrays[i], views[i]);
    }
}

bool PlannedPass::is_of_one_rank() const {
    return std::ranges::none_of(plan->graph().nodes(), [](const Node& node) { return node.op->is_collective(); });
}

Tensor PlannedPass::output(Backend& backend) const {
    const ValueType& type = plan->graph().nodes()[static_cast<std::size_t>(plan->graph().outputs()[0].second)].type;
    return {backend.memory(), type.shape, on_backend(backend, type.type)};
}

void PlannedPass::run(const FieldInput& input, View fields) const {
    const std::array outputs{fields};
    plan->run(
        *workspace, [&](const std::string& name) { return array_of(input, name); }, outputs);
}

Tensor uploaded(Backend& backend, ConstView host) {
    Tensor device(backend.memory(), host.shape, backend.compute_type());
    backend.upload(host, device);
    return device;
}

Tensor predicted_by(const FieldNetwork& network, const Batch& batch,
                    const std::function<PlannedPass(const FieldInput&)>& pass) {
    Backend& backend = network.backend();
    FieldInput input = network.input_for(batch);
    upload(backend, batch, input);
    const PlannedPass planned = pass(input);
    Tensor fields = planned.output(backend);
    planned.run(input, fields);
    return fields;
}

}  // namespace plumecast
