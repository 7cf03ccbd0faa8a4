#pragma once

#include <memory>

#include <plumecast/distributed/exchange.hpp>

namespace plumecast {

/// An array in flight to another layout of the ranks: its messages are sent while other work is done, until wait().
class InFlightTensor {
   public:
    /// Nothing in flight.
    InFlightTensor() = default;
    /// An array that is where it should be.
    explicit InFlightTensor(Tensor here) : received_(std::move(here)) {}
    /// Exchange::forward() of an array that nobody else needs; `shape` is that of this rank's result. Collective.
    static InFlightTensor forward(Backend& backend, std::shared_ptr<const Exchange> exchange, Tensor from,
                                  const Shape& shape);
    /// Exchange::adjoint(), which adds up. Collective.
    static InFlightTensor adjoint(Backend& backend, std::shared_ptr<const Exchange> exchange, Tensor to,
                                  const Shape& shape);

    /// Waits for the messages. Once.
    Tensor wait();

   private:
    Backend* backend_ = nullptr;
    std::shared_ptr<const Exchange> exchange_;
    Tensor sent_, received_;
    Exchange::PendingExchange pending_;
    bool adds_ = false;
};

}  // namespace plumecast
