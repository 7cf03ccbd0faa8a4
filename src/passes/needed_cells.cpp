#include "passes/needed_cells.hpp"

#include <algorithm>
#include <optional>
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

/// What an op reads, multiplies and writes for a cell of a field.
struct Work {
    double numbers, multiplications, results;
};

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
        for (std::size_t at = needed_.size(); at-- > 0;) {
            const Node& node = graph_->nodes()[at];
            for (std::size_t k = 0; k < node.inputs.size(); ++k) {
                const Shape& whole = type(node.inputs[k]).shape;
                need(node.inputs[k], k < node.op->fields() ? node.op->needed(whole, needed_[at]) : whole);
            }
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
            agree = compute(now, node) && agree;
        }
        return agree;
    }
    bool compute(const Node& node, std::size_t at) {
        const Op& op = node.op;
        const std::size_t fields = op->fields();
        if (op->cropped(needed_[at])) {
            computed_[at] = needed_[at];
            return true;
        }
        if (fields == 0) {
            return true;
        }
        Shape read;
        for (std::size_t k = 0; k < fields; ++k) {
            const Shape present = computed(node.inputs[k]).with(-1, 0);
            const Shape needed = op->needed(type(node.inputs[k]).shape, needed_[at]).with(-1, 0);
            const auto channels = static_cast<double>(type(node.inputs[k]).shape[-1]),
                       results = static_cast<double>(node.type.shape[-1]);
            const Work work{channels, op->taps() * channels * results, results};
            const Shape kept = is_worth_cropping(work, present, needed) ? needed : present;
            read = k == 0 ? kept : larger(read, kept);
        }
        bool agree = true;
        std::vector<ValueType> inputs = input_types(*graph_, node);
        for (std::size_t k = 0; k < fields; ++k) {
            const Shape& present = computed(node.inputs[k]);
            if (larger(present.with(-1, 0), read) != present.with(-1, 0)) {
                need(node.inputs[k], read.with(-1, present[-1]));
                agree = false;
            }
            inputs[k].shape = read.with(-1, present[-1]);
        }
        read_[at] = read;
        computed_[at] = op->giving(read, needed_[at])->result(inputs).shape;
        return agree;
    }

    const Graph* graph_;
    Boxes needed_, computed_, read_;
};

/// The first cells of a field.
Value first(const Value& x, const Shape& box) {
    const bool is_all = x.shape().with(-1, 0) == box.with(-1, 0);
    return is_all ? x : crop(x, box.slice(1, box.rank() - 1));
}

/// An op with inputs, some of them on the cells that it was found to read, on those that it was found to compute.
Value on_needed_cells(const Node& node, Graph& copy, std::vector<Value> inputs, const NeededCells& cells, int at) {
    const Shape& computed = cells.computed(at);
    if (const std::optional<Op> cropped = node.op->cropped(computed)) {
        const bool is_all = node.op.is<CropOp>() && computed == inputs[0].shape();
        return is_all ? inputs[0] : copy.add(computed == node.type.shape ? node.op : *cropped, inputs);
    }
    for (std::size_t k = 0; k < node.op->fields(); ++k) {
        inputs[k] = first(inputs[k], cells.read(at));
    }
    return copy.add(node.op->fields() > 0 ? node.op->giving(cells.read(at), computed) : node.op, inputs);
}

}  // namespace

Graph compute_needed_cells(const Graph& whole) {
    const Graph graph = pruned(whole);
    const NeededCells cells(graph);
    return pruned(rebuilt(graph, [&](Graph& copy, int node, const std::vector<Value>& inputs) {
        const Node& now = graph.nodes()[static_cast<std::size_t>(node)];
        const Value made = inputs.empty() ? Value() : on_needed_cells(now, copy, inputs, cells, node);
        expects(!made.defined() || made.shape() == cells.computed(node), "a value on the cells foreseen for it");
        return made;
    }));
}

}  // namespace plumecast
