#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <plumecast/distributed/communicator.hpp>
#include <plumecast/distributed/layout.hpp>

namespace plumecast {

/// Cells [low, high) of one axis.
struct CellRange {
    std::int64_t low = 0;
    std::int64_t high = 0;

    std::int64_t cells() const { return high > low ? high - low : 0; }
    friend bool operator==(const CellRange&, const CellRange&) = default;
};

/// Which cells of the space axes each rank holds: the product of one set of cuts per axis. Time, batch and channels are
/// whole on every rank. Rank numbers run row-major over the parts, the last axis fastest.
class Partition {
   public:
    /// Throws InvalidInput when the cuts do not make as many parts as the communicator has ranks. The communicator must
    /// outlive the partition.
    Partition(Communicator& ranks, std::vector<AxisPartition> cuts);

    Communicator& ranks() const { return *ranks_; }
    const std::vector<AxisPartition>& cuts() const { return cuts_; }
    int axes() const { return static_cast<int>(cuts_.size()); }
    /// Extents of the whole space.
    Shape extents() const;
    /// Cells of an axis that a rank holds.
    CellRange held(int rank, int axis) const;
    /// The box of space that this rank holds; may be empty.
    Box held() const;

    /// The level of half as many cells, each held by the rank that holds its centre.
    Partition coarser() const;

    /// Boxes of fields [B, space..., T, C], one per rank.
    Layout layout(std::int64_t batch, std::int64_t times, std::int64_t channels) const;
    /// The same with another range in place of the held one, for example what a convolution needs:
    /// range(axis, held) is called for every rank and axis, and clipped to the axis.
    using NeededRange = std::function<CellRange(int axis, CellRange held)>;
    Layout layout(std::int64_t batch, std::int64_t times, std::int64_t channels, const NeededRange& range) const;

   private:
    Communicator* ranks_;
    std::vector<AxisPartition> cuts_;
};

}  // namespace plumecast
