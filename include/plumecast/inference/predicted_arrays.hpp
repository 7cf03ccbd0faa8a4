#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <plumecast/reservoir/dataset/memory_cases.hpp>

namespace plumecast {

/// An array of the caller's that a predicted field is written to: [N, T, Z, R], or [N, T, Z, Y, X] of a Cartesian grid.
struct OutputArray {
    /// The element whose indices are all 0; need not be aligned.
    void* data = nullptr;
    /// float32 or float64.
    ElementType type = ElementType::float32;
    /// Entries along each axis, slowest first.
    std::vector<std::int64_t> extents;
    /// Elements between neighbours along each axis, negative ones go backwards; empty for row-major arrays without
    /// gaps. No two entries may share memory.
    std::vector<std::int64_t> strides = {};
};

/// An array whose element type the compiler knows.
template <class T>
OutputArray output_to(T* data, std::vector<std::int64_t> extents, std::vector<std::int64_t> strides = {}) {
    return {data, element_type_of<T>(), std::move(extents), std::move(strides)};
}

/// Where predicted fields go in memory, by their names: "gas_saturation" [1], "pressure_buildup" [bar],
/// "dissolved_co2". Fields that are not named are not kept, and networks that only they need are not computed.
struct PredictedArrays {
    std::map<std::string, OutputArray> arrays;
};

/// Cases to predict: the path of a data set or of a file of ready-made channels, or arrays in memory.
using PredictionInput = std::variant<std::string, MemoryCases>;
/// Where the fields go: the path of a result file, or arrays in memory.
using PredictionOutput = std::variant<std::string, PredictedArrays>;

}  // namespace plumecast
