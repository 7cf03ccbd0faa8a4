#include "passes/needed_cells.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/graph/layers.hpp>

namespace plumecast {
namespace {

/// Of each node the extents of a box at the low corner of its array.
using Boxes = std::vector<Shape>;

/// On every axis the larger of two extents.
Shape larger(Shape a, const Shape& b) {
    for (int axis = 0; axis < a.rank(); ++axis) {
        a = a.with(axis, std::max(a[axis], b[axis]));
    }
    return a;
}

/// An axis of a convolution.
struct ConvAxis {
    std::int64_t kernel, stride, low, high;
};

std::vector<ConvAxis> axes_of(const ConvGeometry& g) {
    std::vector<ConvAxis> axes;
    if (g.has_outer()) {
        axes.push_back({g.outer.kernel, g.outer.stride, g.outer.padding_low, g.outer.padding_high});
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        axes.push_back({g.kernel[axis], g.stride[axis], g.padding_low[axis], g.padding_high[axis]});
    }
    return axes;
}

/// The first cells of the input that so many first cells of the result are made from.
std::int64_t reach(const ConvAxis& axis, bool transposed, std::int64_t cells) {
    return transposed ? (cells - 1 + axis.low) / axis.stride + 1 : (cells - 1) * axis.stride - axis.low + axis.kernel;
}

/// The fields that an op reads cell by cell, all on the same box: its first inputs. Of other inputs, and for other ops,
/// all is needed.
std::size_t fields_of(const AddOp& /*op*/) { return 2; }
std::size_t fields_of(const MultiplyOp& op) { return op.fused.is_nothing() ? 2 : 0; }
std::size_t fields_of(const ActivateOp& /*op*/) { return 1; }
std::size_t fields_of(const NormaliseOp& op) { return op.of_batch ? 0 : 1; }
std::size_t fields_of(const MatMulOp& op) { return op.transpose_a || op.fused.addend ? 0 : 1; }
std::size_t fields_of(const ConvOp& op) { return op.fused.addend ? 0 : static_cast<std::size_t>(op.parts); }
template <class Kind>
std::size_t fields_of(const Kind& /*op*/) {
    return 0;
}

/// The box of a field of these extents that a box of the result is made from.
template <class Kind>
Shape needed_by(const Kind& /*op*/, const Shape& whole, const Shape& result) {
    return result.with(-1, whole[-1]);
}
Shape needed_by(const ConvOp& op, const Shape& whole, const Shape& result) {
    Shape needed = whole;
    int axis = 1;
    for (const ConvAxis& along : axes_of(op.geometry)) {
        needed = needed.with(axis, std::min(whole[axis], reach(along, op.geometry.transposed, result[axis])));
        ++axis;
    }
    return needed;
}

/// The high padding with which a convolution of so many cells gives the wanted cells and no more; unchanged where there
/// is none.
std::int64_t padding_for(const ConvAxis& axis, bool transposed, std::int64_t cells, std::int64_t wanted) {
    const std::int64_t given = transposed ? (cells - 1) * axis.stride + axis.kernel - axis.low - axis.high
                                          : (cells + axis.low + axis.high - axis.kernel) / axis.stride + 1;
    const std::int64_t high =
        transposed ? axis.high + given - wanted : (wanted - 1) * axis.stride + axis.kernel - axis.low - cells;
    return given > wanted && high >= 0 && high < axis.kernel ? high : axis.high;
}

/// The op that gives a box of its result from fields of a box: a convolution leaves out the last cells by its padding.
template <class Kind>
Kind giving(const Kind& op, const Shape& /*fields*/, const Shape& /*wanted*/) {
    return op;
}
ConvOp giving(ConvOp op, const Shape& fields, const Shape& wanted) {
    ConvGeometry& g = op.geometry;
    const std::vector<ConvAxis> axes = axes_of(g);
    const std::size_t inner = axes.size() - 3;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        const int at = static_cast<int>(axis) + 1;
        const std::int64_t high = padding_for(axes[axis], g.transposed, fields[at], wanted[at]);
        (axis < inner ? g.outer.padding_high : g.padding_high[axis - inner]) = high;
    }
    return op;
}

/// The result for fields of such a box.
template <class Kind>
Shape result_for(const Kind& /*op*/, const Shape& fields, const Shape& wanted) {
    return fields.with(-1, wanted[-1]);
}
Shape result_for(const ConvOp& op, const Shape& fields, const Shape& wanted) {
    return giving(op, fields, wanted).geometry.output_shape(fields, wanted[-1]);
}

/// What an op reads, multiplies and writes for a cell of a field.
struct Work {
    double numbers, multiplications, results;
};

template <class Kind>
Work work_of(const Kind& /*op*/, std::int64_t channels, std::int64_t results) {
    return {static_cast<double>(channels), 0.0, static_cast<double>(results)};
}
Work work_of(const MatMulOp& /*op*/, std::int64_t channels, std::int64_t results) {
    return {static_cast<double>(channels), static_cast<double>(channels * results), static_cast<double>(results)};
}
Work work_of(const ConvOp& op, std::int64_t channels, std::int64_t results) {
    double taps = 1.0;
    for (const ConvAxis& axis : axes_of(op.geometry)) {
        taps *= static_cast<double>(axis.kernel);
    }
    return {static_cast<double>(channels), taps * static_cast<double>(channels * results),
            static_cast<double>(results)};
}

/// Whether to crop before an op instead of after it. A crop before it copies the needed cells of the input, one after
/// it those of the result, and the op then does no work on the other cells. An op without arithmetic is itself a copy:
/// there the crop pays only where it halves the cells.
bool is_worth_cropping(const Work& work, const Shape& present, const Shape& needed) {
    constexpr double multiplications_of_a_pass = 40.0;  // a number read and written from memory, on a processor
    const auto cells = [](const Shape& box) { return static_cast<double>(box.count(0, box.rank() - 1)); };
    if (cells(needed) >= (work.multiplications > 0.0 ? 0.8 : 0.5) * cells(present)) {
        return false;
    }
    const double saved = work.multiplications / multiplications_of_a_pass + work.numbers + work.results;
    return (cells(present) - cells(needed)) * saved > cells(needed) * (work.numbers - work.results);
}

/// Which cells of each value are needed, and which are computed.
class NeededCells {
   public:
    explicit NeededCells(const Graph& graph) : graph_(&graph) {
        for (const Node& node : graph.nodes()) {
            needed_.push_back(nothing_of(node.type.shape));
        }
        for (const auto& [name, node] : graph.outputs()) {
            need(node, type(node).shape);
        }
        do {
            pass_on_needs();
        } while (!compute_boxes());
    }

    /// What a value is computed on.
    const Shape& computed(int node) const { return computed_[index(node)]; }
    /// What an op reads of its fields.
    const Shape& read(int node) const { return read_[index(node)]; }

   private:
    static std::size_t index(int node) { return static_cast<std::size_t>(node); }
    static Shape nothing_of(Shape shape) {
        for (int axis = 0; axis < shape.rank(); ++axis) {
            shape = shape.with(axis, 0);
        }
        return shape;
    }
    const ValueType& type(int node) const { return graph_->nodes()[index(node)].type; }
    void need(int node, const Shape& box) { needed_[index(node)] = larger(needed_[index(node)], box); }

    void pass_on_needs() {
        for (std::size_t node = needed_.size(); node-- > 0;) {
            std::visit([&](const auto& op) { pass_on(op, graph_->nodes()[node], needed_[node]); },
                       graph_->nodes()[node].op);
        }
    }
    template <class Kind>
    void pass_on(const Kind& op, const Node& node, const Shape& result) {
        const std::size_t fields = fields_of(op);
        for (std::size_t k = 0; k < node.inputs.size(); ++k) {
            const Shape& whole = type(node.inputs[k]).shape;
            need(node.inputs[k], k < fields ? needed_by(op, whole, result) : whole);
        }
    }
    void pass_on(const CropOp& op, const Node& node, const Shape& result) {
        Shape needed = result;
        for (int axis = 0; axis < needed.rank(); ++axis) {
            needed = needed.with(axis, op.low[axis] + result[axis]);
        }
        need(node.inputs[0], needed);
    }
    void pass_on(const AxisTransformOp& op, const Node& node, const Shape& result) {
        const Shape& whole = type(node.inputs[1]).shape;
        need(node.inputs[0], type(node.inputs[0]).shape);
        need(node.inputs[1], op.fused.addend ? whole : result.with(op.axis, whole[op.axis]));
        if (op.fused.addend) {
            need(node.inputs[2], type(node.inputs[2]).shape);
        }
    }

    /// False when some fields that an op reads together are computed on different boxes; the smaller ones are then
    /// needed on the larger box.
    bool compute_boxes() {
        computed_.clear();
        read_.assign(needed_.size(), {});
        bool agree = true;
        for (std::size_t node = 0; node < needed_.size(); ++node) {
            const Node& now = graph_->nodes()[node];
            computed_.push_back(now.type.shape);
            agree = std::visit([&](const auto& op) { return compute(op, now, node); }, now.op) && agree;
        }
        return agree;
    }
    template <class Kind>
    bool compute(const Kind& op, const Node& node, std::size_t at) {
        const std::size_t fields = fields_of(op);
        Shape read, channels;
        for (std::size_t k = 0; k < fields; ++k) {
            const Shape present = computed(node.inputs[k]).with(-1, 0);
            const Shape needed = needed_by(op, type(node.inputs[k]).shape, needed_[at]).with(-1, 0);
            const Work work = work_of(op, type(node.inputs[k]).shape[-1], node.type.shape[-1]);
            const Shape kept = is_worth_cropping(work, present, needed) ? needed : present;
            read = k == 0 ? kept : larger(read, kept);
        }
        if (fields == 0) {
            return true;
        }
        bool agree = true;
        std::int64_t sum = 0;
        for (std::size_t k = 0; k < fields; ++k) {
            const Shape& present = computed(node.inputs[k]);
            sum += present[-1];
            if (larger(present.with(-1, 0), read) != present.with(-1, 0)) {
                need(node.inputs[k], read.with(-1, present[-1]));
                agree = false;
            }
        }
        read_[at] = read;
        computed_[at] = result_for(op, read.with(-1, sum), needed_[at].with(-1, node.type.shape[-1]));
        return agree;
    }
    bool compute(const CropOp& /*op*/, const Node& /*node*/, std::size_t at) {
        computed_[at] = needed_[at];
        return true;
    }
    bool compute(const AxisTransformOp& op, const Node& node, std::size_t at) {
        if (!op.fused.addend) {
            computed_[at] = computed(node.inputs[1]).with(op.axis, needed_[at][op.axis]);
        }
        return true;
    }

    const Graph* graph_;
    Boxes needed_, computed_, read_;
};

/// The first cells of a field.
Value first(const Value& x, const Shape& box) {
    const bool is_all = x.shape().with(-1, 0) == box.with(-1, 0);
    return is_all ? x : crop(x, box.slice(1, box.rank() - 1));
}

/// The first rows of a constant matrix, as another one.
Value first_rows(const ConstantOp& matrix, Graph& copy, std::int64_t rows) {
    const Shape shape = matrix.shape.with(0, rows);
    const auto values = matrix.values;  // the node moves
    return copy.constant(matrix.of + ".first_" + std::to_string(rows), shape,
                         [&] { return std::vector<double>(values->begin(), values->begin() + shape.count()); });
}

template <class Kind>
Value on_needed_cells(const Kind& op, Graph& copy, std::vector<Value> inputs, const Shape& computed,
                      const Shape& read) {
    const std::size_t fields = fields_of(op);
    for (std::size_t k = 0; k < fields; ++k) {
        inputs[k] = first(inputs[k], read);
    }
    return copy.add(fields > 0 ? giving(op, read, computed) : op, inputs);
}

Value on_needed_cells(CropOp op, Graph& copy, const std::vector<Value>& inputs, const Shape& computed,
                      const Shape& /*read*/) {
    op.extents = computed;
    return computed == inputs[0].shape() ? inputs[0] : copy.add(op, inputs);
}

Value on_needed_cells(const AxisTransformOp& op, Graph& copy, std::vector<Value> inputs, const Shape& computed,
                      const Shape& /*read*/) {
    const std::int64_t rows = computed[op.axis];
    if (rows != inputs[0].shape()[0]) {
        inputs[0] = first_rows(*op_of<ConstantOp>(inputs[0]), copy, rows);
    }
    return copy.add(op, inputs);
}

}  // namespace

Graph compute_needed_cells(const Graph& whole) {
    const Graph graph = pruned(whole);
    const NeededCells cells(graph);
    return pruned(rebuilt(graph, [&](Graph& copy, int node, const std::vector<Value>& inputs) {
        const Value made = std::visit(
            [&](const auto& op) {
                return inputs.empty() ? Value()
                                      : on_needed_cells(op, copy, inputs, cells.computed(node), cells.read(node));
            },
            graph.nodes()[static_cast<std::size_t>(node)].op);
        expects(!made.defined() || made.shape() == cells.computed(node), "a value on the cells foreseen for it");
        return made;
    }));
}

}  // namespace plumecast
