#pragma once

#include <cstdint>
#include <vector>

#include <plumecast/core/tensor.hpp>

namespace plumecast {

/// For each of our modes 0..m-1, -m..-1 of an axis of space: the entry of a published weight that is its, or -1 where
/// the weight has none.
using ModesOfAxis = std::vector<std::int64_t>;

/// The `count` entries of our modes 0..m-1 alone.
ModesOfAxis positive_modes(std::int64_t count);
/// Those of our modes -m..-1 alone.
ModesOfAxis negative_modes(std::int64_t count);
/// Those of a weight of `entries` modes in the order of frequencies, the lowest first, which has -entries / 2 first:
/// ours are as many, or one more.
ModesOfAxis ordered_modes(std::int64_t entries);

/// Copies the entries of a published spectral weight [I, O, entries of each axis of space..., mt, 2] that are modes of
/// ours, [2 m..., mt, 2, I, O], and leaves the others. Both have one element type.
void place_modes(const Tensor& published, const std::vector<ModesOfAxis>& axes, Tensor& ours);

}  // namespace plumecast
