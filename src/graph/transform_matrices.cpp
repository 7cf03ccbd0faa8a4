#include "graph/transform_matrices.hpp"

#include <algorithm>
#include <iterator>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

std::string matrix_name(const char* what, std::int64_t cells, std::int64_t modes) {
    return std::string(what) + "." + std::to_string(cells) + "_cells." + std::to_string(modes) + "_modes";
}

}  // namespace

Shape of_transformed(const Shape& extents, const std::vector<std::int64_t>& modes) {
    expects(modes.size() == static_cast<std::size_t>(extents.rank()), "one mode count per axis");
    Shape kept;
    for (int axis = 0; axis < extents.rank(); ++axis) {
        kept = modes[static_cast<std::size_t>(axis)] > 0 ? kept.append(extents[axis]) : kept;
    }
    return kept;
}

std::vector<std::int64_t> of_transformed(const std::vector<std::int64_t>& modes) {
    std::vector<std::int64_t> kept;
    std::ranges::copy_if(modes, std::back_inserter(kept), [](std::int64_t count) { return count > 0; });
    return kept;
}

void check_modes(const Shape& extents, const std::vector<std::int64_t>& modes) {
    expects(modes.size() == static_cast<std::size_t>(extents.rank()), "one mode count per axis");
    for (int axis = 0; axis < extents.rank(); ++axis) {
        expects(modes[static_cast<std::size_t>(axis)] > 0 || extents[axis] == 1,
                "one point along an axis without modes");
    }
    const Shape cells = of_transformed(extents, modes);
    const std::vector<std::int64_t> kept = of_transformed(modes);
    expects(!kept.empty(), "modes along an axis");
    for (int axis = 0; axis + 1 < cells.rank(); ++axis) {
        SpaceModes{cells[axis], kept[static_cast<std::size_t>(axis)]}.check();
    }
    TimeModes{cells[-1], kept.back()}.check();
}

Shape both_signs(const std::vector<std::int64_t>& modes) {
    Shape signs;
    for (std::size_t axis = 0; axis + 1 < modes.size(); ++axis) {
        signs = signs.append(2 * modes[axis]);
    }
    return signs;
}

Shape spectral_weight_shape(const std::vector<std::int64_t>& modes, std::int64_t inputs, std::int64_t outputs) {
    const std::vector<std::int64_t> kept = of_transformed(modes);
    return both_signs(kept).append(kept.back()).append(2).append(inputs).append(outputs);
}

Value part_of_matrix(const Value& matrix, bool rows, std::int64_t low, std::int64_t high, const std::string& suffix) {
    const ConstantOp whole = *op_of<ConstantOp>(matrix);  // the node moves
    const int axis = rows ? 0 : 1;
    if (low == 0 && high == whole.shape[axis]) {
        return matrix;
    }
    return matrix.graph().constant(whole.of + suffix, whole.shape.with(axis, high - low), [&] {
        std::vector<double> part;
        for (std::size_t at = 0; at < whole.values->size(); ++at) {
            const auto number = static_cast<std::int64_t>(at), columns = whole.shape[1];
            const std::int64_t here = rows ? number / columns : number % columns;
            if (here >= low && here < high) {
                part.push_back((*whole.values)[at]);
            }
        }
        return part;
    });
}

TransformMatrices::TransformMatrices(Graph& graph, const Shape& extents, const std::vector<std::int64_t>& modes)
    : graph_(&graph), time_{extents[-1], modes.back()}, scale_(1.0 / static_cast<double>(extents.count())) {
    check_modes(extents, modes);
    for (int axis = 0; axis + 1 < extents.rank(); ++axis) {
        space_.push_back({extents[axis], modes[static_cast<std::size_t>(axis)]});
    }
}

Value TransformMatrices::forward(int axis) const {
    const SpaceModes& modes = space_[static_cast<std::size_t>(axis)];
    return graph_->constant(matrix_name("fourier", modes.cells, modes.count), {2 * (modes.count + 1), modes.cells},
                            [&] { return modes.rows(); });
}

Value TransformMatrices::inverse(int axis) const {
    const SpaceModes& modes = space_[static_cast<std::size_t>(axis)];
    const std::int64_t rows = 2 * (modes.count + 1);
    return graph_->constant(matrix_name("fourier", modes.cells, modes.count) + "^T", {modes.cells, rows},
                            [&] { return transposed(modes.rows(), rows); });
}

Value TransformMatrices::forward_time() const {
    return graph_->constant(matrix_name("time_fourier", time_.cells, time_.count), {2 * time_.count, time_.cells},
                            [&] { return time_.rows(); });
}

Value TransformMatrices::inverse_time() const {
    const std::int64_t rows = 2 * time_.count;
    return graph_->constant(matrix_name("time_fourier_inverse", time_.cells, time_.count), {time_.cells, rows},
                            [&] { return transposed(time_.weighted_rows(scale_), rows); });
}

Value TransformMatrices::combined_signs(const Value& x, int axis, int at, bool back) const {
    return graph_->add(CombineSignsOp{at, space_[static_cast<std::size_t>(axis)].repeated_from(), back}, {x});
}

}  // namespace plumecast
