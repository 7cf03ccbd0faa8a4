#pragma once

#include <string>
#include <vector>

#include <plumecast/graph/op.hpp>

namespace plumecast {

/// bias + the sum of terms, continued to a larger grid (Backend::padded_sum). Inputs terms [B|1, axes|1..., C], bias.
struct PaddedSumOp {
    static constexpr const char* name = "padded_sum";
    static constexpr bool chooses_type = true, reads_wide = true;
    Padding padding;
    Shape padded;                 ///< of the result
    DType type = DType::float32;  ///< of the result

    std::string text() const;
    ValueType result(ValueTypes inputs) const;
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
    std::vector<Value> gradient(const Value& result, const Value& g) const;
};

/// Its gradient with respect to one term.
struct PaddedSumGradientOp {
    static constexpr const char* name = "padded_sum_gradient";
    Padding padding;
    ValueType term;
    ValueType result(ValueTypes inputs) const;
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
};

}  // namespace plumecast
