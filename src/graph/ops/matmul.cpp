#include <algorithm>
#include <utility>

#include <plumecast/graph/graph.hpp>

#include "graph/ops/activation_text.hpp"
#include "graph/ops/shapes.hpp"

namespace plumecast {
namespace {

/// Of a linear layer that gave rows with gradient g from x: g^T x to `weight` and the sums of g to `bias`, added to
/// what is there where beta is 1; neither where there is no memory for it.
void add_layer_gradients(Backend& backend, ConstView x, ConstView g, View weight, View bias, double beta) {
    if (weight.data != nullptr) {
        backend.gemm(true, false, g, x, {weight, beta}, {}, Activation::identity());
    }
    if (bias.data != nullptr) {
        backend.column_sums(g, {bias, beta});
    }
}

/// The forms of input `weight` and of the bias that follows it, of a product of a field with the weight.
std::vector<PackedInput> packed_layer(Backend& backend, OpInputs inputs, std::size_t weight, DType field,
                                      DType result) {
    std::vector<PackedInput> packed;
    if (field == DType::bfloat16 && inputs[weight].data != nullptr) {
        packed.push_back({weight, backend.pack_factor(inputs[weight])});
    }
    if (field == DType::bfloat16 && result == DType::bfloat16 && weight + 1 < inputs.size() &&
        inputs[weight + 1].data != nullptr) {
        packed.push_back({weight + 1, backend.pack_factor(inputs[weight + 1])});
    }
    return packed;
}

}  // namespace

std::string MatMulOp::text() const {
    return std::string(transpose_a ? "transpose_a" : "") + (transpose_a && transpose_b ? " " : "") +
           (transpose_b ? "transpose_b" : "") + fused.text();
}

ValueType MatMulOp::result(ValueTypes all) const {
    const ValueTypes inputs = fused.without_addend(all);
    const Shape& a = inputs[0].shape;
    const Shape matrix = as_matrix(a), b = as_matrix(inputs[1].shape);
    const std::int64_t inner = transpose_a ? matrix[0] : matrix[1], columns = transpose_b ? b[0] : b[1];
    expects(inner == (transpose_b ? b[1] : b[0]), "factors of a matrix product that fit");
    expects(inputs.size() == 2 || inputs[2].shape == Shape{columns}, "a bias for each column of a matrix product");
    return fused.checked(all, {transpose_a ? Shape{matrix[1], columns} : a.with(-1, columns), type});
}

void MatMulOp::evaluate(Backend& backend, OpInputs all, View result) const {
    const OpInputs inputs = fused.without_addend(all);
    OutputRef target = fused.target(backend, all, result);
    target.view = result.reshaped(as_matrix(result.shape));
    if (transpose_a && is_empty_sum(backend, inputs[0], target)) {
        return;
    }
    backend.gemm(transpose_a, transpose_b, inputs[0].reshaped(as_matrix(inputs[0].shape)),
                 inputs[1].reshaped(as_matrix(inputs[1].shape)), target, inputs.size() > 2 ? inputs[2] : ConstView(),
                 fused.activation);
}

std::vector<PackedInput> MatMulOp::pack(Backend& backend, OpInputs inputs, View result) const {
    return packed_layer(backend, fused.without_addend(inputs), 1, inputs[0].type, result.type);
}

std::vector<Value> MatMulOp::gradient(const Value& result, const Value& g) const {
    expects(!transpose_a && fused.is_nothing(), "a matrix product alone, whose first factor is not transposed");
    Graph& graph = g.graph();
    const Value a = result.input(0), b = result.input(1);
    MatMulOp of_a{false, !transpose_b}, of_b{true, false};
    of_a.type = a.type().type;
    of_b.type = b.type().type;
    std::vector<Value> gradients{graph.add(of_a, {g, b}),
                                 transpose_b ? graph.add(of_b, {g, a}) : graph.add(of_b, {a, g})};
    if (result.input_count() > 2) {
        gradients.push_back(graph.add(ColumnSumsOp{}, {g}));
    }
    return gradients;
}

std::string ProjectionOp::text() const { return text_of(activation); }

ValueType ProjectionOp::result(ValueTypes inputs) const {
    const Shape &first = inputs[1].shape, &second = inputs[3].shape;
    expects(inputs.size() == 5 && first.rank() == 2 && second.rank() == 2 && first[1] == inputs[0].shape[-1] &&
                second[1] == first[0] && inputs[2].shape == Shape{first[0]} && inputs[4].shape == Shape{second[0]},
            "two linear layers that follow one another");
    return {inputs[0].shape.with(-1, second[0]), type};
}

void ProjectionOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    const Shape in = as_matrix(inputs[0].shape), out = as_matrix(result.shape);
    const DType element = on_backend(backend, hidden);
    const std::int64_t width = inputs[1].shape[0];
    const std::int64_t rows = std::min(in[0], backend.rows_at_once(static_cast<std::size_t>(width) * size_of(element)));
    Tensor memory(backend.memory(), {rows, width}, element);
    for (std::int64_t row = 0; row < in[0]; row += rows) {
        const std::int64_t end = std::min(in[0], row + rows);
        const View layer = memory.view().rows(0, end - row);
        backend.gemm(false, true, inputs[0].reshaped(in).rows(row, end), inputs[1], {layer}, inputs[2], activation);
        backend.gemm(false, true, layer, inputs[3], {result.reshaped(out).rows(row, end)}, inputs[4],
                     Activation::identity());
    }
}

std::vector<PackedInput> ProjectionOp::pack(Backend& backend, OpInputs inputs, View result) const {
    const DType between = on_backend(backend, hidden);
    std::vector<PackedInput> packed = packed_layer(backend, inputs.first(3), 1, inputs[0].type, between);
    for (PackedInput& of_second : packed_layer(backend, inputs, 3, between, result.type)) {
        packed.push_back(std::move(of_second));
    }
    return packed;
}

std::vector<Value> ProjectionOp::gradient(const Value& result, const Value& g) const {
    std::vector<Value> inputs = inputs_of(result);
    inputs.push_back(g);
    const Value of_x = g.graph().add(ProjectionGradientOp{*this}, inputs);
    std::vector<Value> gradients{of_x};
    for (int which = 0; which < 4; ++which) {
        gradients.push_back(further_result(of_x, which));
    }
    return gradients;
}

/// The hidden layer once more, and gradients with respect to both factors of both products.
double ProjectionGradientOp::operations(ValueTypes inputs, const Shape& result) const {
    const std::int64_t rows = result.count() / result[-1];
    return 2.0 * (of.operations(inputs, inputs[5].shape) + static_cast<double>(rows * inputs[1].shape.count()));
}

void ProjectionGradientOp::evaluate(Backend& backend, OpInputs inputs, View result,
                                    std::span<const View> further) const {
    const ConstView &first = inputs[1], &second = inputs[3];
    for (int which = 0; inputs[0].shape.count() == 0 && which < 4; ++which) {
        if (const View sum = further_view(further, static_cast<std::size_t>(which)); sum.data != nullptr) {
            backend.fill(sum, 0.0);
        }
    }
    const Shape in = as_matrix(inputs[0].shape), out = as_matrix(inputs[5].shape);
    const DType element = on_backend(backend, of.hidden);
    const std::int64_t width = first.shape[0];
    const std::int64_t rows = std::min(in[0], backend.rows_at_once(static_cast<std::size_t>(width) * size_of(element)));
    Tensor before(backend.memory(), {rows, width}, element), after(backend.memory(), {rows, width}, element);
    for (std::int64_t row = 0; row < in[0]; row += rows) {
        const std::int64_t end = std::min(in[0], row + rows);
        const double beta = row == 0 ? 0.0 : 1.0;
        const ConstView x = inputs[0].reshaped(in).rows(row, end), g = inputs[5].reshaped(out).rows(row, end);
        const View layer = after.view().rows(0, end - row), upstream = before.view().rows(0, end - row);
        Tensor input;  // of the activation, where its derivative does not follow from its output
        if (of.activation.known_from_output()) {
            backend.gemm(false, true, x, first, {layer}, inputs[2], of.activation);
        } else {
            input = Tensor(backend.memory(), layer.shape, element);
            backend.gemm(false, true, x, first, {input}, inputs[2], Activation::identity());
            backend.activate(of.activation, std::as_const(input).view(), layer);
        }
        backend.gemm(false, false, g, second, {upstream}, {}, Activation::identity());
        backend.activation_gradient(of.activation, input.empty() ? ConstView(layer) : std::as_const(input).view(),
                                    upstream);
        add_layer_gradients(backend, layer, g, further_view(further, 2), further_view(further, 3), beta);
        add_layer_gradients(backend, x, upstream, further_view(further, 0), further_view(further, 1), beta);
        backend.gemm(false, false, upstream, first, {result.reshaped(in).rows(row, end)}, {}, Activation::identity());
    }
}

std::vector<PackedInput> ProjectionGradientOp::pack(Backend& backend, OpInputs inputs, View /*result*/) const {
    const DType between = on_backend(backend, of.hidden);
    std::vector<PackedInput> packed = packed_layer(backend, inputs.first(3), 1, inputs[0].type, between);
    for (PackedInput& of_second : packed_layer(backend, inputs.first(4), 3, inputs[5].type, between)) {
        packed.push_back(std::move(of_second));
    }
    return packed;
}

ValueType ColumnSumsOp::result(ValueTypes inputs) const { return accumulated.checked(inputs, {{inputs[0].shape[-1]}}); }

void ColumnSumsOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    const OutputRef target = accumulated.target(backend, inputs, result);
    if (!is_empty_sum(backend, inputs[0], target)) {
        backend.column_sums(inputs[0], target);
    }
}

}  // namespace plumecast
