#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/backend/backend.hpp>
#include <plumecast/distributed/exchange.hpp>
#include <plumecast/distributed/partition.hpp>
#include <plumecast/layers/epilogue.hpp>
#include <plumecast/layers/variable.hpp>

namespace plumecast {

/// A field on its way to another layout of the ranks: the messages travel from here to wait(), and those of the
/// gradient from the first of its uses to whatever else hands on a gradient to the field.
class InFlightField {
   public:
    /// `result` is the shape of this rank's box. Collective, forward and backward: all ranks call their layers in one
    /// order.
    InFlightField(const Variable& x, std::shared_ptr<const Exchange> exchange, const Shape& result);

    /// Waits. The same variable every time.
    Variable wait() const;
    /// Hands on the gradient to the field; undefined where none is wanted. See SpectralBranch on the order.
    const Variable& started() const;

   private:
    struct State;
    std::shared_ptr<State> state_;
};

/// x in another layout of the ranks; the gradient travels back and adds up. Collective, as above.
Variable exchanged(const Variable& x, std::shared_ptr<const Exchange> exchange, const Shape& result);

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
    Shape output_shape(const Variable& input, std::int64_t channels) const;
    /// Cells of inputs like `input` [B, space..., T, C] that this rank needs, from whoever holds them.
    Box needed_box(const Shape& input) const { return needed_box(inputs_.ranks().rank(), input); }
    /// The input's cells that this rank needs for this convolution and others over the same partition.
    InFlightField sent(const Variable& input, const std::vector<const ConvHalo*>& others = {}) const;
    /// The box that such a field covers: the smallest around what all of them need.
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
    mutable std::map<std::pair<std::string, std::vector<const ConvHalo*>>, std::shared_ptr<const Exchange>> exchanges_;
};

/// The input of one or more convolutions. Where ranks hold fields in boxes, what all of them need of the neighbours
/// travels together, one message per neighbour, from here to the first of the convolutions.
class HaloField {
   public:
    /// What a convolution that is given a field needs of it is sent when it is called.
    HaloField(Variable x) : x_(std::move(x)) {}  // NOLINT
    /// `uses`: Conv::halo() of the convolutions, which are nullptr where fields are whole. Collective.
    HaloField(const Variable& x, const std::vector<const ConvHalo*>& uses);

    /// The field on this rank's own cells.
    const Variable& own() const { return x_; }
    /// The field on the cells that one of the convolutions needs. Collective.
    Variable around(const ConvHalo& use) const;
    /// See InFlightField::started().
    Variable started() const { return in_flight_ ? in_flight_->started() : Variable(); }

   private:
    Variable x_;
    Box box_;
    std::optional<InFlightField> in_flight_;
};

/// conv() over fields that ranks hold in boxes; weight gradients are this rank's partial sums, to be added up over the
/// ranks.
Variable conv(const ConvHalo& halo, const std::vector<HaloField>& inputs, const Variable& weight, const Variable& bias,
              Epilogue epilogue = {});

}  // namespace plumecast
