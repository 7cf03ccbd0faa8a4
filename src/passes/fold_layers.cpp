#include "passes/fold_layers.hpp"

#include <vector>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

Value filled(Graph& graph, const char* name, std::int64_t count, double value) {
    return graph.constant(std::string(name) + "." + std::to_string(count), {count},
                          [&] { return std::vector<double>(static_cast<std::size_t>(count), value); });
}

/// The convolution `conv` followed by the norm of these inputs.
Value with_norm(const Value& conv, const NormaliseOp& norm, const std::vector<Value>& inputs) {
    Graph& graph = conv.graph();
    const ConvOp op = *op_of<ConvOp>(conv);
    const Value moments = inputs[1], scale = inputs[2], offset = inputs[3];
    const std::int64_t channels = scale.shape()[0];
    const Value zeros = filled(graph, "zeros", channels, 0.0);
    const Value centred = graph.add(RunningMomentsOp{}, {zeros, moments.input(1)});
    Value weight = conv.input(1);
    if (op.geometry.transposed) {  // the channels of the result come last
        weight = graph.add(norm, {weight, centred, scale, zeros});
    } else {
        const Value ones = filled(graph, "ones", channels, 1.0);
        weight = graph.add(ScaleRowsOp{}, {weight, graph.add(norm, {ones, centred, scale, zeros})});
    }
    const Value bias = conv.input_count() > 2 ? conv.input(2) : zeros;
    return graph.add(op, {conv.input(0), weight, graph.add(norm, {bias, moments, scale, offset})});
}

/// Whether a kernel is odd and centred, and its stride 1, along every axis.
bool has_centre(const ConvGeometry& g) {
    const auto is_centred = [](std::int64_t kernel, std::int64_t stride, std::int64_t low, std::int64_t high) {
        return kernel % 2 == 1 && stride == 1 && low == kernel / 2 && high == kernel / 2;
    };
    bool centred = !g.transposed;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        centred = centred && is_centred(g.kernel[axis], g.stride[axis], g.padding_low[axis], g.padding_high[axis]);
    }
    const ConvGeometry::OuterAxis& o = g.outer;
    return centred && (!g.has_outer() || is_centred(o.kernel, o.stride, o.padding_low, o.padding_high));
}

bool is_linear_layer(const Value& value) {
    const auto* op = op_of<MatMulOp>(value);
    return op != nullptr && !op->transpose_a && op->transpose_b && value.input_count() == 3;
}

/// Whether a convolution can take a linear layer in: both read the same field.
bool takes(const Value& conv, const Value& linear) {
    const auto* op = op_of<ConvOp>(conv);
    if (op == nullptr || !is_linear_layer(linear) || conv.input_count() < 3 || !has_centre(op->geometry)) {
        return false;
    }
    const Value x = conv.input(0);
    return x == linear.input(0) || (op_of<ConcatOp>(x) != nullptr && x.input(0) == linear.input(0));
}

Value with_linear_layer(const Value& conv, const Value& linear) {
    Graph& graph = conv.graph();
    const ConvOp op = *op_of<ConvOp>(conv);
    const Value kernel = conv.input(1), matrix = linear.input(1);
    const Shape extents = kernel.shape();
    Shape cell = extents.with(-1, matrix.shape()[1]), low = extents.with(0, 0).with(-1, 0);
    for (int axis = 1; axis + 1 < extents.rank(); ++axis) {
        cell = cell.with(axis, 1);
        low = low.with(axis, extents[axis] / 2);
    }
    const Value centre = graph.add(PlaceOp{low, extents}, {graph.add(ReshapeOp{cell}, {matrix})});
    return graph.add(op, {conv.input(0), graph.add(AddOp{}, {kernel, centre}),
                          graph.add(AddOp{}, {conv.input(2), linear.input(2)})});
}

/// Of a convolution, for each cell of its result in one case.
std::int64_t weights_per_cell(const Value& conv) {
    return conv.input(1).shape().count() / conv.shape().count(1, conv.shape().rank() - 1);
}

}  // namespace

Graph fold_batch_norms(const Graph& graph, std::int64_t most) {
    const std::vector<int> uses = use_counts(graph);
    return pruned(rebuilt(graph, [&](Graph& /*copy*/, int node, const std::vector<Value>& inputs) {
        const Node& old = graph.nodes()[static_cast<std::size_t>(node)];
        const auto* norm = old.op.as<NormaliseOp>();
        const bool folds = norm != nullptr && !norm->of_batch && op_of<ConvOp>(inputs[0]) != nullptr &&
                           op_of<RunningMomentsOp>(inputs[1]) != nullptr &&
                           uses[static_cast<std::size_t>(old.inputs[0])] == 1 && weights_per_cell(inputs[0]) < most;
        return folds ? with_norm(inputs[0], *norm, inputs) : Value();
    }));
}

/// (sum + linear) + conv, as the sums of a block stand, or linear + conv.
Graph fold_linear_layers(const Graph& graph) {
    const std::vector<int> uses = use_counts(graph);
    return pruned(rebuilt(graph, [&](Graph& copy, int node, const std::vector<Value>& inputs) {
        const Node& old = graph.nodes()[static_cast<std::size_t>(node)];
        if (!old.op.is<AddOp>() || uses[static_cast<std::size_t>(old.inputs[0])] != 1 ||
            uses[static_cast<std::size_t>(old.inputs[1])] != 1) {
            return Value();
        }
        const Value before = inputs[0], conv = inputs[1];
        if (takes(conv, before)) {
            return with_linear_layer(conv, before);
        }
        if (op_of<AddOp>(before) != nullptr && takes(conv, before.input(1))) {
            return copy.add(AddOp{}, {before.input(0), with_linear_layer(conv, before.input(1))});
        }
        return Value();
    }));
}

}  // namespace plumecast
