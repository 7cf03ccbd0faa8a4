#pragma once

#include <string>
#include <vector>

#include <plumecast/graph/op.hpp>

namespace plumecast {

/// a + b.
struct AddOp {
    static constexpr const char* name = "add";
    ValueType result(ValueTypes inputs) const;
    std::vector<int> in_place(std::size_t /*inputs*/) const { return {0, 1}; }
    std::size_t fields() const { return 2; }
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
    std::vector<Value> gradient(const Value& result, const Value& g) const;
};

/// a b, element by element.
struct MultiplyOp {
    static constexpr const char* name = "multiply";
    Fused fused = {};

    std::string text() const { return fused.text(); }
    ValueType result(ValueTypes inputs) const;
    std::size_t fields() const { return 2; }
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
    std::vector<Value> gradient(const Value& result, const Value& g) const;
};

/// f(x), element by element.
struct ActivateOp {
    static constexpr const char* name = "activate";
    Activation activation;

    std::string text() const;
    ValueType result(ValueTypes inputs) const;
    std::vector<int> in_place(std::size_t /*inputs*/) const { return {0}; }
    std::size_t fields() const { return 1; }
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
    std::vector<Value> gradient(const Value& result, const Value& g) const;
};

/// The same numbers as another element type.
struct CastOp {
    static constexpr const char* name = "cast";
    DType type = DType::float32;
    ValueType result(ValueTypes inputs) const { return {inputs[0].shape, type}; }
    std::size_t fields() const { return 1; }
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
    std::vector<Value> gradient(const Value& result, const Value& g) const;
};

/// g f', from what the derivative follows from (Activation::known_from_output()) and g.
struct ActivationGradientOp {
    static constexpr const char* name = "activation_gradient";
    Activation activation;
    std::string text() const { return ActivateOp{activation}.text(); }
    ValueType result(ValueTypes inputs) const;
    std::vector<int> in_place(std::size_t /*inputs*/) const { return {1}; }
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
};

}  // namespace plumecast
