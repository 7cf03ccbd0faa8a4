#include "published_export.hpp"

#include <cstddef>
#include <list>
#include <string>
#include <vector>

#include <plumecast/io/safetensors.hpp>

#include "inference/published_weights.hpp"

namespace plumecast::bench {
namespace {

/// Axis of our layout that each axis of the published one takes.
std::vector<int> published_axes(const Parameter& parameter) {
    const int rank = parameter.weight.shape().rank();
    if (parameter.complex_valued) {
        return {4, 5, 0, 1, 2, 3};  // [z, r, t, 2, I, O] -> [I, O, z, r, t, 2]
    }
    if (rank == 5) {
        return {0, 4, 1, 2, 3};
    }
    if (parameter.name == "lift.weight") {
        return {1, 0};
    }
    return rank == 2 ? std::vector<int>{0, 1} : std::vector<int>{0};
}

/// Copies the box of `extents` (published order) that starts `first` elements into ours, in published order.
Tensor permuted(const Tensor& ours, const std::vector<int>& axes, const Shape& extents, std::int64_t first) {
    Tensor result = host_zeros(extents);
    std::vector<std::int64_t> steps, index(axes.size(), 0);
    for (const int axis : axes) {
        steps.push_back(ours.shape().count(axis + 1, ours.shape().rank()));
    }
    const float* from = ours.view().as<float>() + first;
    for (float& value : result.values<float>()) {
        value = *from;
        for (std::size_t axis = axes.size(); axis-- > 0;) {
            from += steps[axis];
            if (++index[axis] < extents[static_cast<int>(axis)]) {
                break;
            }
            from -= steps[axis] * extents[static_cast<int>(axis)];
            index[axis] = 0;
        }
    }
    return result;
}

Shape permuted_shape(const Shape& ours, const std::vector<int>& axes) {
    Shape shape = ours;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        shape = shape.with(static_cast<int>(axis), ours[axes[axis]]);
    }
    return shape;
}

struct Named {
    std::string name;
    Tensor values;
};

/// Quadrants (+z +r), (-z +r), (+z -r), (-z -r) of a spectral weight.
void append_quadrants(const std::string& name, const Parameter& parameter, const Tensor& ours,
                      std::list<Named>& arrays) {
    const std::vector<int> axes = published_axes(parameter);
    const Shape& shape = ours.shape();
    const Shape half = permuted_shape(shape.with(0, shape[0] / 2).with(1, shape[1] / 2), axes);
    for (const int quadrant : {0, 1, 2, 3}) {
        const std::int64_t z = quadrant % 2 == 0 ? 0 : shape[0] / 2, r = quadrant < 2 ? 0 : shape[1] / 2;
        const std::int64_t first = (z * shape[1] + r) * shape.count(2, shape.rank());
        arrays.push_back({name + std::to_string(quadrant + 1), permuted(ours, axes, half, first)});
    }
}

}  // namespace

void write_published_weights(const std::filesystem::path& path, const Network& network) {
    std::list<Named> arrays;
    for (const Parameter& parameter : network.parameters().all()) {
        const std::string name = published_name(parameter.name);
        const Tensor ours = network.parameters().download(parameter);
        const std::vector<int> axes = published_axes(parameter);
        if (parameter.complex_valued) {
            append_quadrants(name, parameter, ours, arrays);
            continue;
        }
        Tensor values = permuted(ours, axes, permuted_shape(ours.shape(), axes), 0);
        if (name.starts_with("conv1.w") && values.shape().rank() == 2) {
            values.reshape(values.shape().append(1));  // published as a convolution of one cell
        }
        arrays.push_back({name, std::move(values)});
    }
    std::vector<NamedView> views;
    for (const Named& array : arrays) {
        views.push_back({array.name, array.values});
    }
    write_safetensors(path, views);
}

}  // namespace plumecast::bench
