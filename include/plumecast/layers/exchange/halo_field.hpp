#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <plumecast/distributed/conv_halo.hpp>
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
