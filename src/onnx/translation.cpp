#include "onnx/translation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

std::vector<std::int64_t> list(const Shape& shape) { return {shape.extents().begin(), shape.extents().end()}; }

}  // namespace

std::vector<float> transpose_of(const std::vector<float>& matrix, std::int64_t rows) {
    const auto height = static_cast<std::size_t>(rows), width = matrix.size() / height;
    std::vector<float> result(matrix.size());
    for (std::size_t i = 0; i < height; ++i) {
        for (std::size_t j = 0; j < width; ++j) {
            result[j * height + i] = matrix[i * width + j];
        }
    }
    return result;
}

OnnxTranslation::OnnxTranslation(const Graph& graph, const HostWeights& weights)
    : graph_(&graph), weights_(&weights), names_(graph.nodes().size()) {}

int OnnxTranslation::input_of(std::size_t node, std::size_t which) const {
    return graph_->nodes()[node].inputs.at(which);
}

const Shape& OnnxTranslation::input_shape(std::size_t node, std::size_t which) const {
    return shape_of(static_cast<std::size_t>(input_of(node, which)));
}

const std::string& OnnxTranslation::field(std::size_t node, std::size_t which) const {
    const std::string& name = names_[static_cast<std::size_t>(input_of(node, which))];
    expects(!name.empty(), "an input that is computed");
    return name;
}

std::vector<float> OnnxTranslation::numbers(std::size_t node, std::size_t which) const {
    const Op& op = graph_->nodes()[static_cast<std::size_t>(input_of(node, which))].op;
    if (const auto* constant = op.as<ConstantOp>()) {
        return {constant->values->begin(), constant->values->end()};
    }
    const auto* weight = op.as<WeightOp>();
    expects(weight != nullptr, "a weight or a constant where ONNX wants numbers");
    const Tensor host = (*weights_)(weight->of);
    return {host.values<float>().begin(), host.values<float>().end()};
}

std::string OnnxTranslation::name_of_array(std::size_t node, std::size_t which, const std::string& suffix) const {
    return *graph_->nodes()[static_cast<std::size_t>(input_of(node, which))].op->given() + suffix;
}

std::string OnnxTranslation::stored(const std::string& name, const Shape& shape, const std::vector<float>& values) {
    bool& is_there = stored_[name];
    if (!is_there) {
        model_.array(name, shape, values);
        is_there = true;
    }
    return name;
}

std::string OnnxTranslation::array(std::size_t node, std::size_t which) {
    return stored(name_of_array(node, which), input_shape(node, which), numbers(node, which));
}

std::string OnnxTranslation::operand(std::size_t node, std::size_t which) {
    const std::string& name = names_[static_cast<std::size_t>(input_of(node, which))];
    return name.empty() ? array(node, which) : name;
}

std::string OnnxTranslation::reshaped(const std::string& x, const std::vector<std::int64_t>& extents) {
    return model_.node("Reshape", {x, model_.integers(extents)});
}

std::string OnnxTranslation::transposed_axes(const std::string& x, const std::vector<std::int64_t>& order) {
    return model_.node("Transpose", {x}, {{"perm", order}});
}

std::vector<std::int64_t> OnnxTranslation::extents(const Shape& shape) const {
    std::vector<std::int64_t> free = list(shape);
    free.front() = -1;
    return free;
}

void OnnxTranslation::add(std::size_t node) {
    const Op& op = graph_->nodes()[node].op;
    if (!as_one_of<InputOp, WeightOp, ConstantOp, MatMulOp, AxisTransformOp, CombineSignsOp, SpectralMultiplyOp, ConvOp,
                   NormaliseOp, PaddedSumOp, CropOp, ReshapeOp, TurnOp, ConcatOp, AddOp, MultiplyOp, ActivateOp>(
            op, [&](const auto& kind) { add(kind, node); })) {
        throw InvalidInput("op " + op->name() +
                           " has no ONNX form (it belongs to training); export a graph of evaluation");
    }
}

void OnnxTranslation::add(const InputOp& op, std::size_t node) {
    model_.input(op.of, op.type.shape);
    give(node, op.of);
}

void OnnxTranslation::add(const WeightOp& /*op*/, std::size_t /*node*/) {}  // where they are read
void OnnxTranslation::add(const ConstantOp& /*op*/, std::size_t /*node*/) {}

void OnnxTranslation::add(const MatMulOp& op, std::size_t node) {
    expects(!op.transpose_a && op.fused.is_nothing(), "a matrix product of a field, alone");
    const Shape matrix = as_matrix(input_shape(node, 1));
    const std::string weight = op.transpose_b ? stored(name_of_array(node, 1, "^T"), {matrix[1], matrix[0]},
                                                       transpose_of(numbers(node, 1), matrix[0]))
                                              : array(node, 1);
    std::string product = model_.node("MatMul", {field(node, 0), weight});
    if (graph_->nodes()[node].inputs.size() > 2) {
        product = model_.node("Add", {product, array(node, 2)});
    }
    give(node, product);
}

void OnnxTranslation::add(const NormaliseOp& op, std::size_t node) {
    const std::vector<float> moments = numbers(node, 1), weight = numbers(node, 2), bias = numbers(node, 3);
    const std::size_t channels = weight.size();
    std::vector<float> scale(channels), offset(channels);
    for (std::size_t c = 0; c < channels; ++c) {
        const double factor = static_cast<double>(weight[c]) /
                              std::sqrt(static_cast<double>(moments[channels + c]) / op.count + op.epsilon);
        scale[c] = static_cast<float>(factor);
        offset[c] = static_cast<float>(static_cast<double>(bias[c]) - factor * static_cast<double>(moments[c]));
    }
    const Shape shape{static_cast<std::int64_t>(channels)};
    const std::string scaled =
        model_.node("Mul", {field(node, 0), stored(name_of_array(node, 2, ".scale"), shape, scale)});
    give(node, model_.node("Add", {scaled, stored(name_of_array(node, 3, ".offset"), shape, offset)}));
}

void OnnxTranslation::add(const PaddedSumOp& op, std::size_t node) {
    const std::size_t terms = graph_->nodes()[node].inputs.size() - 1;
    const Shape& padded = shape_of(node);
    std::string sum = operand(node, 0);
    for (std::size_t term = 1; term < terms; ++term) {
        sum = model_.node("Add", {sum, operand(node, term)});
    }
    const auto rank = static_cast<std::size_t>(padded.rank());
    for (const auto& [edge, mode] : {std::pair{Padding::Edge::zero, "constant"}, {Padding::Edge::replicate, "edge"}}) {
        std::vector<std::int64_t> cells(2 * rank, 0);
        for (std::size_t axis = 0; axis < op.padding.axes.size(); ++axis) {
            if (op.padding.axes[axis].edge == edge) {
                cells[rank + axis + 1] = padded[static_cast<int>(axis) + 1] - op.padding.axes[axis].inside;
            }
        }
        if (std::ranges::any_of(cells, [](std::int64_t count) { return count != 0; })) {
            sum = model_.node("Pad", {sum, model_.integers(cells)}, {{"mode", std::string(mode)}});
        }
    }
    give(node, model_.node("Add", {sum, array(node, terms)}));
}

void OnnxTranslation::add(const CropOp& op, std::size_t node) {
    std::vector<std::int64_t> low, high, axes;
    for (int axis = 1; axis < op.low.rank(); ++axis) {  // the batch is free
        low.push_back(op.low[axis]);
        high.push_back(op.low[axis] + op.extents[axis]);
        axes.push_back(axis);
    }
    give(node,
         model_.node("Slice", {field(node, 0), model_.integers(low), model_.integers(high), model_.integers(axes)}));
}

void OnnxTranslation::add(const ReshapeOp& op, std::size_t node) {
    give(node, reshaped(operand(node, 0), extents(op.shape)));
}

void OnnxTranslation::add(const TurnOp& op, std::size_t node) {
    give(node, transposed_axes(field(node, 0), op.order(shape_of(node).rank())));
}

void OnnxTranslation::add(const ConcatOp& /*op*/, std::size_t node) {
    std::vector<std::string> parts;
    for (std::size_t part = 0; part < graph_->nodes()[node].inputs.size(); ++part) {
        parts.push_back(field(node, part));
    }
    give(node, model_.node("Concat", parts, {{"axis", std::int64_t{-1}}}));
}

void OnnxTranslation::add(const AddOp& /*op*/, std::size_t node) {
    give(node, model_.node("Add", {field(node, 0), field(node, 1)}));
}

void OnnxTranslation::add(const MultiplyOp& /*op*/, std::size_t node) {
    give(node, model_.node("Mul", {field(node, 0), field(node, 1)}));
}

void OnnxTranslation::add(const ActivateOp& op, std::size_t node) {
    const std::string& x = field(node, 0);
    switch (op.activation.kind) {
        case Activation::Kind::identity:
            return give(node, x);
        case Activation::Kind::relu:
            return give(node, model_.node("Relu", {x}));
        case Activation::Kind::leaky_relu:
            return give(node, model_.node("LeakyRelu", {x}, {{"alpha", op.activation.slope}}));
        case Activation::Kind::tanh:
            return give(node, model_.node("Tanh", {x}));
        case Activation::Kind::gelu: {  // x (1 + erf(x / sqrt 2)) / 2
            const std::string root = stored("1/sqrt(2)", {1}, {static_cast<float>(std::sqrt(0.5))});
            const std::string error = model_.node("Erf", {model_.node("Mul", {x, root})});
            const std::string sum = model_.node("Add", {error, stored("1", {1}, {1.0F})});
            return give(node, model_.node("Mul", {model_.node("Mul", {x, sum}), stored("1/2", {1}, {0.5F})}));
        }
    }
}

std::string OnnxTranslation::finish(const std::map<std::string, std::string>& metadata) {
    for (const auto& [name, node] : graph_->outputs()) {
        model_.node("Identity", {names_[static_cast<std::size_t>(node)]}, {}, name);
        model_.output(name, shape_of(static_cast<std::size_t>(node)));
    }
    return model_.encoded(metadata);
}

}  // namespace plumecast
