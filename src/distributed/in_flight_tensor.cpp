#include <plumecast/distributed/in_flight_tensor.hpp>

#include <array>
#include <utility>

namespace plumecast {

InFlightTensor InFlightTensor::forward(Backend& backend, std::shared_ptr<const Exchange> exchange, Tensor from,
                                       const Shape& shape) {
    InFlightTensor moving;
    moving.backend_ = &backend;
    moving.exchange_ = std::move(exchange);
    moving.sent_ = std::move(from);
    moving.received_ = Tensor(backend.memory(), shape, moving.sent_.type());
    moving.pending_ = moving.exchange_->start_forward(backend, std::array{std::as_const(moving.sent_).view()});
    return moving;
}

InFlightTensor InFlightTensor::adjoint(Backend& backend, std::shared_ptr<const Exchange> exchange, Tensor to,
                                       const Shape& shape) {
    InFlightTensor moving;
    moving.backend_ = &backend;
    moving.exchange_ = std::move(exchange);
    moving.sent_ = std::move(to);
    moving.received_ = Tensor(backend.memory(), shape, moving.sent_.type());
    moving.adds_ = true;
    moving.pending_ = moving.exchange_->start_adjoint(backend, std::array{std::as_const(moving.sent_).view()});
    return moving;
}

Tensor InFlightTensor::wait() {
    if (pending_) {
        const std::array target{OutputRef{received_.view()}};
        if (adds_) {
            exchange_->finish_adjoint(std::move(pending_), target);
        } else {
            exchange_->finish_forward(std::move(pending_), target);
        }
        sent_ = Tensor();
    }
    return std::move(received_);
}

}  // namespace plumecast
