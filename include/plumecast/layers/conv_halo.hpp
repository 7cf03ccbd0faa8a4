#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <plumecast/backend/backend.hpp>
#include <plumecast/distributed/exchange.hpp>
#include <plumecast/distributed/placement.hpp>
#include <plumecast/layers/epilogue.hpp>
#include <plumecast/layers/variable.hpp>

namespace plumecast {

/// x in another layout of the ranks; the gradient travels back and adds up. `result` is the shape of this rank's box.
/// Collective, forward and backward: all ranks call their layers in one order.
Variable exchanged(const Variable& x, std::shared_ptr<const Exchange> exchange, const Shape& result);

/// A convolution over fields that ranks hold in boxes of space: what it needs of its neighbours, and the geometry with
/// which each rank then computes its own cells. Zero padding remains at the ends of the space; time is never cut.
class ConvHalo {
   public:
    /// Cells of the output and of the input held by each rank. Placements of transposed convolutions and of strides
    /// that follow coarse_cuts() need one neighbouring cell at most; any others work as well.
    ConvHalo(const ConvGeometry& geometry, Placement inputs, Placement outputs);

    /// The geometry on this rank's needed cells.
    const ConvGeometry& local() const { return local_; }
    /// A rank without cells of the output has nothing to compute, but its cells may be needed elsewhere.
    bool computes_nothing() const { return outputs_.held().empty(); }
    /// Shape of this rank's output for an input of so many cases and time steps.
    Shape output_shape(const Variable& input, std::int64_t channels) const;
    /// The input's cells that this rank needs, from whoever holds them.
    Variable with_neighbours(const Variable& input) const;

   private:
    /// What outputs [low, high) of an axis need of the input, before clipping to the space.
    CellRange needed(int axis, CellRange outputs) const;
    /// Cells of inputs like `input` [B, space..., T, C] that a rank needs.
    Box needed_box(int rank, const Shape& input) const;

    ConvGeometry geometry_, local_;
    Placement inputs_, outputs_;
    // One exchange per batch size, time steps and channels met.
    mutable std::map<std::string, std::shared_ptr<const Exchange>> exchanges_;
};

/// conv() over fields that ranks hold in boxes; weight gradients are this rank's share, to be added up over the ranks.
Variable conv(const ConvHalo& halo, const std::vector<Variable>& inputs, const Variable& weight, const Variable& bias,
              Epilogue epilogue = {});

}  // namespace plumecast
