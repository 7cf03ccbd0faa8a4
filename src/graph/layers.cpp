#include <cmath>

#include <plumecast/graph/layers.hpp>

#include "graph/fourier.hpp"
#include "graph/ops/shapes.hpp"
#include "graph/transform_matrices.hpp"

namespace plumecast {
namespace {

WeightOp uniform(const LayerPath& at, const char* name, const Shape& shape, double bound) {
    return {.of = (at / name).text, .shape = shape, .low = -bound, .high = bound};
}

WeightOp filled(const LayerPath& at, const char* name, std::int64_t channels, double value, bool trainable) {
    return {.of = (at / name).text, .shape = {channels}, .low = value, .high = value, .trainable = trainable};
}

}  // namespace

Value operator+(const Value& a, const Value& b) { return a.graph().add(AddOp{}, {a, b}); }

Value operator*(const Value& a, const Value& b) { return a.graph().add(MultiplyOp{}, {a, b}); }

Value activate(const Value& x, Activation f) { return f.is_identity() ? x : x.graph().add(ActivateOp{f}, {x}); }

Value concat(const Value& a, const Value& b) { return a.graph().add(ConcatOp{}, {a, b}); }

Value crop(const Value& x, const Shape& extents) {
    Shape box = x.shape();
    for (int axis = 0; axis < extents.rank(); ++axis) {
        box = box.with(axis + 1, extents[axis]);
    }
    return box == x.shape() ? x : x.graph().add(CropOp{origin(box.rank()), box}, {x});
}

Value linear(const Value& x, std::int64_t outputs, const LayerPath& at) {
    Graph& graph = x.graph();
    const std::int64_t inputs = x.shape()[-1];
    const double bound = 1.0 / std::sqrt(static_cast<double>(inputs));
    const Value weight = graph.weight(uniform(at, "weight", {outputs, inputs}, bound));
    const Value bias = graph.weight(uniform(at, "bias", {outputs}, bound));
    return graph.add(MatMulOp{false, true}, {x, weight, bias});
}

Value spectral_conv(const Value& x, const std::vector<std::int64_t>& modes, const LayerPath& at) {
    Graph& graph = x.graph();
    const std::int64_t channels = x.shape()[-1];
    check_modes(x.shape().slice(1, x.shape().rank() - 1), modes);
    const Value weight = graph.weight({.of = (at / "weight").text,
                                       .shape = spectral_weight_shape(modes, channels, channels),
                                       .high = 1.0 / static_cast<double>(channels * channels),
                                       .complex_valued = true});
    return graph.add(SpectralConvOp{modes}, {x, weight});
}

Value conv(const Value& x, const ConvGeometry& geometry, std::int64_t outputs, bool with_bias, const LayerPath& at) {
    Graph& graph = x.graph();
    const Shape shape = geometry.weight_shape(x.shape()[-1], outputs);
    // PyTorch takes the second axis of its weight for the fan in, which is the output of a transposed convolution.
    const double bound = 1.0 / std::sqrt(static_cast<double>(shape.count(1, shape.rank())));
    std::vector<Value> inputs{x, graph.weight(uniform(at, "weight", shape, bound))};
    if (with_bias) {
        inputs.push_back(graph.weight(uniform(at, "bias", {outputs}, bound)));
    }
    return graph.add(ConvOp{geometry}, inputs);
}

Value batch_norm(const Value& x, Statistics statistics, const LayerPath& at) {
    Graph& graph = x.graph();
    const std::int64_t channels = x.shape()[-1], values = x.shape().count() / channels;
    const Value weight = graph.weight(filled(at, "weight", channels, 1.0, true));
    const Value bias = graph.weight(filled(at, "bias", channels, 0.0, true));
    const Value mean = graph.weight(filled(at, "running_mean", channels, 0.0, false));
    const Value variance = graph.weight(filled(at, "running_variance", channels, 1.0, false));
    if (statistics == Statistics::running) {
        return graph.add(NormaliseOp{}, {x, graph.add(RunningMomentsOp{}, {mean, variance}), weight, bias});
    }
    if (values < 2) {
        throw InvalidInput(
            "batch norm over a single value per channel (it has no variance); use a larger batch or grid, or fewer "
            "levels");
    }
    const Value moments = graph.add(MomentsOp{}, {x});
    const double unbiased = 1.0 / static_cast<double>(values - 1);
    graph.output((at / "running_mean").text, graph.add(MoveRunningOp{.row = 0}, {mean, moments}));
    graph.output((at / "running_variance").text,
                 graph.add(MoveRunningOp{.row = 1, .factor = unbiased}, {variance, moments}));
    return graph.add(NormaliseOp{.count = static_cast<double>(values), .of_batch = true}, {x, moments, weight, bias});
}

LossValues field_loss(const LossInputs& compared, const LossMeasure& measure, double share, Communicator* space) {
    Graph& graph = compared.prediction.graph();
    const bool is_by_axis = measure.kind == LossKind::h1;
    expects(is_by_axis || compared.inverse_distances.size() == 1, "distances of the last axis");
    std::vector<Value> norms;
    const auto inputs_of = [&](std::size_t axis) {
        return std::vector{compared.prediction, compared.target, compared.active, compared.inverse_distances[axis]};
    };
    const auto place = [&](std::size_t axis) { return is_by_axis ? static_cast<int>(axis) : ErrorNormsOp::last_axis; };
    for (std::size_t axis = 0; axis < compared.inverse_distances.size(); ++axis) {
        const Value own = graph.add(ErrorNormsOp{place(axis)}, inputs_of(axis));
        norms.push_back(space == nullptr ? own : graph.add(SumOverRanksOp{space}, {own}));
    }
    const Value per_case = graph.add(ErrorRatiosOp{measure, share}, norms);
    const Value coefficients = further_result(per_case, 0);  // once, whoever reads it
    std::vector<Value> parts;
    for (std::size_t axis = 0; axis < norms.size(); ++axis) {
        std::vector<Value> inputs = inputs_of(axis);
        inputs.push_back(coefficients);
        parts.push_back(graph.add(ErrorGradientOp{place(axis)}, inputs));
    }
    Value gradient = parts.front();
    for (std::size_t axis = 1; axis < parts.size(); ++axis) {
        gradient = graph.add(AddOp{}, {gradient, parts[axis]});
    }
    return {per_case, gradient};
}

Value lift(const std::vector<LiftGroup>& groups, std::int64_t channels, const Padding& padding, const Shape& padded,
           const LayerPath& at, ZeroEdges edges) {
    expects(!groups.empty(), "at least one group of inputs");
    Graph& graph = groups.front().values.graph();
    const double bound = 1.0 / std::sqrt(static_cast<double>(channels));
    const Value weight = graph.weight(uniform(at, "weight", {channels, padded[-1]}, bound));
    const Value bias = graph.weight(uniform(at, "bias", {padded[-1]}, bound));
    std::vector<Value> terms;
    for (const LiftGroup& group : groups) {
        terms.push_back(graph.add(MatMulOp{}, {group.values, graph.add(RowsOp{group.channels}, {weight})}));
    }
    if (edges == ZeroEdges::lifted) {  // the bias is a term, continued as the others are
        Shape everywhere{1};
        while (everywhere.rank() < padded.rank() - 1) {
            everywhere = everywhere.append(1);
        }
        terms.push_back(graph.add(ReshapeOp{everywhere.append(padded[-1])}, {bias}));
        terms.push_back(graph.constant("zeros", {padded[-1]},
                                       [&] { return std::vector<double>(static_cast<std::size_t>(padded[-1]), 0.0); }));
    } else {
        terms.push_back(bias);
    }
    return graph.add(PaddedSumOp{padding, padded}, terms);
}

}  // namespace plumecast
