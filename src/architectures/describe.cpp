#include <plumecast/architectures/describe.hpp>

#include <cstddef>
#include <utility>
#include <vector>

#include <plumecast/core/error.hpp>

#include "architectures/architecture.hpp"

namespace plumecast {

NetworkShapes whole_input(const NetworkConfig& config, std::int64_t batch, const Shape& extents) {
    NetworkShapes shapes{{}, batch, extents};
    Shape values{batch};
    for (const std::int64_t extent : extents.extents()) {
        values = values.append(extent);
    }
    shapes.groups.push_back({"channels", {}, values.append(config.channels)});
    for (std::int64_t channel = 0; channel < config.channels; ++channel) {
        shapes.groups.back().channels.push_back(channel);
    }
    return shapes;
}

Graph describe(const NetworkConfig& config, const NetworkShapes& shapes, ExecutionMode mode) {
    const Statistics statistics = mode == ExecutionMode::training ? Statistics::of_batch : Statistics::running;
    return describe(config, shapes, [statistics](const LayerPath& /*norm*/) { return statistics; });
}

namespace {

/// Copies a graph of one member into that of all, with weights under their own names; what is given to the members is
/// given once, `shared` by node.
Value add_member(Graph& all, Graph& member, const std::string& prefix, std::vector<Value>& shared) {
    std::vector<Value> copies;
    for (std::size_t i = 0; i < member.nodes().size(); ++i) {
        const Node& node = member.nodes()[i];
        if (const auto* weight = node.op.as<WeightOp>()) {
            WeightOp own = *weight;
            own.of = prefix + own.of;
            copies.push_back(all.weight(std::move(own)));
        } else if (!node.inputs.empty()) {
            copies.push_back(all.add(node.op, copies_of(node.inputs, copies)));
        } else {
            shared[i] = shared[i].defined() ? shared[i] : all.add(node.op, {});
            copies.push_back(shared[i]);
        }
    }
    return copies[static_cast<std::size_t>(member.output("prediction").node())];
}

/// The matrix [F, K F] that takes the mean over K members of F fields, one behind the other.
Value mean_matrix(Graph& graph, std::int64_t fields, std::int64_t members) {
    return graph.constant("members.mean", {fields, members * fields}, [=] {
        std::vector<double> matrix(static_cast<std::size_t>(fields * members * fields));
        for (std::int64_t i = 0; i < fields * members; ++i) {
            matrix[static_cast<std::size_t>(i % fields * members * fields + i)] = 1.0 / static_cast<double>(members);
        }
        return matrix;
    });
}

/// The matrix [K F, K F] that takes each of them less their mean.
Value deviation_matrix(Graph& graph, std::int64_t fields, std::int64_t members) {
    const std::int64_t size = fields * members;
    return graph.constant("members.deviation", {size, size}, [=] {
        std::vector<double> matrix(static_cast<std::size_t>(size * size));
        for (std::int64_t row = 0; row < size; ++row) {
            for (std::int64_t column = row % fields; column < size; column += fields) {
                matrix[static_cast<std::size_t>(row * size + column)] =
                    (row == column ? 1.0 : 0.0) - 1.0 / static_cast<double>(members);
            }
        }
        return matrix;
    });
}

Graph describe_members(const NetworkConfig& config, const NetworkShapes& shapes, const StatisticsOf& statistics,
                       bool with_spread) {
    NetworkConfig one = config;
    one.members = 1;
    Graph member = describe(one, shapes, statistics), graph;
    if (member.outputs().size() > 1) {
        throw InvalidInput(
            "several members in training (each is trained by itself); train one after the other, and join them");
    }
    std::vector<Value> shared(member.nodes().size());
    Value all;
    for (std::int64_t k = 0; k < config.members; ++k) {
        const Value prediction = add_member(graph, member, member_prefix(k), shared);
        all = all.defined() ? concat(all, prediction) : prediction;
    }
    const Value mean = mean_matrix(graph, config.fields, config.members);
    graph.output("prediction", graph.add(MatMulOp{false, true}, {all, mean}));
    if (with_spread) {
        const Value deviation = deviation_matrix(graph, config.fields, config.members);
        const Value away = activate(graph.add(MatMulOp{false, true}, {all, deviation}), Activation::leaky_relu(-1.0));
        graph.output("spread", graph.add(MatMulOp{false, true}, {away, mean}));
    }
    return graph;
}

}  // namespace

std::string member_prefix(std::int64_t member) { return "members." + std::to_string(member) + "."; }

Graph describe(const NetworkConfig& config, const NetworkShapes& shapes, const StatisticsOf& statistics,
               bool with_spread) {
    config.check();
    if (config.members > 1) {
        return describe_members(config, shapes, statistics, with_spread);
    }
    if (shapes.extents.rank() != static_cast<int>(config.modes.size())) {
        throw InvalidInput("input grid " + shapes.extents.text() + " (the network has " +
                           std::to_string(config.modes.size()) +
                           " axes, time included); use a model for this kind of grid");
    }
    for (int axis = 0; axis < shapes.extents.rank(); ++axis) {
        if (config.modes[static_cast<std::size_t>(axis)] == 0 && shapes.extents[axis] != 1) {
            throw InvalidInput("input grid " + shapes.extents.text() + " (the network has no modes along axis " +
                               std::to_string(axis) +
                               ", which is one point); give data of such a grid, or train with modes of 1 or more");
        }
    }
    Graph graph;
    std::vector<LiftGroup> groups;
    for (const NetworkShapes::Group& group : shapes.groups) {
        const Value values = graph.input(group.name, {group.values});
        groups.push_back({group.channels, values});
    }
    Shape padded{shapes.batch};
    const Shape cells = config.padded(shapes.extents);
    for (const std::int64_t extent : cells.extents()) {
        padded = padded.append(extent);
    }
    const LayerPath at{"lift"};
    const std::int64_t lifted = config.lifting > 0 ? config.lifting : config.width;
    Value v = lift(groups, config.channels, config.padding_of(shapes.extents), padded.append(lifted), at,
                   config.pad_lifted ? ZeroEdges::lifted : ZeroEdges::inputs);
    if (config.lifting > 0) {
        v = linear(activate(v, config.activation), config.width, at / "second");
    }
    graph.output("prediction", architecture_of(config.architecture).body(v, config, shapes.extents, statistics));
    return graph;
}

}  // namespace plumecast
