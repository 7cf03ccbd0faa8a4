#include "training/training_graph.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <plumecast/graph/layers.hpp>

#include "inference/field_plan.hpp"
#include "passes/for_training.hpp"
#include "passes/partition/sum_gradients.hpp"
#include "passes/partition/train_on_ranks.hpp"
#include "passes/rematerialise.hpp"

namespace plumecast {

std::string gradient_name(const std::string& weight) { return "gradient." + weight; }

std::string inverse_distance_name(std::size_t which) { return "inverse_distance." + std::to_string(which); }

namespace {

/// The shapes of the whole batch of all groups, of which the input has this rank's cases.
NetworkShapes shapes_of_batch(const FieldNetwork& network, const NetworkInput& input, std::int64_t cases) {
    NetworkShapes shapes = shapes_of(network, input);
    for (NetworkShapes::Group& group : shapes.groups) {
        const bool is_of_all = group.values[0] == 1 && input.batch != 1;
        group.values = is_of_all ? group.values : group.values.with(0, cases);
    }
    shapes.batch = cases;
    return shapes;
}

/// The fields as gradients are taken of them, of this rank's cells.
Graph forward_pass(const FieldNetwork& network, const FieldInput& input, std::int64_t cases) {
    Backend& backend = network.backend();
    const Parameters& parameters = network.parameters();
    const auto is_frozen = [&](const LayerPath& weight) { return parameters.at(weight.text).weight.is_frozen(); };
    const auto statistics = [&](const LayerPath& norm) {
        return is_frozen(norm / "weight") && is_frozen(norm / "bias") ? Statistics::running : Statistics::of_batch;
    };
    const bool narrow = backend.field_type() != backend.compute_type();
    const NetworkShapes shapes = shapes_of_batch(network, input.network, cases);
    const Graph described = describe_fields(network.description(), shapes, narrow, statistics);
    const ProcessGrid* ranks = ranks_of(network);
    return ranks == nullptr ? before_gradients(backend, described)
                            : before_gradients_on_ranks(backend, described, *ranks, ranks->cases(cases));
}

/// A prediction on the cells that the loss needs: those of the rank, and their neighbours along axes of derivatives.
Value with_neighbours(const Value& fields, const RankShard* shard) {
    const Shape own = fields.shape();
    const std::shared_ptr<const Exchange> exchange = shard == nullptr ? nullptr : shard->neighbours(own[0]);
    if (!exchange) {
        return fields;
    }
    Shape all = own;
    for (int axis = 0; axis < shard->targets().rank(); ++axis) {
        all = all.with(axis + 1, shard->targets().extents()[axis]);
    }
    return fields.graph().add(ExchangeOp{ExchangeOp::Kind::halo, false, exchange, own, all, all}, {fields});
}

LossValues loss_of(const Value& fields, const StepOptions& options, Communicator* space) {
    Graph& graph = fields.graph();
    const Shape all = fields.shape(), active = all.slice(0, all.rank() - 2);
    LossInputs compared{fields, graph.input("target", fields.type()), graph.input("active", {active}), {}};
    const bool is_by_axis = options.loss.kind == LossKind::h1;
    for (int axis = is_by_axis ? 1 : active.rank() - 1; axis < active.rank(); ++axis) {
        compared.inverse_distances.push_back(
            graph.input(inverse_distance_name(compared.inverse_distances.size()), {{active[axis]}}));
    }
    return field_loss(compared, {options.loss.kind, options.loss.derivative_weight}, options.share, space);
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

struct NamedGradient {
    Value value;
    std::string name;
    bool is_sharded = false;  ///< of a weight that is sharded over a group
};

/// The gradients of all weights that move, in the order in which the backward pass comes to them.
std::vector<NamedGradient> gradients_of_weights(const Value& fields, const Value& cotangent, bool accumulates,
                                                const Parameters& parameters) {
    Graph& graph = fields.graph();
    const std::vector<Value> weights = moving_weights(graph, parameters);
    const std::vector<Value> found = gradients(fields, cotangent, weights);
    std::vector<NamedGradient> named;
    for (std::size_t k = 0; k < weights.size(); ++k) {
        const std::string weight = op_of<WeightOp>(weights[k])->of;
        named.push_back({found[k], gradient_name(weight), parameters.at(weight).is_sharded()});
    }
    std::ranges::sort(named, {}, [](const NamedGradient& one) { return one.value.node(); });
    for (NamedGradient& one : named) {
        const Value own = one.value;
        one.value = accumulates ? graph.add(AddOp{}, {graph.input(one.name, own.type()), own}) : own;
    }
    return named;
}

/// Partial sums as sums: over all ranks for weights that every rank holds, over the groups for those that are sharded
/// over a group.
void add_up(std::vector<NamedGradient>& partial, const ProcessGrid& grid) {
    for (const bool sharded : {false, true}) {
        Communicator& ranks = sharded ? grid.groups() : grid.world();
        std::vector<NamedGradient*> terms;
        std::vector<Value> values;
        for (NamedGradient& one : partial) {
            if (ranks.size() > 1 && one.is_sharded == sharded && one.value.shape().count() > 0) {
                terms.push_back(&one);
                values.push_back(one.value);
            }
        }
        const std::vector<Value> sums = summed_over_ranks(values, ranks);
        for (std::size_t k = 0; k < terms.size(); ++k) {
            terms[k]->value = sums[k];
        }
    }
}

}  // namespace

Graph training_graph(const FieldNetwork& network, const FieldInput& input, const StepOptions& options,
                     const RankShard* shard) {
    const ProcessGrid* ranks = ranks_of(network);
    Graph graph = forward_pass(network, input, options.cases > 0 ? options.cases : input.network.batch);
    std::vector<std::string> wanted;  // statistics, the loss, gradients
    for (const auto& [name, node] : graph.outputs()) {
        if (name != "fields") {
            wanted.push_back(name);
        }
    }
    const Value fields = with_neighbours(graph.output("fields"), shard);
    const LossValues loss = loss_of(fields, options, shard == nullptr ? nullptr : shard->space());
    graph.output("loss", loss.per_case);
    wanted.emplace_back("loss");
    std::vector<NamedGradient> found =
        gradients_of_weights(fields, loss.gradient, options.accumulates, network.parameters());
    if (ranks != nullptr && options.is_last) {
        add_up(found, *ranks);
    }
    for (const NamedGradient& one : found) {
        graph.output(one.name, one.value);
        wanted.push_back(one.name);
    }
    graph = rematerialise(pruned(graph, wanted), "loss", options.recompute_blocks);
    return ranks == nullptr ? after_gradients(graph) : after_gradients_on_ranks(sum_norm_gradients(graph, *ranks));
}

}  // namespace plumecast
