#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <plumecast/graph/op.hpp>

namespace plumecast {

/// A matrix [M, K], the first input, applied along one axis of the second: y[o, m, n] = sum_k matrix[m, k] x[o, k, n].
struct AxisTransformOp {
    static constexpr const char* name = "axis_transform";
    int axis = 1;
    Fused fused = {};
    DType type = DType::float32;  ///< of the result

    std::string text() const;
    ValueType result(ValueTypes inputs) const;
    double operations(ValueTypes inputs, const Shape& result) const {
        return 2.0 * static_cast<double>(result.count() * inputs[0].shape[1]);
    }
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
    std::vector<PackedInput> pack(Backend& backend, OpInputs inputs, View result) const;
    std::vector<Value> gradient(const Value& result, const Value& g) const;
};

/// Cosine and sine sums along an axis, 2 (m + 1) rows, to the frequencies 0..m-1, -m..-1 of planar complex numbers
/// (Backend::combine_signs). The time axis, last before the channels, holds real parts, then imaginary parts.
struct CombineSignsOp {
    static constexpr const char* name = "combine_signs";
    int axis = 1;
    std::int64_t dropped_from = 0;
    bool adjoint = false;

    std::string text() const;
    ValueType result(ValueTypes inputs) const;
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
    std::vector<Value> gradient(const Value& result, const Value& g) const;
};

}  // namespace plumecast
