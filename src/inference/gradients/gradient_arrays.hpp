#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <plumecast/inference/recording.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

namespace plumecast {

/// Refuses cotangents of other fields than `fields` and other series than `series`, of another shape than [N, T,
/// space...] or [N, T] or that cannot be read, and none at all. Throws InvalidInput naming the field and the remedy.
void require_cotangents(const FieldCotangents& cotangents, const std::vector<std::string>& fields,
                        const std::vector<std::string>& series, const Dataset& dataset);

/// Refuses another series than those that a recording of these cases has. Throws InvalidInput.
void require_series(const std::string& name, const std::vector<std::string>& series, const Dataset& dataset);

/// Refuses arrays for other inputs than those of the cases that have derivatives, of another shape, that cannot be
/// written, or that share memory with inputs (`inputs`, nullptr for a file), cotangents or each other, and none at all.
/// Throws InvalidInput.
void require_gradients(const GradientArrays& gradients, const Dataset& dataset, const MemoryCases* inputs,
                       const FieldCotangents& cotangents);

/// Writes entries of an array, row-major, from one along the first axis on.
void write_entries(const OutputArray& array, std::int64_t begin, std::span<const double> values);

}  // namespace plumecast
