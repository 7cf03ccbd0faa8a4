#include "inference/published/arrays.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <plumecast/architectures/weights_file.hpp>
#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

using Axes = std::vector<int>;

/// Where the axes of our layout lie in the published one: channels-first there, channels-last here.
Axes axes_of(const Parameter& parameter) {
    if (parameter.weight.shape().rank() == 5) {
        return {0, 2, 3, 4, 1};  // [O, I, z, r, t] -> [O, z, r, t, I], transposed convolutions with I and O swapped
    }
    if (parameter.name == "lift.weight") {
        return {1, 0};
    }
    return parameter.weight.shape().rank() == 2 ? Axes{0, 1} : Axes{0};
}

/// Extents that the published tensor must have for a part of our layout.
Shape published_shape(const Shape& ours, const Axes& axes) {
    Shape shape = ours;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        shape = shape.with(axes[axis], ours[static_cast<int>(axis)]);
    }
    return shape;
}

template <class T>
void permute(std::span<const T> from, const Shape& shape, const Axes& axes, std::span<T> to) {
    std::vector<std::int64_t> strides, extents;
    for (const int axis : axes) {
        strides.push_back(shape.count(axis + 1, shape.rank()));
        extents.push_back(shape[axis]);
    }
    std::vector<std::int64_t> index(axes.size(), 0);
    std::int64_t source = 0;
    for (T& value : to) {
        value = from[static_cast<std::size_t>(source)];
        for (std::size_t axis = axes.size(); axis-- > 0;) {
            source += strides[axis];
            if (++index[axis] < extents[axis]) {
                break;
            }
            source -= strides[axis] * extents[axis];
            index[axis] = 0;
        }
    }
}

Tensor permuted(const Tensor& from, const Axes& axes, const Shape& ours) {
    Tensor to(host_memory(), ours, from.type());
    if (from.type() == DType::float32) {
        permute(from.values<float>(), from.shape(), axes, to.values<float>());
    } else {
        permute(from.values<double>(), from.shape(), axes, to.values<double>());
    }
    return to;
}

/// Whole numbers and truth values are counts or marks, or a quantised model whose scales stand elsewhere.
void require_floats(const SafetensorsFile& weights, const std::string& name) {
    constexpr std::array<std::string_view, 4> floats = {"F64", "F32", "F16", "BF16"};
    const std::string type(weights.dtype(name));
    if (std::ranges::find(floats, type) == floats.end()) {
        throw InvalidModel(
            weights.path().string() + ": array '" + name + "' holds " + type + ", " +
            (type == "BOOL" ? "truth values" : "whole numbers") +
            " (weights are floating-point numbers; those of a quantised model have scales that stand "
            "elsewhere); save it as floats, tensor.float() in PyTorch, of a model that is not quantised");
    }
}

}  // namespace

void refuse_weights(const SafetensorsFile& weights, const std::string& problem, const std::string& remedy) {
    throw InvalidModel(weights.path().string() + ": " + problem + "; " + remedy);
}

Tensor published_array(const SafetensorsFile& weights, const std::string& name, const Shape& shape,
                       std::set<std::string>& used) {
    require_floats(weights, name);
    Shape found = weights.shape(name);
    while (found.rank() > shape.rank() && found[-1] == 1) {
        found = found.slice(0, found.rank() - 1);  // pointwise layers are stored as convolutions of one cell
    }
    if (found != shape) {
        refuse_weights(weights,
                       "array '" + name + "' has shape " + weights.shape(name).text() + " (the network needs " +
                           shape.text() + ")",
                       "check width, modes and channels");
    }
    Tensor values = weights.read(name);
    if (!is_finite(values)) {
        refuse_weights(weights, "array '" + name + "' holds a NaN or infinity (weights are finite)",
                       "use another checkpoint");
    }
    values.reshape(shape);
    used.insert(name);
    return values;
}

Tensor published_values(const SafetensorsFile& weights, const std::string& name, const Parameter& parameter,
                        std::set<std::string>& used) {
    const Shape& ours = parameter.weight.shape();
    const Axes axes = axes_of(parameter);
    return permuted(published_array(weights, name, published_shape(ours, axes), used), axes, ours);
}

}  // namespace plumecast
