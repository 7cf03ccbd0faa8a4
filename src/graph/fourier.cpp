#include "graph/fourier.hpp"

#include <algorithm>
#include <string>

#include "graph/ops/fft.hpp"
#include "graph/transform_matrices.hpp"
#include "spectral/modes.hpp"

namespace plumecast {
namespace {

/// As many axes as cuFFT transforms at once.
constexpr int most_axes_of_fft = 3;

Value first_rows_of(const Value& matrix, std::int64_t rows) {
    return part_of_matrix(matrix, true, 0, rows, ".first_" + std::to_string(rows));
}

/// [B, extents..., C] of a field or a spectrum.
Shape with_extents(const Shape& x, const Shape& extents) {
    Shape shape{x[0]};
    for (int axis = 0; axis < extents.rank(); ++axis) {
        shape = shape.append(extents[axis]);
    }
    return shape.append(x[-1]);
}

Value in_shape(const Value& x, const Shape& shape) {
    return x.shape() == shape ? x : x.graph().add(ReshapeOp{shape}, {x});
}

Shape extents_of_field(const Value& field) { return field.shape().slice(1, field.shape().rank() - 1); }

/// Where the axis that is transformed first stands in a field: the last but one that is transformed, or the only one.
int first_transformed(const std::vector<std::int64_t>& modes) {
    std::vector<int> axes;
    for (std::size_t axis = 0; axis < modes.size(); ++axis) {
        if (modes[axis] > 0) {
            axes.push_back(static_cast<int>(axis) + 1);
        }
    }
    return axes.size() > 1 ? axes[axes.size() - 2] : axes.front();
}

}  // namespace

/// The last axis of space first, because that shrinks a real field most; signs are combined where little is left. Axes
/// that are not transformed are left out behind it.
Value truncated_fourier(const Value& field, const std::vector<std::int64_t>& modes) {
    Graph& graph = field.graph();
    const Shape extents = of_transformed(extents_of_field(field), modes);
    const TransformMatrices matrices(graph, extents, of_transformed(modes));
    const int last = matrices.axes() - 1, first = std::max(last, 0);
    const Value matrix = last < 0 ? matrices.forward_time() : matrices.forward(last);
    Value x = graph.add(AxisTransformOp{first_transformed(modes)}, {matrix, field});
    x = in_shape(x, with_extents(field.shape(), extents).with(first + 1, matrix.shape()[0]));
    if (last >= 0) {
        x = graph.add(AxisTransformOp{last + 2}, {matrices.forward_time(), x});
    }
    for (int axis = last; axis-- > 0;) {
        x = graph.add(AxisTransformOp{axis + 1}, {matrices.forward(axis), x});
    }
    for (int axis = last; axis >= 0; --axis) {
        x = matrices.combined_signs(x, axis, axis + 1, false);
    }
    return x;
}

Value inverse_truncated_fourier(const Value& spectrum, const std::vector<std::int64_t>& modes, const Shape& extents,
                                const Shape& box, DType type) {
    Graph& graph = spectrum.graph();
    const TransformMatrices matrices(graph, of_transformed(extents, modes), of_transformed(modes));
    const Shape cells = box.rank() == 0 ? extents : box, kept = of_transformed(cells, modes);
    const int last = matrices.axes() - 1;
    const auto along = [&](const Value& x, const Value& matrix, int axis) {
        return graph.add(AxisTransformOp{axis + 1}, {first_rows_of(matrix, kept[axis]), x});
    };
    Value x = spectrum;
    for (int axis = 0; axis <= last; ++axis) {
        x = matrices.combined_signs(x, axis, axis + 1, true);
    }
    for (int axis = 0; axis < last; ++axis) {
        x = along(x, matrices.inverse(axis), axis);
    }
    x = last < 0 ? x : along(x, matrices.inverse_time(), last + 1);
    const int first = first_transformed(modes);
    const Value matrix = first_rows_of(last < 0 ? matrices.inverse_time() : matrices.inverse(last), cells[first - 1]);
    x = in_shape(x, with_extents(x.shape(), cells).with(first, matrix.shape()[1]));
    return graph.add(AxisTransformOp{.axis = first, .type = type}, {matrix, x});
}

FourierGeometry fft_of(const Shape& extents, const std::vector<std::int64_t>& modes) {
    const int first = std::max(extents.rank() - most_axes_of_fft, 0);
    FourierGeometry geometry{extents.slice(first, extents.rank()), {}};
    for (int axis = first; axis < extents.rank(); ++axis) {
        geometry.modes = geometry.modes.append(modes[static_cast<std::size_t>(axis)]);
    }
    return geometry;
}

Value truncated_fft(const Value& field, const std::vector<std::int64_t>& modes) {
    Graph& graph = field.graph();
    const Shape extents = of_transformed(extents_of_field(field), modes);
    const std::vector<std::int64_t> kept = of_transformed(modes);
    const TransformMatrices matrices(graph, extents, kept);
    const FourierGeometry geometry = fft_of(extents, kept);
    Value x = graph.add(ForwardFftOp{geometry}, {in_shape(field, with_extents(field.shape(), extents))});
    for (int axis = extents.rank() - geometry.extents.rank(); axis-- > 0;) {
        x = graph.add(AxisTransformOp{axis + 1}, {matrices.forward(axis), x});
        x = matrices.combined_signs(x, axis, axis + 1, false);
    }
    return x;
}

Value inverse_truncated_fft(const Value& spectrum, const std::vector<std::int64_t>& modes, const Shape& extents,
                            const Shape& box, DType type) {
    Graph& graph = spectrum.graph();
    const Shape whole = of_transformed(extents, modes), result = box.rank() == 0 ? extents : box;
    const Shape cells = of_transformed(result, modes);
    const std::vector<std::int64_t> kept = of_transformed(modes);
    const TransformMatrices matrices(graph, whole, kept);
    FourierGeometry geometry = fft_of(whole, kept);
    geometry.by_multiplicity = true;
    geometry.scale = 1.0 / static_cast<double>(whole.count());
    const int first = whole.rank() - geometry.extents.rank();
    Value x = spectrum;
    for (int axis = 0; axis < first; ++axis) {
        x = matrices.combined_signs(x, axis, axis + 1, true);
        x = graph.add(AxisTransformOp{axis + 1}, {first_rows_of(matrices.inverse(axis), cells[axis]), x});
    }
    x = graph.add(InverseFftOp{.geometry = geometry, .cells = cells.slice(first, cells.rank()), .type = type}, {x});
    return in_shape(x, with_extents(x.shape(), result));
}

}  // namespace plumecast
