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

}  // namespace

/// The last axis of space first, because that shrinks a real field most; signs are combined where little is left.
Value truncated_fourier(const Value& field, const std::vector<std::int64_t>& modes) {
    Graph& graph = field.graph();
    const TransformMatrices matrices(graph, field.shape().slice(1, field.shape().rank() - 1), modes);
    Value x = field;
    const int last = matrices.axes() - 1;
    x = graph.add(AxisTransformOp{last + 1}, {matrices.forward(last), x});
    x = graph.add(AxisTransformOp{last + 2}, {matrices.forward_time(), x});
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
    const TransformMatrices matrices(graph, extents, modes);
    const int last = matrices.axes() - 1;
    const auto along = [&](const Value& x, const Value& matrix, int axis, DType result) {
        const std::int64_t rows = box.rank() == 0 ? matrix.shape()[0] : box[axis];
        return graph.add(AxisTransformOp{.axis = axis + 1, .type = result}, {first_rows_of(matrix, rows), x});
    };
    Value x = spectrum;
    for (int axis = 0; axis <= last; ++axis) {
        x = matrices.combined_signs(x, axis, axis + 1, true);
    }
    for (int axis = 0; axis < last; ++axis) {
        x = along(x, matrices.inverse(axis), axis, DType::float32);
    }
    x = along(x, matrices.inverse_time(), last + 1, DType::float32);
    return along(x, matrices.inverse(last), last, type);
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
    const Shape extents = field.shape().slice(1, field.shape().rank() - 1);
    const TransformMatrices matrices(graph, extents, modes);
    const FourierGeometry geometry = fft_of(extents, modes);
    Value x = graph.add(ForwardFftOp{geometry}, {field});
    for (int axis = extents.rank() - geometry.extents.rank(); axis-- > 0;) {
        x = graph.add(AxisTransformOp{axis + 1}, {matrices.forward(axis), x});
        x = matrices.combined_signs(x, axis, axis + 1, false);
    }
    return x;
}

Value inverse_truncated_fft(const Value& spectrum, const std::vector<std::int64_t>& modes, const Shape& extents,
                            const Shape& box, DType type) {
    Graph& graph = spectrum.graph();
    const TransformMatrices matrices(graph, extents, modes);
    const Shape cells = box.rank() == 0 ? extents : box;
    FourierGeometry geometry = fft_of(extents, modes);
    geometry.by_multiplicity = true;
    geometry.scale = 1.0 / static_cast<double>(extents.count());
    const int first = extents.rank() - geometry.extents.rank();
    Value x = spectrum;
    for (int axis = 0; axis < first; ++axis) {
        x = matrices.combined_signs(x, axis, axis + 1, true);
        x = graph.add(AxisTransformOp{axis + 1}, {first_rows_of(matrices.inverse(axis), cells[axis]), x});
    }
    return graph.add(InverseFftOp{.geometry = geometry, .cells = cells.slice(first, cells.rank()), .type = type}, {x});
}

}  // namespace plumecast
