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
    static constexpr bool chooses_type = true;
    bool transpose_a = false, transpose_b = false;
    Fused fused = {};
    DType type = DType::float32;  ///< of the result

    std::string text() const;
    ValueType result(ValueTypes inputs) const;
    double operations(ValueTypes inputs, const Shape& result) const {
        return 2.0 * static_cast<double>(result.count() * as_matrix(inputs[0].shape)[transpose_a ? 0 : 1]);
    }
    std::size_t fields() const { return transpose_a ? 0 : 1; }
    double taps() const { return 1.0; }
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
    double operations(ValueTypes inputs, const Shape& result) const {
        const std::int64_t rows = result.count() / result[-1];
        return 2.0 * static_cast<double>(rows * (inputs[1].shape.count() + inputs[3].shape.count()));
    }
    bool is_by_cell() const { return true; }
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
    double operations(ValueTypes inputs, const Shape& result) const;
    void evaluate(Backend& backend, OpInputs inputs, View result, std::span<const View> further) const;
    std::vector<PackedInput> pack(Backend& backend, OpInputs inputs, View result) const;
};

/// Sums over all axes but the last, [..., C] -> [C].
struct ColumnSumsOp {
    static constexpr const char* name = "column_sums";
    Accumulated accumulated = {};

    std::string text() const { return accumulated.text(); }
    ValueType result(ValueTypes inputs) const;
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
};

}  // namespace plumecast
