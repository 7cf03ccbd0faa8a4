#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <plumecast/graph/op.hpp>

namespace plumecast {

/// Some rows of a matrix [N, C], in this order.
struct RowsOp {
    static constexpr const char* name = "rows";
    std::vector<std::int64_t> rows;

    std::string text() const;
    ValueType result(ValueTypes inputs) const;
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
    std::vector<Value> gradient(const Value& result, const Value& g) const;
};

/// Its transpose: a matrix of `count` rows, zero but for these.
struct ScatterRowsOp {
    static constexpr const char* name = "scatter_rows";
    std::vector<std::int64_t> rows;
    std::int64_t count = 0;
    ValueType result(ValueTypes inputs) const;
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
};

/// Each row of an array [N, ...] times its entry of a vector [N].
struct ScaleRowsOp {
    static constexpr const char* name = "scale_rows";
    ValueType result(ValueTypes inputs) const;
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
};

}  // namespace plumecast
