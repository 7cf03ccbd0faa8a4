#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <plumecast/backend/backend.hpp>

namespace plumecast {

/// Whether a network is being trained: batch norm then uses the statistics of the batch.
enum class ExecutionMode { evaluation, training };

/// A tensor on a backend that remembers how it came about, when anything it depends on requires a gradient.
/// Copies share one value. Reverse-mode differentiation: see backward().
class Variable {
   public:
    /// Receives the gradient with respect to the result, which it may change or move from, and passes it on through
    /// gradient_output() or add_gradient() of the inputs.
    using Gradient = std::function<void(Tensor& gradient)>;

    Variable() = default;
    /// A leaf. The backend must outlive it.
    Variable(Backend& backend, Tensor value, bool requires_grad = false);
    /// The result of an operation on `inputs`; `gradient` is kept only when one of them requires a gradient.
    Variable(Backend& backend, Tensor value, std::vector<Variable> inputs, Gradient gradient);

    bool defined() const { return node_ != nullptr; }
    Backend& backend() const;
    const Shape& shape() const;
    /// Element type of value and gradient.
    DType type() const;
    ConstView value() const;
    /// The value itself, to be changed in place (weights by the optimizer).
    View mutable_value() const;
    bool requires_grad() const { return node_ && node_->requires_grad; }
    /// Of a frozen one it stays off.
    void set_requires_grad(bool wanted) const;
    /// The value is to stay as it is: no gradient is wanted any more.
    void freeze() const;
    bool is_frozen() const { return node_ && node_->frozen; }

    bool has_gradient() const { return node_ && node_->gradient_valid; }
    /// Gradient accumulated so far; throws Error when there is none.
    ConstView gradient() const;
    /// Where to add a contribution: beta is 0 for the first one and 1 for the others.
    OutputRef gradient_output() const;
    /// Adds a whole contribution, taking over its memory when it is the first.
    void add_gradient(Tensor contribution) const;
    /// Forgets the gradient but keeps its memory for the next step.
    void clear_gradient() const;

    /// Takes the value's memory when nobody else can still need it; an empty tensor otherwise.
    Tensor take_if_unshared();
    /// Forbids take_if_unshared: the gradient function reads the value.
    void keep_value() const;
    /// The same for copies of a variable and different for all others.
    const void* identity() const { return node_.get(); }

   private:
    struct Node {
        Backend* backend = nullptr;
        Tensor value;
        Tensor gradient;
        bool requires_grad = false;
        bool gradient_valid = false;
        bool value_kept = false;
        bool frozen = false;
        std::vector<Variable> inputs;
        Gradient pass_on;
    };
    friend void backward(const Variable&, Tensor, const std::function<void(const Variable&)>&);
    static std::vector<Variable> in_reverse_order(const Variable& root);

    std::shared_ptr<Node> node_;
};

/// True when one of the variables requires a gradient.
bool any_requires_grad(const std::vector<Variable>& variables);

/// Propagates the gradient with respect to `result` back to all leaves that want one, adding to what they hold, and
/// frees each intermediate value as soon as the last gradient that reads it is done. Happens once per result.
/// `leaf_done` hears of each leaf when nothing will be added to its gradient any more.
void backward(const Variable& result, Tensor gradient, const std::function<void(const Variable&)>& leaf_done = {});

}  // namespace plumecast
