#pragma once

#include <vector>

#include <plumecast/graph/op.hpp>

namespace plumecast {

/// Four products and as many sums of real numbers for each pair of complex ones.
inline double complex_operations(const Shape& numbers, std::int64_t channels) {
    return 4.0 * static_cast<double>(numbers.count() * channels);
}

/// Each mode times its complex matrix: x [B, K..., 2 mt, I], weight [K..., mt, 2, I, O] -> [B, K..., 2 mt, O].
struct SpectralMultiplyOp {
    static constexpr const char* name = "spectral_multiply";
    ValueType result(ValueTypes inputs) const;
    double operations(ValueTypes inputs, const Shape& result) const {
        return complex_operations(result, inputs[0].shape[-1]);
    }
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
    std::vector<Value> gradient(const Value& result, const Value& g) const;
};

/// Its gradient with respect to x, from those of the result and the weight.
struct SpectralDataGradientOp {
    static constexpr const char* name = "spectral_data_gradient";
    ValueType result(ValueTypes inputs) const;
    double operations(ValueTypes inputs, const Shape& result) const {
        return complex_operations(result, inputs[0].shape[-1]);
    }
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
};

/// Its gradient with respect to the weight, from x and that of the result.
struct SpectralWeightGradientOp {
    static constexpr const char* name = "spectral_weight_gradient";
    Shape weight;
    Accumulated accumulated = {};

    std::string text() const { return accumulated.text(); }
    ValueType result(ValueTypes inputs) const;
    double operations(ValueTypes inputs, const Shape& /*result*/) const {
        return complex_operations(inputs[0].shape, inputs[1].shape[-1]);
    }
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
};

}  // namespace plumecast
