#include <cmath>
#include <utility>

#include <plumecast/backend/convolve.hpp>
#include <plumecast/layers/conv.hpp>

namespace plumecast {
namespace {

std::vector<ConstView> views(const std::vector<Variable>& variables) {
    std::vector<ConstView> result;
    for (const Variable& variable : variables) {
        result.push_back(variable.value());
    }
    return result;
}

void pass_to_inputs(Backend& backend, const ConvGeometry& geometry, const std::vector<Variable>& inputs,
                    const Variable& weight, ConstView g) {
    if (!any_requires_grad(inputs)) {
        return;
    }
    std::vector<OutputRef> targets;
    std::vector<Tensor> unwanted;  // inputs without gradient still hold their place among the channels
    for (const Variable& input : inputs) {
        if (input.requires_grad()) {
            targets.push_back(input.gradient_output());
        } else {
            unwanted.emplace_back(backend.memory(), input.shape(), input.type());
            targets.push_back({unwanted.back().view()});
        }
    }
    convolve_data_gradient(backend, geometry, g, weight.value(), targets);
}

/// A kernel [O, k..., I] with the matrix [O, J], J <= I, added at its centre.
Variable with_centre(const Variable& kernel, const Variable& matrix) {
    Backend& backend = kernel.backend();
    const Shape& extents = kernel.shape();
    Shape box = extents.with(-1, matrix.shape()[1]), low = extents.with(0, 0).with(-1, 0);
    for (int axis = 1; axis + 1 < extents.rank(); ++axis) {
        box = box.with(axis, 1);
        low = low.with(axis, extents[axis] / 2);
    }
    const std::vector<std::int64_t> zeros(static_cast<std::size_t>(extents.rank()), 0);
    const Shape origin{std::span<const std::int64_t>(zeros)};
    Tensor sum(backend.memory(), extents, backend.compute_type());
    backend.add(1.0, kernel.value(), {sum});
    backend.copy_box(matrix.value().reshaped(box), origin, {sum, 1.0}, low, box);
    return Variable(backend, std::move(sum), {kernel, matrix}, [&backend, kernel, matrix, box, low, origin](Tensor& g) {
        if (matrix.requires_grad()) {
            const OutputRef target = matrix.gradient_output();
            backend.copy_box(g, low, {target.view.reshaped(box), target.beta}, origin, box);
        }
        if (kernel.requires_grad()) {
            backend.add(1.0, g, kernel.gradient_output());
        }
    });
}

using Along = ConvGeometry::OuterAxis;

/// Time as it is, convolved with a kernel that leaves its extent.
Along unstrided(const ConvAxes& axes) { return {axes.time_kernel, 1, axes.time_kernel / 2, axes.time_kernel / 2}; }

/// The same along every axis of space, and something else along time, the last of the three inner axes.
ConvGeometry over(const ConvAxes& axes, const Along& space, const Along& time, bool transposed) {
    expects(axes.space == 2 || axes.space == 3, "two or three axes of space in a convolution");
    return {.kernel = {space.kernel, space.kernel, time.kernel},
            .stride = {space.stride, space.stride, time.stride},
            .padding_low = {space.padding_low, space.padding_low, time.padding_low},
            .padding_high = {space.padding_high, space.padding_high, time.padding_high},
            .transposed = transposed,
            .outer = axes.space == 3 ? space : Along{}};
}

}  // namespace

Variable conv(const ConvGeometry& geometry, const std::vector<Variable>& inputs, const Variable& weight,
              const Variable& bias, Epilogue epilogue) {
    expects(!inputs.empty(), "at least one input of a convolution");
    Backend& backend = inputs.front().backend();
    const Shape shape = geometry.output_shape(inputs.front().shape(), weight.shape()[geometry.transposed ? -1 : 0]);
    std::vector<Variable> parents = inputs;
    parents.insert(parents.end(), {weight, bias});
    if (shape.count() == 0) {  // a group of ranks without a case
        parents.push_back(epilogue.addend);
        return empty_result(backend, shape, backend.field_type(), std::move(parents));
    }
    FusedResult result(backend, shape, std::move(parents), std::move(epilogue));
    convolve(backend, geometry, views(inputs), weight.value(), bias.defined() ? bias.value() : ConstView(),
             result.target(), result.activation());
    return result.finish([&backend, geometry, inputs, weight, bias](Tensor& g) {
        if (weight.requires_grad()) {
            convolve_weight_gradient(backend, geometry, views(inputs), g, weight.gradient_output());
        }
        if (bias.requires_grad()) {
            backend.column_sums(g, bias.gradient_output());
        }
        pass_to_inputs(backend, geometry, inputs, weight, g);
    });
}

Conv::Conv(const Scope& scope, const ConvGeometry& shape, std::int64_t inputs, std::int64_t outputs, bool with_bias)
    : geometry(shape) {
    const Shape extents = shape.weight_shape(inputs, outputs);
    // PyTorch takes the second axis of its weight for the fan in, which is the output of a transposed convolution.
    const double bound = 1.0 / std::sqrt(static_cast<double>(extents.count(1, extents.rank())));
    Parameters& parameters = scope.parameters();
    weight = parameters.uniform(scope.path("weight"), extents, -bound, bound);
    if (with_bias) {
        bias = parameters.uniform(scope.path("bias"), {outputs}, -bound, bound);
    }
}

const ConvHalo* Conv::halo(LevelChange change) const {
    return change.is_shared() ? &change.levels->halo(geometry, change.from, change.to) : nullptr;
}

Variable Conv::operator()(const std::vector<HaloField>& inputs, Epilogue epilogue, LevelChange change) const {
    if (const ConvHalo* shared = halo(change)) {
        return conv(*shared, inputs, weight, bias, std::move(epilogue));
    }
    std::vector<Variable> whole;
    for (const HaloField& input : inputs) {
        whole.push_back(input.own());
    }
    return conv(geometry, whole, weight, bias, std::move(epilogue));
}

Conv with_linear(const Conv& conv, const Linear& linear) {
    Conv sum = conv;
    sum.weight = with_centre(conv.weight, linear.weight);
    sum.bias = conv.bias.defined() ? add(conv.bias, linear.bias) : linear.bias;
    return sum;
}

ConvGeometry kernel3(std::int64_t stride, const ConvAxes& axes) {
    const std::int64_t side = axes.time_kernel / 2;
    return over(axes, {3, stride, 1, 1}, {axes.time_kernel, axes.time_strides ? stride : 1, side, side}, false);
}

ConvGeometry doubling4(const ConvAxes& axes) {
    const std::int64_t side = axes.time_kernel / 2;
    const Along time = axes.time_strides ? Along{axes.time_kernel + 1, 2, side, side} : unstrided(axes);
    return over(axes, {4, 2, 1, 1}, time, true);
}

ConvGeometry doubling3(const ConvAxes& axes) {
    const std::int64_t side = axes.time_kernel / 2;
    const Along time = axes.time_strides ? Along{axes.time_kernel, 2, side, side - 1} : unstrided(axes);
    return over(axes, {3, 2, 1, 0}, time, true);
}

}  // namespace plumecast
