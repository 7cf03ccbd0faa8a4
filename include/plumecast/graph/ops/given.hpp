#pragma once

#include <memory>
#include <string>
#include <vector>

#include <plumecast/graph/op.hpp>

namespace plumecast {

/// Given anew with every run.
struct InputOp {
    static constexpr const char* name = "input";
    std::string of;
    ValueType type;
    ValueType result(ValueTypes /*inputs*/) const { return type; }
};

/// A weight of the model, or a buffer such as running statistics, under its path name.
struct WeightOp {
    static constexpr const char* name = "weight";
    std::string of;
    Shape shape;
    double low = 0.0, high = 0.0;  ///< initial values are uniform in [low, high)
    bool trainable = true;         ///< false for buffers
    bool complex_valued = false;   ///< pairs of numbers count as one
    ValueType result(ValueTypes /*inputs*/) const { return {shape}; }
};

/// Numbers that depend on the grid alone, such as the matrix of a transform.
struct ConstantOp {
    static constexpr const char* name = "constant";
    std::string of;
    Shape shape;
    std::shared_ptr<const std::vector<double>> values;
    DType type = DType::float32;
    ValueType result(ValueTypes /*inputs*/) const { return {shape, type}; }
};

}  // namespace plumecast
