#include "graph/fourier.hpp"

#include <string>

#include "spectral/modes.hpp"

namespace plumecast {
namespace {

/// The matrices of truncated transforms of one grid, as constants of a graph.
class TransformMatrices {
   public:
    TransformMatrices(Graph& graph, const Shape& extents, const std::vector<std::int64_t>& modes)
        : graph_(&graph), time_{extents[-1], modes.back()}, scale_(1.0 / static_cast<double>(extents.count())) {
        expects(modes.size() == static_cast<std::size_t>(extents.rank()), "one mode count per axis");
        for (int axis = 0; axis + 1 < extents.rank(); ++axis) {
            space_.push_back({extents[axis], modes[static_cast<std::size_t>(axis)]});
            space_.back().check();
        }
        time_.check();
    }
    int axes() const { return static_cast<int>(space_.size()); }
    const SpaceModes& space(int axis) const { return space_[static_cast<std::size_t>(axis)]; }
    Value forward(int axis) const {
        const SpaceModes& modes = space(axis);
        return graph_->constant(name("fourier", modes.cells, modes.count), {2 * (modes.count + 1), modes.cells},
                                [&] { return modes.rows(); });
    }
    Value inverse(int axis) const {
        const SpaceModes& modes = space(axis);
        const std::int64_t rows = 2 * (modes.count + 1);
        return graph_->constant(name("fourier", modes.cells, modes.count) + "^T", {modes.cells, rows},
                                [&] { return transposed(modes.rows(), rows); });
    }
    Value forward_time() const {
        return graph_->constant(name("time_fourier", time_.cells, time_.count), {2 * time_.count, time_.cells},
                                [&] { return time_.rows(); });
    }
    Value inverse_time() const {
        const std::int64_t rows = 2 * time_.count;
        return graph_->constant(name("time_fourier_inverse", time_.cells, time_.count), {time_.cells, rows},
                                [&] { return transposed(time_.weighted_rows(scale_), rows); });
    }

   private:
    static std::string name(const char* what, std::int64_t cells, std::int64_t modes) {
        return std::string(what) + "." + std::to_string(cells) + "_cells." + std::to_string(modes) + "_modes";
    }

    Graph* graph_;
    std::vector<SpaceModes> space_;
    TimeModes time_;
    double scale_;
};

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
        x = graph.add(CombineSignsOp{axis + 1, matrices.space(axis).repeated_from(), false}, {x});
    }
    return x;
}

Value inverse_truncated_fourier(const Value& spectrum, const std::vector<std::int64_t>& modes, const Shape& extents) {
    Graph& graph = spectrum.graph();
    const TransformMatrices matrices(graph, extents, modes);
    Value x = spectrum;
    const int last = matrices.axes() - 1;
    for (int axis = 0; axis <= last; ++axis) {
        x = graph.add(CombineSignsOp{axis + 1, matrices.space(axis).repeated_from(), true}, {x});
    }
    for (int axis = 0; axis < last; ++axis) {
        x = graph.add(AxisTransformOp{axis + 1}, {matrices.inverse(axis), x});
    }
    x = graph.add(AxisTransformOp{last + 2}, {matrices.inverse_time(), x});
    return graph.add(AxisTransformOp{last + 1}, {matrices.inverse(last), x});
}

}  // namespace plumecast
