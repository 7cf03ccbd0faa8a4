#pragma once

#include <string>
#include <vector>

#include <plumecast/graph/op.hpp>

namespace plumecast {

/// The box of these extents that begins at `low`.
struct CropOp {
    static constexpr const char* name = "crop";
    Shape low, extents;

    std::string text() const;
    std::size_t fields() const { return 1; }
    Shape needed(const Shape& field, const Shape& result) const;
    CropOp cropped(const Shape& box) const { return {low, box}; }
    bool is_by_cell() const { return false; }
    ValueType result(ValueTypes inputs) const;
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
    std::vector<Value> gradient(const Value& result, const Value& g) const;
};

/// Its transpose: the input as a box of an array of these extents, zero elsewhere.
struct PlaceOp {
    static constexpr const char* name = "place";
    Shape low, extents;
    Accumulated accumulated = {};

    std::string text() const;
    ValueType result(ValueTypes inputs) const;
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
    std::vector<Value> gradient(const Value& result, const Value& g) const;
};

/// The same numbers under another shape.
struct ReshapeOp {
    static constexpr const char* name = "reshape";
    Shape shape;
    ValueType result(ValueTypes inputs) const;
    std::vector<int> in_place(std::size_t /*inputs*/) const { return {0}; }
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
    std::vector<Value> gradient(const Value& result, const Value& g) const;
};

/// Fields one after the other along the channels.
struct ConcatOp {
    static constexpr const char* name = "concat";
    bool is_by_cell() const { return true; }
    ValueType result(ValueTypes inputs) const;
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
    std::vector<Value> gradient(const Value& result, const Value& g) const;
};

}  // namespace plumecast
