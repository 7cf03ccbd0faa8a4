#include <utility>

#include <plumecast/layers/epilogue.hpp>

namespace plumecast {
namespace {

std::vector<Variable> with_addend(std::vector<Variable> inputs, const Variable& addend) {
    if (addend.defined()) {
        inputs.push_back(addend);
    }
    return inputs;
}

Tensor copied(Backend& backend, ConstView x) {
    Tensor copy(backend.memory(), x.shape, x.type);
    backend.add(1.0, x, {copy});
    return copy;
}

/// The memory of x when nobody needs it any more, else a copy.
Tensor taken_or_copied(Variable& x) {
    Backend& backend = x.backend();
    Tensor own = x.take_if_unshared();
    return own.empty() ? copied(backend, x.value()) : std::move(own);
}

}  // namespace

FusedResult::FusedResult(Backend& backend, const Shape& shape, std::vector<Variable> inputs, Epilogue epilogue)
    : backend_(&backend), epilogue_(std::move(epilogue)) {
    if (epilogue_.addend.defined()) {
        expects(epilogue_.addend.shape() == shape, "an addend shaped like the result");
        value_ = taken_or_copied(epilogue_.addend);
        beta_ = 1.0;
    } else {
        value_ = Tensor(backend.memory(), shape, backend.field_type());
    }
    inputs_ = with_addend(std::move(inputs), epilogue_.addend);
    const bool fusable = epilogue_.activation.known_from_output() || !any_requires_grad(inputs_);
    fused_ = fusable ? epilogue_.activation : Activation::identity();
}

OutputRef FusedResult::target() { return {value_.view(), beta_}; }

Variable FusedResult::finish(Variable::Gradient gradient) {
    Backend* backend = backend_;
    const ConstView output = std::as_const(value_).view();
    const auto pass_on = [backend, output, f = fused_, addend = epilogue_.addend,
                          gradient = std::move(gradient)](Tensor& g) {
        if (!f.is_identity()) {  // else the output was free to be taken, and may be gone
            backend->activation_gradient(f, output, g);
        }
        gradient(g);
        if (addend.requires_grad()) {
            addend.add_gradient(std::move(g));
        }
    };
    Variable result(*backend_, std::move(value_), std::move(inputs_), pass_on);
    if (!fused_.is_identity() && result.requires_grad()) {
        result.keep_value();
    }
    epilogue_.addend = Variable();
    return fused_ == epilogue_.activation ? result : activate(std::move(result), epilogue_.activation);
}

Variable empty_result(Backend& backend, const Shape& shape, DType type, std::vector<Variable> parents) {
    std::erase_if(parents, [](const Variable& variable) { return !variable.defined(); });
    Tensor empty(backend.memory(), shape, type);
    return Variable(backend, std::move(empty), parents, [&backend, parents](Tensor&) {
        for (const Variable& parent : parents) {
            if (parent.requires_grad()) {
                const OutputRef target = parent.gradient_output();
                if (target.beta == 0.0) {
                    backend.fill(target.view, 0.0);
                }
            }
        }
    });
}

Variable activate(Variable x, Activation f) {
    Backend& backend = x.backend();
    const bool recorded = x.requires_grad();
    Tensor own = recorded ? Tensor() : x.take_if_unshared();
    Tensor y = own.empty() ? Tensor(backend.memory(), x.shape(), x.type()) : std::move(own);
    const ConstView input = x.value().data ? x.value() : std::as_const(y).view();
    backend.activate(f, input, y);
    const ConstView output = std::as_const(y).view();
    Variable result(backend, std::move(y), {x}, [&backend, x, f, output](Tensor& g) {
        backend.activation_gradient(f, f.known_from_output() ? output : x.value(), g);
        x.add_gradient(std::move(g));
    });
    if (recorded) {
        result.keep_value();
        x.keep_value();
    }
    return result;
}

Variable add(Variable a, const Variable& b, Activation f) {
    Backend& backend = a.backend();
    expects(a.shape() == b.shape(), "equal shapes in a sum");
    const Shape shape = a.shape();
    FusedResult result(backend, shape, {b}, {std::move(a), Activation::identity()});
    backend.add(1.0, b.value(), result.target());
    Variable sum = result.finish([b, &backend](Tensor& g) {
        if (b.requires_grad()) {
            backend.add(1.0, g, b.gradient_output());
        }
    });
    return f.is_identity() ? sum : activate(std::move(sum), f);
}

Variable corrected(const Variable& base, const Variable& weight, const Variable& x) {
    Backend& backend = x.backend();
    expects(base.shape() == x.shape() && weight.shape() == x.shape(), "equal shapes of base, weight and correction");
    Tensor y = copied(backend, base.value());
    backend.add_product(weight.value(), x.value(), {y.view(), 1.0});
    return Variable(backend, std::move(y), {base, x}, [&backend, base, weight, x](Tensor& g) {
        if (x.requires_grad()) {
            backend.add_product(weight.value(), g, x.gradient_output());
        }
        if (base.requires_grad()) {
            base.add_gradient(std::move(g));
        }
    });
}

Variable widened(const Variable& x) {
    Backend& backend = x.backend();
    if (x.type() == backend.compute_type()) {
        return x;
    }
    Tensor y(backend.memory(), x.shape(), backend.compute_type());
    backend.add(1.0, x.value(), {y});
    return Variable(backend, std::move(y), {x}, [&backend, x](Tensor& g) { backend.add(1.0, g, x.gradient_output()); });
}

}  // namespace plumecast
