#include <cmath>
#include <utility>

#include <plumecast/layers/linear.hpp>

namespace plumecast {
Variable linear(const Variable& x, const Variable& weight, const Variable& bias, Epilogue epilogue) {
    Backend& backend = x.backend();
    const Shape in = as_matrix(x.shape()), shape = x.shape().with(-1, weight.shape()[0]);
    if (shape.count() == 0) {  // a rank without cells or cases
        return empty_result(backend, shape, backend.field_type(), {x, weight, bias, epilogue.addend});
    }
    FusedResult result(backend, shape, {x, weight, bias}, std::move(epilogue));
    const OutputRef y = result.target();
    const ConstView offset = bias.defined() ? bias.value() : ConstView();
    backend.gemm(false, true, x.value().reshaped(in), weight.value(), {y.view.reshaped(as_matrix(shape)), y.beta},
                 offset, result.activation());
    return result.finish([&backend, x, weight, bias, in](Tensor& gradient) {
        const ConstView g = gradient.view().reshaped(as_matrix(gradient.shape()));
        if (weight.requires_grad()) {
            backend.gemm(true, false, g, x.value().reshaped(in), weight.gradient_output(), {}, {});
        }
        if (bias.requires_grad()) {
            backend.column_sums(g, bias.gradient_output());
        }
        if (x.requires_grad()) {
            const OutputRef target = x.gradient_output();
            backend.gemm(false, false, g, weight.value(), {target.view.reshaped(in), target.beta}, {}, {});
        }
    });
}

Linear::Linear(const Scope& scope, std::int64_t inputs, std::int64_t outputs) {
    const double bound = 1.0 / std::sqrt(static_cast<double>(inputs));
    weight = scope.parameters().uniform(scope.path("weight"), {outputs, inputs}, -bound, bound);
    bias = scope.parameters().uniform(scope.path("bias"), {outputs}, -bound, bound);
}

}  // namespace plumecast
