#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <plumecast/backend/backend.hpp>
#include <plumecast/distributed/communicator.hpp>
#include <plumecast/distributed/layout.hpp>

namespace plumecast {

/// Moves values from one layout of a global array to another: transposes, halos, broadcasts and gradient sums, reading
/// and writing of files, and resuming on another number of ranks are all this object.
///
/// A linear map. forward() copies every cell of `to` from the rank that holds it in `from`; adjoint(), its transpose,
/// runs the plan backwards and adds, in the order of the ranks, so that the sum does not depend on who was quicker.
/// Boxes of `to` may overlap; boxes of `from` must not. Views are the arrays of this rank, one per box, in order, of
/// the box's extents and of one element type (compute_type() where there is no box); messages hold only the cells that
/// travel, one message per pair of ranks.
class Exchange {
   public:
    /// Collective: the ranks compare a hash of the plan. The communicator must outlive the exchange.
    /// Throws InvalidInput when boxes of `from` overlap or the layouts name another number of ranks, CommError when
    /// ranks were given different layouts.
    Exchange(Communicator& communicator, const Layout& from, const Layout& to);
    ~Exchange();
    Exchange(Exchange&&) noexcept;
    Exchange& operator=(Exchange&&) noexcept;

    /// Messages on their way, with the buffers they need.
    class Pending;
    /// Waits for the messages before it frees their buffers.
    struct PendingDeleter {
        void operator()(Pending* pending) const;
    };
    using PendingExchange = std::unique_ptr<Pending, PendingDeleter>;

    /// The ranks that exchange.
    Communicator& ranks() const;

    /// to = from + beta to on the cells that `from` covers; other cells of `to` stay as they are. Collective.
    void forward(Backend& backend, std::span<const ConstView> from, std::span<const OutputRef> to) const;
    /// from = sum of to over all ranks + beta from, with beta 0 or 1; cells nobody needs get 0. Collective.
    void adjoint(Backend& backend, std::span<const ConstView> to, std::span<const OutputRef> from) const;

    /// The first half of forward() or adjoint(): the messages travel while other work is done. The views must stay in
    /// place until the second half, which receives. `messages` is memory for what is sent and received, of
    /// message_elements() of the views' type, that stays in place as well; without it the exchange takes its own.
    PendingExchange start_forward(Backend& backend, std::span<const ConstView> from, View messages = {}) const;
    PendingExchange start_adjoint(Backend& backend, std::span<const ConstView> to, View messages = {}) const;
    void finish_forward(PendingExchange pending, std::span<const OutputRef> to) const;
    void finish_adjoint(PendingExchange pending, std::span<const OutputRef> from) const;

    /// Elements of the messages of one forward() or adjoint() that need memory: all that this rank receives, and of
    /// what it sends whatever does not lie in one piece in its array.
    std::int64_t message_elements(bool adjoint) const;

   private:
    struct Piece;
    struct Side;
    struct Sides;

    PendingExchange start(Backend& backend, const Side& sends, const Side& receives, std::span<const ConstView> views,
                          View messages) const;
    void finish(PendingExchange pending, const Side& sends, const Side& receives, std::span<const OutputRef> targets,
                bool adding) const;

    std::unique_ptr<Sides> sides_;
};

}  // namespace plumecast
