#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/inference/predicted_arrays.hpp>

namespace plumecast {

/// Bytes between neighbours along each axis.
std::vector<std::int64_t> byte_strides(const OutputArray& array);

/// Refuses names that are not among the outputs of a model. Throws InvalidInput naming the nearest one.
void require_known_fields(const std::vector<std::string>& names, const std::vector<std::string>& outputs);

/// The arrays of the caller's that a call writes: each "output" of the same extents, which "cases, times and grid" ask
/// for, or each "gradient" of its own.
struct WrittenArrays {
    const char* kind;
    const char* shaped_by;
    std::map<std::string, std::vector<std::int64_t>> extents;  ///< by name
};

/// Refuses arrays of other extents and of other elements than float32 and float64, and those that share memory with
/// themselves, with each other or with an array that is `read`, by kind; two interleaved ones may have equal strides.
/// Throws InvalidInput naming the array and the remedy.
void require_apart(const std::map<std::string, OutputArray>& arrays, const WrittenArrays& written,
                   const std::vector<std::pair<const char*, const std::map<std::string, ArrayView>*>>& read);

/// The same of fields of such extents [N, T, space...]; `inputs` is nullptr where cases come from a file.
void require_outputs(const PredictedArrays& outputs, const std::vector<std::int64_t>& extents,
                     const MemoryCases* inputs);

}  // namespace plumecast
