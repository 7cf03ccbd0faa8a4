#include <utility>

#include <plumecast/architectures/weight.hpp>

namespace plumecast {

Weight::Weight(Backend& backend, Tensor value) : held_(std::make_shared<Held>()) {
    held_->backend = &backend;
    held_->value = std::move(value);
}

ConstView Weight::value() const { return std::as_const(held_->value).view(); }

ConstView Weight::gradient() const {
    expects(has_gradient(), "a gradient that was computed");
    return std::as_const(held_->gradient).view();
}

View Weight::gradient_output() const {
    if (held_->gradient.empty()) {
        held_->gradient = Tensor(held_->backend->memory(), shape(), type());
    }
    held_->has_gradient = true;
    return held_->gradient.view();
}

}  // namespace plumecast
