#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/backend/ops.hpp>
#include <plumecast/distributed/exchange.hpp>
#include <plumecast/distributed/partition.hpp>

namespace plumecast {

/// A convolution over fields that ranks hold in boxes of space: what it needs of its neighbours, and the geometry with
/// which each rank then computes its own cells. Zero padding remains at the ends of the space; time is never cut.
class ConvHalo {
   public:
    /// Cells of the output and of the input held by each rank. Partitions of transposed convolutions and of strides
    /// that follow coarse_partition() need one neighbouring cell at most; any others work as well.
    ConvHalo(const ConvGeometry& geometry, Partition inputs, Partition outputs);

    /// The geometry on this rank's needed cells.
    const ConvGeometry& local() const { return local_; }
    /// A rank without cells of the output has nothing to compute, but its cells may be needed elsewhere.
    bool computes_nothing() const { return outputs_.held().empty(); }
    /// Shape of this rank's output for an input of so many cases and time steps.
    Shape output_shape(const Shape& input, std::int64_t channels) const;
    /// Cells of inputs like `input` [B, space..., T, C] that this rank needs, from whoever holds them.
    Box needed_box(const Shape& input) const { return needed_box(inputs_.ranks().rank(), input); }
    /// From this rank's own cells of such an input to those that it needs for this convolution and others over the same
    /// partition: sent_box(). Collective, the first time.
    std::shared_ptr<const Exchange> exchange(const Shape& input, const std::vector<const ConvHalo*>& others = {});
    /// The smallest box around what all of them need.
    Box sent_box(const Shape& input, const std::vector<const ConvHalo*>& others = {}) const {
        return sent_box(inputs_.ranks().rank(), input, others);
    }

   private:
    /// What outputs [low, high) of an axis need of the input, before clipping to the space.
    CellRange needed(int axis, CellRange outputs) const;
    Box needed_box(int rank, const Shape& input) const;
    Box sent_box(int rank, const Shape& input, const std::vector<const ConvHalo*>& others) const;

    ConvGeometry geometry_, local_;
    Partition inputs_, outputs_;
    // One exchange per batch size, time steps and channels met, and per set of convolutions served.
    std::map<std::pair<std::string, std::vector<const ConvHalo*>>, std::shared_ptr<const Exchange>> exchanges_;
};

}  // namespace plumecast
