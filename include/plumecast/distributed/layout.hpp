#pragma once

#include <cstdint>
#include <vector>

#include <plumecast/core/box.hpp>

/// Which rank holds which boxes of a global array: pure arithmetic, known to all ranks alike, no messages.
namespace plumecast {

/// Boxes of one index space, [rank][array of that rank]. A rank without boxes, and empty boxes, are allowed.
using Layout = std::vector<std::vector<Box>>;

/// Positions 0 = c[0] <= c[1] <= ... <= c[parts] = cells that cut an axis; part p holds [c[p], c[p+1]).
using AxisPartition = std::vector<std::int64_t>;

/// Parts that differ by one cell at most, the larger ones first. Throws InvalidInput for parts < 1 or cells < 0.
AxisPartition balanced_partition(std::int64_t cells, int parts);

/// Partitions of an axis of half as many cells, rounded up: a coarse cell belongs to the part that holds its centre,
/// the fine cell 2 i. Convolutions between the two levels then need one neighbouring cell at most.
AxisPartition coarse_partition(const AxisPartition& fine);

/// Rank p holds cells [cuts[p], cuts[p+1]) along `axis`, all others whole.
Layout partition_layout(const Shape& extents, int axis, const AxisPartition& cuts);

/// Every box of a layout, grown by `low` and `high` cells along `axis` and clipped to the array. Empty boxes stay
/// empty.
Layout halo_layout(const Layout& owned, const Shape& extents, int axis, std::int64_t low, std::int64_t high);

/// Each of `ranks` ranks holds everything.
Layout replicated_layout(const Shape& extents, int ranks);

/// One of `ranks` ranks holds everything, the others nothing.
Layout gathered_layout(const Shape& extents, int root, int ranks);

}  // namespace plumecast
