#include <plumecast/core/error.hpp>

#include "onnx/translation.hpp"

namespace plumecast {
namespace {

/// The map of CombineSignsOp as a matrix [2 m, 2 (re, im)] x [2 (cos, sin), m + 1, 2 (re, im)]: frequency k is cos - i
/// sin of k, -k is cos + i sin.
std::vector<float> signs_matrix(std::int64_t m, std::int64_t dropped_from) {
    const auto n = static_cast<std::size_t>(m), columns = 4 * (n + 1);
    std::vector<float> matrix(4 * n * columns, 0.0F);
    const auto set = [&](std::size_t row, std::size_t k, float sign) {
        const std::size_t cosine = 2 * k, sine = 2 * (n + 1 + k);
        matrix[(2 * row) * columns + cosine] = 1.0F;
        matrix[(2 * row + 1) * columns + cosine + 1] = 1.0F;
        matrix[(2 * row) * columns + sine + 1] = sign;
        matrix[(2 * row + 1) * columns + sine] = -sign;
    };
    for (std::size_t k = 0; k < n && static_cast<std::int64_t>(k) < dropped_from; ++k) {
        set(k, k, 1.0F);
    }
    for (std::size_t k = 1; k <= n; ++k) {
        set(2 * n - k, k, -1.0F);
    }
    return matrix;
}

}  // namespace

void OnnxTranslation::add(const AxisTransformOp& op, std::size_t node) {
    expects(op.fused.is_nothing(), "a transform alone");
    const Shape& x = input_shape(node, 1);
    const std::string rows = reshaped(field(node, 1), {-1, x[op.axis], x.count(op.axis + 1, x.rank())});
    give(node, reshaped(model_.node("MatMul", {array(node, 0), rows}), extents(shape_of(node))));
}

void OnnxTranslation::add(const CombineSignsOp& op, std::size_t node) {
    const Shape &x = input_shape(node, 0), &y = shape_of(node);
    const std::int64_t m = (op.adjoint ? x[op.axis] : y[op.axis]) / 2;
    const std::int64_t mid = x.count(op.axis + 1, x.rank() - 2), inner = x[-2] / 2 * x[-1];
    std::vector<float> matrix = signs_matrix(m, op.dropped_from);
    Shape shape{4 * m, 4 * (m + 1)};
    if (op.adjoint) {
        matrix = transpose_of(matrix, 4 * m);
        shape = {4 * (m + 1), 4 * m};
    }
    const std::string name = "signs." + std::to_string(m) + "_modes.dropped_from_" + std::to_string(op.dropped_from) +
                             (op.adjoint ? "^T" : "");
    const std::string parts = reshaped(field(node, 0), {-1, x[op.axis], mid, 2, inner});
    const std::string beside = reshaped(transposed_axes(parts, {0, 2, 1, 3, 4}), {-1, x[op.axis] * 2, inner});
    const std::string combined = model_.node("MatMul", {stored(name, shape, matrix), beside});
    const std::string apart = reshaped(combined, {-1, mid, y[op.axis], 2, inner});
    give(node, reshaped(transposed_axes(apart, {0, 2, 1, 3, 4}), extents(y)));
}

/// (a + i b) (c + i d), as products of matrices for each mode: the modes come first, then cases and channels.
void OnnxTranslation::add(const SpectralMultiplyOp& /*op*/, std::size_t node) {
    const Shape &x = input_shape(node, 0), &w = input_shape(node, 1), &y = shape_of(node);
    const std::int64_t modes = x.count(1, x.rank() - 2), times = x[-2] / 2, inputs = x[-1], outputs = y[-1];
    const std::vector<float> weight = numbers(node, 1);
    const auto block = static_cast<std::size_t>(inputs * outputs);
    std::vector<float> parts[2];
    for (std::size_t at = 0; at < weight.size(); at += block) {
        std::vector<float>& part = parts[at / block % 2];
        part.insert(part.end(), weight.begin() + static_cast<std::ptrdiff_t>(at),
                    weight.begin() + static_cast<std::ptrdiff_t>(at + block));
    }
    expects(w[-3] == 2, "a complex weight");
    const Shape matrices{modes, times, inputs, outputs};
    const std::string c = stored(name_of_array(node, 1, ".real"), matrices, parts[0]);
    const std::string d = stored(name_of_array(node, 1, ".imaginary"), matrices, parts[1]);
    const std::string apart = reshaped(field(node, 0), {-1, modes, 2, times, inputs});
    const std::string by_mode = transposed_axes(apart, {2, 1, 3, 0, 4});
    const auto part = [&](std::int64_t which) {
        return model_.node("Squeeze", {model_.node("Slice", {by_mode, model_.integers({which}),
                                                             model_.integers({which + 1}), model_.integers({0})}),
                                       model_.integers({0})});
    };
    const auto product = [&](const std::string& left, const std::string& right) {
        return model_.node("MatMul", {left, right});
    };
    const std::string a = part(0), b = part(1);
    const std::string real = model_.node("Sub", {product(a, c), product(b, d)});
    const std::string imaginary = model_.node("Add", {product(a, d), product(b, c)});
    const std::string first = model_.integers({0});
    const std::string both =
        model_.node("Concat", {model_.node("Unsqueeze", {real, first}), model_.node("Unsqueeze", {imaginary, first})},
                    {{"axis", std::int64_t{0}}});
    give(node, reshaped(transposed_axes(both, {3, 1, 0, 2, 4}), extents(y)));
}

}  // namespace plumecast
