#pragma once

#include <span>
#include <string>
#include <vector>

#include <plumecast/graph/op.hpp>

namespace plumecast {

/// A convolution over three axes or four, see ConvGeometry. Inputs x, weight and, if wanted, bias; x may come in
/// several parts, whose channels follow one another.
struct ConvOp {
    static constexpr const char* name = "conv";
    ConvGeometry geometry;
    int parts = 1;
    Fused fused = {};

    std::string text() const;
    ValueType result(ValueTypes inputs) const;
    std::vector<int> in_place(std::size_t inputs) const { return fused.in_place(inputs); }
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
    std::vector<ValueType> further_results(ValueTypes /*inputs*/) const { return {parts.begin() + 1, parts.end()}; }
    std::vector<int> in_place(std::size_t inputs) const { return accumulated.in_place(inputs); }
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
    std::vector<int> in_place(std::size_t inputs) const { return accumulated.in_place(inputs); }
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
};

}  // namespace plumecast
