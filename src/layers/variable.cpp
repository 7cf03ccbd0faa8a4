#include <algorithm>
#include <unordered_set>
#include <utility>

#include <plumecast/layers/variable.hpp>

namespace plumecast {

Variable::Variable(Backend& backend, Tensor value, bool requires_grad) : node_(std::make_shared<Node>()) {
    node_->backend = &backend;
    node_->value = std::move(value);
    node_->requires_grad = requires_grad;
    node_->value_kept = true;
}

Variable::Variable(Backend& backend, Tensor value, std::vector<Variable> inputs, Gradient gradient)
    : Variable(backend, std::move(value), any_requires_grad(inputs)) {
    node_->value_kept = false;
    if (node_->requires_grad) {
        node_->inputs = std::move(inputs);
        node_->pass_on = std::move(gradient);
    }
}

Backend& Variable::backend() const {
    expects(defined(), "a defined variable");
    return *node_->backend;
}

const Shape& Variable::shape() const {
    expects(defined(), "a defined variable");
    return node_->value.shape();
}

DType Variable::type() const {
    expects(defined(), "a defined variable");
    return node_->value.type();
}

ConstView Variable::value() const { return std::as_const(node_->value).view(); }

View Variable::mutable_value() const { return node_->value.view(); }

void Variable::set_requires_grad(bool wanted) const { node_->requires_grad = wanted && !node_->frozen; }

void Variable::freeze() const {
    node_->frozen = true;
    node_->requires_grad = false;
}

ConstView Variable::gradient() const {
    expects(has_gradient(), "a gradient that was computed");
    return std::as_const(node_->gradient).view();
}

OutputRef Variable::gradient_output() const {
    if (node_->gradient.empty()) {
        node_->gradient = Tensor(node_->backend->memory(), node_->value.shape(), node_->value.type());
    }
    return {node_->gradient.view(), std::exchange(node_->gradient_valid, true) ? 1.0 : 0.0};
}

void Variable::add_gradient(Tensor contribution) const {
    if (node_->gradient.empty()) {
        node_->gradient = std::move(contribution);
        node_->gradient_valid = true;
    } else {
        node_->backend->add(1.0, contribution, gradient_output());
    }
}

void Variable::clear_gradient() const { node_->gradient_valid = false; }

Tensor Variable::take_if_unshared() {
    const bool free_to_take = node_.use_count() == 1 && !node_->value_kept;
    return free_to_take ? std::move(node_->value) : Tensor();
}

void Variable::keep_value() const { node_->value_kept = true; }

bool any_requires_grad(const std::vector<Variable>& variables) {
    return std::any_of(variables.begin(), variables.end(), [](const Variable& v) { return v.requires_grad(); });
}

std::vector<Variable> Variable::in_reverse_order(const Variable& root) {
    std::vector<Variable> order;
    std::unordered_set<Node*> seen{root.node_.get()};
    std::vector<std::pair<Variable, std::size_t>> path{{root, 0}};
    while (!path.empty()) {
        auto& [variable, next] = path.back();
        if (next == variable.node_->inputs.size()) {
            order.push_back(std::move(variable));
            path.pop_back();
            continue;
        }
        const Variable input = variable.node_->inputs[next++];
        if (input.requires_grad() && seen.insert(input.node_.get()).second) {
            path.emplace_back(input, 0);
        }
    }
    std::reverse(order.begin(), order.end());
    return order;
}

void backward(const Variable& result, Tensor gradient, const std::function<void(const Variable&)>& leaf_done) {
    expects(result.requires_grad(), "a result that depends on something that requires a gradient");
    expects(gradient.shape() == result.shape(), "a gradient shaped like the result");
    result.add_gradient(std::move(gradient));
    // A variable comes after everything computed from it, so its last holder but the caller is this list.
    for (Variable& done : Variable::in_reverse_order(result)) {
        if (!done.node_->pass_on) {
            if (leaf_done) {
                leaf_done(done);
            }
            done.node_ = nullptr;
            continue;
        }
        const std::shared_ptr<Variable::Node> node = std::exchange(done.node_, nullptr);
        node->pass_on(node->gradient);
        node->pass_on = nullptr;
        node->gradient = Tensor();
        node->gradient_valid = false;
        node->inputs.clear();
    }
}

}  // namespace plumecast
