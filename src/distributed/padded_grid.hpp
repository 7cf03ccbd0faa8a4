#pragma once

#include <plumecast/backend/ops.hpp>
#include <plumecast/distributed/partition.hpp>

/// What ranks read and predict of cases of extents [space..., T] that a network continues to a padded grid, which the
/// ranks hold in boxes: pure arithmetic, no messages.
namespace plumecast {

/// The space cells that a rank reads: those it holds, and where it holds padding only, the last ones, which the padding
/// may repeat. Never empty.
Box box_read(const Partition& padded, const Shape& extents, int rank);
/// The space cells that a rank predicts; may be empty.
Box box_predicted(const Partition& padded, const Shape& extents, int rank);
/// How the cells that a rank reads are continued to those it holds; `whole` says it of the whole grid.
Padding held_padding(const Partition& padded, const Padding& whole, int rank);

}  // namespace plumecast
