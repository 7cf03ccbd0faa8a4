#include <cmath>
#include <utility>

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
    if (!any_wants_gradient(inputs)) {
        return;
    }
    std::vector<Target> targets;
    std::vector<Tensor> unwanted;  // inputs without gradient still hold their place among the channels
    for (const Variable& input : inputs) {
        if (input.wants_gradient()) {
            targets.push_back(input.gradient_target());
        } else {
            unwanted.emplace_back(backend.memory(), input.shape(), backend.compute_type());
            targets.push_back({unwanted.back().view()});
        }
    }
    backend.conv_data_gradient(geometry, g, weight.value(), targets);
}

}  // namespace

Variable conv(const ConvGeometry& geometry, const std::vector<Variable>& inputs, const Variable& weight,
              const Variable& bias, Epilogue epilogue) {
    expects(!inputs.empty(), "at least one input of a convolution");
    Backend& backend = inputs.front().backend();
    const auto extents = geometry.output_extents(inputs.front().shape());
    const std::int64_t outputs = weight.shape()[geometry.transposed ? 4 : 0];
    const Shape shape{inputs.front().shape()[0], extents[0], extents[1], extents[2], outputs};
    std::vector<Variable> parents = inputs;
    parents.insert(parents.end(), {weight, bias});
    if (shape.count() == 0) {  // a group of ranks without a case
        parents.push_back(epilogue.addend);
        return empty_result(backend, shape, std::move(parents));
    }
    FusedResult result(backend, shape, std::move(parents), std::move(epilogue));
    backend.conv(geometry, views(inputs), weight.value(), bias.defined() ? bias.value() : ConstView(), result.target(),
                 result.activation());
    return result.finish([&backend, geometry, inputs, weight, bias](Tensor& g) {
        if (weight.wants_gradient()) {
            backend.conv_weight_gradient(geometry, views(inputs), g, weight.gradient_target());
        }
        if (bias.wants_gradient()) {
            backend.column_sums(g, bias.gradient_target());
        }
        pass_to_inputs(backend, geometry, inputs, weight, g);
    });
}

Conv::Conv(const Scope& scope, const ConvGeometry& shape, std::int64_t inputs, std::int64_t outputs, bool with_bias)
    : geometry(shape) {
    const auto& k = shape.kernel;
    const std::int64_t first = shape.transposed ? inputs : outputs, last = shape.transposed ? outputs : inputs;
    // PyTorch takes the second axis of its weight for the fan in, which is the output of a transposed convolution.
    const double bound = 1.0 / std::sqrt(static_cast<double>(last * k[0] * k[1] * k[2]));
    Parameters& parameters = scope.parameters();
    weight = parameters.uniform(scope.path("weight"), {first, k[0], k[1], k[2], last}, -bound, bound);
    if (with_bias) {
        bias = parameters.uniform(scope.path("bias"), {outputs}, -bound, bound);
    }
}

Variable Conv::operator()(const std::vector<Variable>& inputs, Epilogue epilogue, LevelChange change) const {
    if (change.is_shared()) {
        return conv(change.levels->halo(geometry, change.from, change.to), inputs, weight, bias, std::move(epilogue));
    }
    return conv(geometry, inputs, weight, bias, std::move(epilogue));
}

ConvGeometry kernel3(std::int64_t stride) { return {.stride = {stride, stride, stride}}; }

ConvGeometry doubling4() { return {.kernel = {4, 4, 4}, .stride = {2, 2, 2}, .transposed = true}; }

ConvGeometry doubling3() { return {.stride = {2, 2, 2}, .padding_high = {0, 0, 0}, .transposed = true}; }

}  // namespace plumecast
