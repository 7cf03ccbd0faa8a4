#include <algorithm>

#include <plumecast/graph/graph.hpp>

#include "graph/ops/activation_text.hpp"
#include "graph/ops/shapes.hpp"

namespace plumecast {

std::string MatMulOp::text() const {
    return std::string(transpose_a ? "transpose_a" : "") + (transpose_a && transpose_b ? " " : "") +
           (transpose_b ? "transpose_b" : "") + fused.text();
}

ValueType MatMulOp::result(ValueTypes all) const {
    const ValueTypes inputs = fused.own(all);
    const Shape& a = inputs[0].shape;
    const Shape matrix = as_matrix(a), b = as_matrix(inputs[1].shape);
    const std::int64_t inner = transpose_a ? matrix[0] : matrix[1], columns = transpose_b ? b[0] : b[1];
    expects(inner == (transpose_b ? b[1] : b[0]), "factors of a matrix product that fit");
    expects(inputs.size() == 2 || inputs[2].shape == Shape{columns}, "a bias for each column of a matrix product");
    return fused.checked(all, {transpose_a ? Shape{matrix[1], columns} : a.with(-1, columns), type});
}

void MatMulOp::evaluate(Backend& backend, OpInputs all, View result) const {
    const OpInputs inputs = fused.own(all);
    OutputRef target = fused.target(backend, all, result);
    target.view = result.reshaped(as_matrix(result.shape));
    backend.gemm(transpose_a, transpose_b, inputs[0].reshaped(as_matrix(inputs[0].shape)),
                 inputs[1].reshaped(as_matrix(inputs[1].shape)), target, inputs.size() > 2 ? inputs[2] : ConstView(),
                 fused.activation);
}

std::vector<Value> MatMulOp::gradient(const Value& result, const Value& g) const {
    expects(!transpose_a && fused.is_nothing(), "a matrix product alone, whose first factor is not transposed");
    Graph& graph = g.graph();
    const Value a = result.input(0), b = result.input(1);
    std::vector<Value> gradients{
        graph.add(MatMulOp{false, !transpose_b}, {g, b}),
        transpose_b ? graph.add(MatMulOp{true, false}, {g, a}) : graph.add(MatMulOp{true, false}, {a, g})};
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

ValueType ColumnSumsOp::result(ValueTypes inputs) const { return {{inputs[0].shape[-1]}}; }

void ColumnSumsOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    backend.column_sums(inputs[0], {result});
}

}  // namespace plumecast
