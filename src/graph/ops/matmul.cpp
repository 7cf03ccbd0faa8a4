#include <plumecast/graph/graph.hpp>

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
    return fused.checked(all, {transpose_a ? Shape{matrix[1], columns} : a.with(-1, columns)});
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

ValueType ColumnSumsOp::result(ValueTypes inputs) const { return {{inputs[0].shape[-1]}}; }

void ColumnSumsOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    backend.column_sums(inputs[0], {result});
}

}  // namespace plumecast
