#include <plumecast/layers/relocation.hpp>

#include <array>
#include <utility>

namespace plumecast {

Relocation Relocation::forward(Backend& backend, std::shared_ptr<const Exchange> exchange, Tensor from,
                               const Shape& shape) {
    Relocation moving;
    moving.backend_ = &backend;
    moving.exchange_ = std::move(exchange);
    moving.sent_ = std::move(from);
    moving.arrived_ = Tensor(backend.memory(), shape, moving.sent_.type());
    moving.pending_ = moving.exchange_->start_forward(backend, std::array{std::as_const(moving.sent_).view()});
    return moving;
}

Relocation Relocation::adjoint(Backend& backend, std::shared_ptr<const Exchange> exchange, Tensor to,
                               const Shape& shape) {
    Relocation moving;
    moving.backend_ = &backend;
    moving.exchange_ = std::move(exchange);
    moving.sent_ = std::move(to);
    moving.arrived_ = Tensor(backend.memory(), shape, moving.sent_.type());
    moving.adds_ = true;
    moving.pending_ = moving.exchange_->start_adjoint(backend, std::array{std::as_const(moving.sent_).view()});
    return moving;
}

Tensor Relocation::arrived() {
    if (pending_) {
        const std::array target{Target{arrived_.view()}};
        if (adds_) {
            exchange_->finish_adjoint(std::move(pending_), target);
        } else {
            exchange_->finish_forward(std::move(pending_), target);
        }
        sent_ = Tensor();
    }
    return std::move(arrived_);
}

}  // namespace plumecast
