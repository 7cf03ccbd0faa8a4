#pragma once

#include <span>
#include <string>
#include <vector>

#include <plumecast/graph/op.hpp>

namespace plumecast {

/// Each weight once per cell: of the result, or of the input of a transposed convolution.
inline double conv_operations(const ConvGeometry& geometry, const Shape& x, const Shape& result, const Shape& weight) {
    const Shape& cells = geometry.transposed ? x : result;
    return 2.0 * static_cast<double>(cells.count(0, cells.rank() - 1)) * static_cast<double>(weight.count());
}

/// A convolution over three axes or four, see ConvGeometry. Inputs x, weight and, if wanted, bias; x may come in
/// several parts, whose channels follow one another.
struct ConvOp {
    static constexpr const char* name = "conv";
    ConvGeometry geometry;
    int parts = 1;
    Fused fused = {};

    std::string text() const;
    ValueType result(ValueTypes inputs) const;
    double operations(ValueTypes inputs, const Shape& result) const {
        return conv_operations(geometry, inputs[0].shape, result, inputs[static_cast<std::size_t>(parts)].shape);
    }
    std::size_t fields() const { return static_cast<std::size_t>(parts); }
    Shape needed(const Shape& field, const Shape& result) const;
    ConvOp giving(const Shape& fields, const Shape& wanted) const;
    double taps() const;
    const ConvGeometry* neighbours() const { return &geometry; }
    ConvOp with_neighbours(const ConvGeometry& own) const { return {own, parts, fused}; }
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
    std::vector<PackedInput> pack(Backend& backend, OpInputs inputs, View result) const;
    std::vector<Value> gradient(const Value& result, const Value& g) const;
};

/// Its gradient with respect to x, from that of the result and the weight; with respect to further parts of x as
/// further results.
struct ConvDataGradientOp {
    static constexpr const char* name = "conv_data_gradient";
    ConvGeometry geometry;
    std::vector<ValueType> parts;
    Accumulated accumulated = {};  ///< the first part

    std::string text() const;
    ValueType result(ValueTypes inputs) const;
    double operations(ValueTypes inputs, const Shape& /*result*/) const {
        return conv_operations(geometry, parts[0].shape, inputs[0].shape, inputs[1].shape);
    }
    std::vector<ValueType> further_results(ValueTypes /*inputs*/) const { return {parts.begin() + 1, parts.end()}; }
    void evaluate(Backend& backend, OpInputs inputs, View result, std::span<const View> further) const;
    std::vector<PackedInput> pack(Backend& backend, OpInputs inputs, View result) const;
};

/// Its gradient with respect to the weight, from x and that of the result.
struct ConvWeightGradientOp {
    static constexpr const char* name = "conv_weight_gradient";
    ConvGeometry geometry;
    Shape weight;
    int parts = 1;
    Accumulated accumulated = {};

    std::string text() const;
    ValueType result(ValueTypes inputs) const;
    double operations(ValueTypes inputs, const Shape& /*result*/) const {
        return conv_operations(geometry, inputs[0].shape, inputs[static_cast<std::size_t>(parts)].shape, weight);
    }
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
};

}  // namespace plumecast
