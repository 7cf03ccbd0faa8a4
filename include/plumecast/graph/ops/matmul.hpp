#pragma once

#include <span>
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
    DType type = DType::float32;  ///< of the result

    std::string text() const;
    ValueType result(ValueTypes inputs) const;
    std::vector<int> in_place(std::size_t inputs) const { return fused.in_place(inputs); }
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
    std::vector<PackedInput> pack(Backend& backend, OpInputs inputs, View result) const;
    std::vector<Value> gradient(const Value& result, const Value& g) const;
};

/// f(x W1^T + b1) W2^T + b2 on the channels of x [..., C], as the projection of a Fourier network (Li et al., ICLR
/// 2021), whose hidden layer, wider than the fields, is only ever there for some rows. Inputs x, W1 [H, C], b1, W2
/// [F, H], b2.
struct ProjectionOp {
    static constexpr const char* name = "projection";
    Activation activation;
    DType hidden = DType::float32;  ///< element type of the hidden layer
    DType type = DType::float32;    ///< of the result

    std::string text() const;
    ValueType result(ValueTypes inputs) const;
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
    std::vector<PackedInput> pack(Backend& backend, OpInputs inputs, View result) const;
    std::vector<Value> gradient(const Value& result, const Value& g) const;
};

/// Its gradients with respect to x and, as further results, W1, b1, W2 and b2: the hidden layer is computed again, some
/// rows at a time. Inputs those of ProjectionOp and the gradient.
struct ProjectionGradientOp {
    static constexpr const char* name = "projection_gradient";
    ProjectionOp of;

    std::string text() const { return of.text(); }
    ValueType result(ValueTypes inputs) const { return inputs[0]; }
    std::vector<ValueType> further_results(ValueTypes inputs) const { return {inputs.begin() + 1, inputs.begin() + 5}; }
    void evaluate(Backend& backend, OpInputs inputs, View result, std::span<const View> further) const;
    std::vector<PackedInput> pack(Backend& backend, OpInputs inputs, View result) const;
};

/// Sums over all axes but the last, [..., C] -> [C].
struct ColumnSumsOp {
    static constexpr const char* name = "column_sums";
    Accumulated accumulated = {};

    std::string text() const { return accumulated.text(); }
    std::vector<int> in_place(std::size_t inputs) const { return accumulated.in_place(inputs); }
    ValueType result(ValueTypes inputs) const;
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
};

}  // namespace plumecast
