#pragma once

#include <string>
#include <vector>

#include <plumecast/graph/op.hpp>

namespace plumecast {

/// An axis moved behind the others, before the channels; or the last of them moved back to its place.
struct TurnOp {
    static constexpr const char* name = "turn";
    int axis = 1;
    bool back = false;

    std::string text() const { return "axis " + std::to_string(axis) + (back ? " back" : ""); }
    ValueType result(ValueTypes inputs) const;
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
    std::vector<Value> gradient(const Value& result, const Value& g) const;
    /// For each axis of the result, that of the input.
    std::vector<std::int64_t> order(int rank) const;
};

}  // namespace plumecast
