#include <plumecast/graph/graph.hpp>

#include "graph/ops/shapes.hpp"

namespace plumecast {

std::string RowsOp::text() const {
    std::string text;
    for (const std::int64_t row : rows) {
        text += (text.empty() ? "" : " ") + std::to_string(row);
    }
    return text;
}

ValueType RowsOp::result(ValueTypes inputs) const {
    for (const std::int64_t row : rows) {
        expects(row >= 0 && row < inputs[0].shape[0], "rows of the matrix");
    }
    return {inputs[0].shape.with(0, static_cast<std::int64_t>(rows.size()))};
}

void RowsOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    for (std::int64_t i = 0; i < result.shape[0]; ++i) {
        const std::int64_t row = rows[static_cast<std::size_t>(i)];
        backend.add(1.0, inputs[0].rows(row, row + 1), {result.rows(i, i + 1)});
    }
}

std::vector<Value> RowsOp::gradient(const Value& result, const Value& g) const {
    return {g.graph().add(ScatterRowsOp{rows, result.input(0).shape()[0]}, {g})};
}

ValueType ScatterRowsOp::result(ValueTypes inputs) const { return {inputs[0].shape.with(0, count)}; }

void ScatterRowsOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    backend.fill(result, 0.0);
    for (std::int64_t i = 0; i < inputs[0].shape[0]; ++i) {
        const std::int64_t row = rows[static_cast<std::size_t>(i)];
        backend.add(1.0, inputs[0].rows(i, i + 1), {result.rows(row, row + 1), 1.0});
    }
}

ValueType ScaleRowsOp::result(ValueTypes inputs) const {
    expects(inputs[1].shape == Shape{inputs[0].shape[0]}, "a factor for each row");
    return inputs[0];
}

/// As a product with a diagonal matrix: read in rows of n + 1, its diagonal is a column.
void ScaleRowsOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    const std::int64_t n = result.shape[0];
    const Shape columns{n, result.shape.count() / n};
    Tensor matrix(backend.memory(), {n, n + 1}, result.type);
    backend.fill(matrix, 0.0);
    backend.copy_box(inputs[1].reshaped({n, 1}), {0, 0}, {matrix}, {0, 0}, {n, 1});
    const ConstView diagonal = matrix.view().reshaped({n * (n + 1)}).rows(0, n * n).reshaped({n, n});
    backend.gemm(false, false, diagonal, inputs[0].reshaped(columns), {result.reshaped(columns)}, {},
                 Activation::identity());
}

}  // namespace plumecast
