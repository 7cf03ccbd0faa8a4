#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <plumecast/inference/predicted_arrays.hpp>

namespace plumecast {

/// Bytes between neighbours along each axis.
std::vector<std::int64_t> byte_strides(const OutputArray& array);

/// Refuses names that are not among the outputs of a model. Throws InvalidInput naming the nearest one.
void require_known_fields(const std::vector<std::string>& names, const std::vector<std::string>& outputs);

/// Refuses arrays of other extents than [N, T, space...], of other elements than float32 and float64, and those that
/// share memory with themselves, with each other or with an array of `inputs`; two interleaved ones may have equal
/// strides. `inputs` is nullptr where cases come from a file. Throws InvalidInput naming the output and the remedy.
void require_outputs(const PredictedArrays& outputs, const std::vector<std::int64_t>& extents,
                     const MemoryCases* inputs);

}  // namespace plumecast
