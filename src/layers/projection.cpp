#include <algorithm>
#include <utility>

#include <plumecast/layers/epilogue.hpp>
#include <plumecast/layers/projection.hpp>

namespace plumecast {
namespace {

/// Rows of the hidden layer that are there at a time.
std::int64_t rows_at_once(const Projection& p) {
    Backend& backend = p.first.weight.backend();
    return backend.rows_at_once(static_cast<std::size_t>(p.first.weight.shape()[0]) * size_of(backend.field_type()));
}

/// One block of rows and what backward needs of it; the network's hidden layer before and after the activation.
struct Hidden {
    Tensor before, after;

    Hidden(Backend& backend, const Projection& p, ConstView x) {
        const Shape shape{x.shape[0], p.first.weight.shape()[0]};
        after = Tensor(backend.memory(), shape, backend.field_type());
        if (p.activation.known_from_output()) {
            backend.gemm(false, true, x, p.first.weight.value(), {after}, p.first.bias.value(), p.activation);
            return;
        }
        before = Tensor(backend.memory(), shape, backend.field_type());
        backend.gemm(false, true, x, p.first.weight.value(), {before}, p.first.bias.value(), {});
        backend.activate(p.activation, before, after);
    }
    ConstView kept() const { return (before.empty() ? after : before).view(); }
};

void add_parameter_gradients(Backend& backend, const Linear& layer, ConstView x, ConstView g) {
    if (layer.weight.requires_grad()) {
        backend.gemm(true, false, g, x, layer.weight.gradient_output(), {}, {});
    }
    if (layer.bias.requires_grad()) {
        backend.column_sums(g, layer.bias.gradient_output());
    }
}

void pass_block(Backend& backend, const Projection& p, ConstView x, ConstView g, OutputRef gradient_x) {
    const Hidden hidden(backend, p, x);
    Tensor upstream(backend.memory(), hidden.after.shape(), hidden.after.type());
    backend.gemm(false, false, g, p.second.weight.value(), {upstream}, {}, {});
    backend.activation_gradient(p.activation, hidden.kept(), upstream);
    add_parameter_gradients(backend, p.second, hidden.after, g);
    add_parameter_gradients(backend, p.first, x, std::as_const(upstream).view());
    if (gradient_x.view.data != nullptr) {
        backend.gemm(false, false, upstream, p.first.weight.value(), gradient_x, {}, {});
    }
}

}  // namespace

Projection::Projection(const Scope& scope, std::int64_t width, std::int64_t hidden, std::int64_t fields)
    : first(scope.child("first"), width, hidden), second(scope.child("second"), hidden, fields) {}

Variable Projection::operator()(const Variable& x) const {
    Backend& backend = x.backend();
    const Shape shape = x.shape().with(-1, second.weight.shape()[0]);
    const Shape in = as_matrix(x.shape()), out = as_matrix(shape);
    const std::vector<Variable> parents{x, first.weight, first.bias, second.weight, second.bias};
    if (shape.count() == 0) {  // a rank that holds only padding, or no case
        return empty_result(backend, shape, backend.compute_type(), parents);
    }
    Tensor y(backend.memory(), shape, backend.compute_type());
    const std::int64_t block_rows = rows_at_once(*this);
    for (std::int64_t row = 0; row < in[0]; row += block_rows) {
        const std::int64_t end = std::min(in[0], row + block_rows);
        const Hidden hidden(backend, *this, x.value().reshaped(in).rows(row, end));
        backend.gemm(false, true, hidden.after, second.weight.value(), {y.view().reshaped(out).rows(row, end)},
                     second.bias.value(), {});
    }
    return Variable(backend, std::move(y), parents, [&backend, p = *this, x, in, out, block_rows](Tensor& gradient) {
        const ConstView g = std::as_const(gradient).view().reshaped(out);
        const OutputRef target = x.requires_grad() ? x.gradient_output() : OutputRef{};
        for (std::int64_t row = 0; row < in[0]; row += block_rows) {
            const std::int64_t end = std::min(in[0], row + block_rows);
            const OutputRef part =
                target.view.data ? OutputRef{target.view.reshaped(in).rows(row, end), target.beta} : OutputRef{};
            pass_block(backend, p, x.value().reshaped(in).rows(row, end), g.rows(row, end), part);
        }
    });
}

}  // namespace plumecast
