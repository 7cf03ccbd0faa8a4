#include <cmath>
#include <utility>

#include <plumecast/layers/lift.hpp>

namespace plumecast {
namespace {

/// Copies rows of `weight` to a matrix of their own, or adds them back.
Tensor gathered(Backend& backend, ConstView weight, const std::vector<std::int64_t>& rows) {
    const auto count = static_cast<std::int64_t>(rows.size());
    Tensor own(backend.memory(), {count, weight.shape[1]}, backend.compute_type());
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t row = rows[static_cast<std::size_t>(i)];
        backend.add(1.0, weight.rows(row, row + 1), {own.view().rows(i, i + 1)});
    }
    return own;
}

void scatter(Backend& backend, const Tensor& own, const std::vector<std::int64_t>& rows, View weight) {
    for (std::int64_t i = 0; i < own.shape()[0]; ++i) {
        const std::int64_t row = rows[static_cast<std::size_t>(i)];
        backend.add(1.0, own.view().rows(i, i + 1), {weight.rows(row, row + 1), 1.0});
    }
}

/// The contribution of one group, [its extents..., width].
Tensor mapped(Backend& backend, const LiftInput& input, const Variable& weight) {
    const Tensor rows = gathered(backend, weight.value(), input.channels);
    const Shape shape = input.values.shape().with(-1, weight.shape()[1]);
    Tensor term(backend.memory(), shape, backend.compute_type());
    if (shape.count() == 0) {  // no case
        return term;
    }
    backend.gemm(false, false, input.values.value().reshaped(as_matrix(input.values.shape())), rows,
                 {term.view().reshaped(as_matrix(shape))}, {}, {});
    return term;
}

void pass_to_group(Backend& backend, const LiftInput& input, const Variable& weight, const Padding& padding,
                   ConstView g) {
    const Shape matrix = as_matrix(input.values.shape());
    if (matrix[0] == 0) {  // no case
        if (input.values.requires_grad()) {
            input.values.gradient_output();
        }
        return;
    }
    Tensor term(backend.memory(), input.values.shape().with(-1, weight.shape()[1]), backend.compute_type());
    backend.padded_sum_gradient(g, padding, {term});
    const ConstView flat = std::as_const(term).view().reshaped(as_matrix(term.shape()));
    if (weight.requires_grad()) {
        Tensor rows(backend.memory(), {matrix[1], weight.shape()[1]}, backend.compute_type());
        backend.gemm(true, false, input.values.value().reshaped(matrix), flat, {rows}, {}, {});
        scatter(backend, rows, input.channels, weight.gradient_output().view);
    }
    if (input.values.requires_grad()) {
        const Tensor rows = gathered(backend, weight.value(), input.channels);
        const OutputRef target = input.values.gradient_output();
        backend.gemm(false, true, flat, rows, {target.view.reshaped(matrix), target.beta}, {}, {});
    }
}

}  // namespace

Lift::Lift(const Scope& scope, std::int64_t channels, std::int64_t width) {
    const double bound = 1.0 / std::sqrt(static_cast<double>(channels));
    weight = scope.parameters().uniform(scope.path("weight"), {channels, width}, -bound, bound);
    bias = scope.parameters().uniform(scope.path("bias"), {width}, -bound, bound);
}

Variable Lift::operator()(const std::vector<LiftInput>& inputs, std::int64_t batch, const Padding& padding,
                          const Shape& extents) const {
    Backend& backend = weight.backend();
    std::vector<Tensor> terms;
    std::vector<ConstView> views;
    std::vector<Variable> parents{weight, bias};
    for (const LiftInput& input : inputs) {
        terms.push_back(mapped(backend, input, weight));
        views.push_back(std::as_const(terms.back()).view());
        parents.push_back(input.values);
    }
    std::vector<std::int64_t> shape{batch};
    shape.insert(shape.end(), extents.extents().begin(), extents.extents().end());
    shape.push_back(weight.shape()[1]);
    Tensor y(backend.memory(), Shape(shape), backend.field_type());
    backend.padded_sum(views, bias.value(), padding, y);
    return Variable(backend, std::move(y), parents, [&backend, inputs, lift = *this, padding](Tensor& g) {
        if (lift.weight.requires_grad()) {
            const OutputRef target = lift.weight.gradient_output();
            if (target.beta == 0.0) {
                backend.fill(target.view, 0.0);  // the groups add rows to it
            }
        }
        for (const LiftInput& input : inputs) {
            pass_to_group(backend, input, lift.weight, padding, std::as_const(g).view());
        }
        if (lift.bias.requires_grad()) {
            backend.column_sums(std::as_const(g).view(), lift.bias.gradient_output());
        }
    });
}

Variable crop(const Variable& x, const Shape& extents) {
    Backend& backend = x.backend();
    Shape shape = x.shape();
    for (int axis = 0; axis < extents.rank(); ++axis) {
        shape = shape.with(axis + 1, extents[axis]);
    }
    if (shape == x.shape()) {
        return x;
    }
    Tensor y(backend.memory(), shape, x.type());
    std::vector<std::int64_t> zeros(static_cast<std::size_t>(shape.rank()), 0);
    const Shape corner{std::span<const std::int64_t>(zeros)};
    backend.copy_box(x.value(), corner, {y}, corner, shape);
    return Variable(backend, std::move(y), {x}, [&backend, x, corner](Tensor& g) {
        const OutputRef target = x.gradient_output();
        if (target.beta == 0.0) {
            backend.fill(target.view, 0.0);
        }
        backend.copy_box(g, corner, target, corner, g.shape());
    });
}

}  // namespace plumecast
