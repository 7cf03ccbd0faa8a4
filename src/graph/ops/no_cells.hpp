#pragma once

#include <vector>

#include <plumecast/graph/op.hpp>

namespace plumecast {

/// The result of an op on a rank that holds no cell of it, [..., C] with an extent of 0. Its inputs are those of the
/// op, fields without cells and weights: what comes before, such as exchanges, is still needed, and gradients of the
/// weights are asked for on all ranks alike. They are zeros.
struct NoCellsOp {
    static constexpr const char* name = "no_cells";
    Shape shape;

    ValueType result(ValueTypes inputs) const;
    void evaluate(Backend& /*backend*/, OpInputs /*inputs*/, View /*result*/) const {}
    std::vector<Value> gradient(const Value& result, const Value& g) const;
};

/// Zeros of a shape, once a value is there that is not read.
struct ZerosOp {
    static constexpr const char* name = "zeros";
    Shape shape;

    ValueType result(ValueTypes /*inputs*/) const { return {shape}; }
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
};

}  // namespace plumecast
