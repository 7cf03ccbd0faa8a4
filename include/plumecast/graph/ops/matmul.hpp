#pragma once

#include <string>
#include <vector>

#include <plumecast/graph/op.hpp>

namespace plumecast {

/// c = op(a) op(b) + bias, with a and b as matrices of their last axis; a [..., K], b [K, N] -> [..., N], each
/// transposed on demand. Inputs a, b and, if wanted, bias [N].
struct MatMulOp {
    static constexpr const char* name = "matmul";
    bool transpose_a = false, transpose_b = false;
    Fused fused = {};

    std::string text() const;
    ValueType result(ValueTypes inputs) const;
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
    std::vector<Value> gradient(const Value& result, const Value& g) const;
};

/// Sums over all axes but the last, [..., C] -> [C].
struct ColumnSumsOp {
    static constexpr const char* name = "column_sums";
    ValueType result(ValueTypes inputs) const;
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
};

}  // namespace plumecast
