#pragma once

#include <memory>

#include <plumecast/backend/backend.hpp>

namespace plumecast {

/// The memory of a weight or buffer on a backend, and of its gradient while there is one. Copies share both.
class Weight {
   public:
    Weight() = default;
    /// The backend must outlive it.
    Weight(Backend& backend, Tensor value);

    const Shape& shape() const { return held_->value.shape(); }
    /// Element type of value and gradient.
    DType type() const { return held_->value.type(); }
    ConstView value() const;
    /// The value itself, to be changed in place.
    View mutable_value() const { return held_->value.view(); }

    bool has_gradient() const { return held_->has_gradient; }
    /// Throws Error when there is none.
    ConstView gradient() const;
    /// Where it is written; from then on it is there. Throws OutOfMemory.
    View gradient_output() const;
    /// Forgets the gradient but keeps its memory for the next step.
    void clear_gradient() const { held_->has_gradient = false; }

    /// The value is to stay as it is: no gradient is wanted any more.
    void freeze() const { held_->frozen = true; }
    bool is_frozen() const { return held_->frozen; }

   private:
    struct Held {
        Backend* backend = nullptr;
        Tensor value, gradient;
        bool has_gradient = false;
        bool frozen = false;
    };
    std::shared_ptr<Held> held_;
};

}  // namespace plumecast
