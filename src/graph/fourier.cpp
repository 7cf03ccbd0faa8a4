#include "graph/fourier.hpp"

#include <string>

#include "graph/transform_matrices.hpp"
#include "spectral/modes.hpp"

namespace plumecast {

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
        const Value first = part_of_matrix(matrix, true, 0, rows, ".first_" + std::to_string(rows));
        return graph.add(AxisTransformOp{.axis = axis + 1, .type = result}, {first, x});
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

}  // namespace plumecast
