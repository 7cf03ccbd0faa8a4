#pragma once

#include <string>
#include <vector>

#include <plumecast/graph/op.hpp>

namespace plumecast {

/// A field or a spectrum as Backend::forward_fft() takes it: [outer, transformed axes..., C].
Shape around_fft(const Shape& shape, const FourierGeometry& geometry);

/// The kept modes of a field [..., cells..., C] over its last axes, all at once: [..., 2 m..., 2 mt, C]
/// (Backend::forward_fft). Only for backends that say they have it.
struct ForwardFftOp {
    static constexpr const char* name = "forward_fft";
    FourierGeometry geometry;

    std::string text() const;
    ValueType result(ValueTypes inputs) const;
    double operations(ValueTypes inputs, const Shape& result) const;
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
    std::vector<Value> gradient(const Value& result, const Value& g) const;
};

/// The first `cells` of the real field of such modes (Backend::inverse_fft), the transpose of ForwardFftOp.
struct InverseFftOp {
    static constexpr const char* name = "inverse_fft";
    FourierGeometry geometry;
    Shape cells;
    Fused fused = {};
    DType type = DType::float32;  ///< of the result

    std::string text() const;
    ValueType result(ValueTypes inputs) const;
    double operations(ValueTypes inputs, const Shape& result) const;
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
    std::vector<Value> gradient(const Value& result, const Value& g) const;
};

}  // namespace plumecast
