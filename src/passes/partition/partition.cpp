#include "passes/partition/partition.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <plumecast/core/error.hpp>

#include "distributed/levels.hpp"
#include "distributed/padded_grid.hpp"
#include "graph/ops/no_cells.hpp"
#include "graph/transform_matrices.hpp"
#include "passes/fuse.hpp"
#include "passes/partition/field_halos.hpp"
#include "passes/partition/rank_spectrum.hpp"

namespace plumecast {
namespace {

/// Which part of an array a rank has: all of it; of inputs, what it reads; of fields, what it holds; of predictions,
/// what it predicts.
enum class Part { all, read, held, predicted };

struct Placed {
    Value value;
    Part part = Part::all;
    int level = 0;  ///< of a field that is held
};

/// Nodes that a lift depends on.
std::vector<char> nodes_before_lift(const Graph& graph) {
    std::vector<char> before(graph.nodes().size(), 0);
    for (std::size_t node = before.size(); node-- > 0;) {
        const bool is_lift = graph.nodes()[node].op.is<PaddedSumOp>();
        for (const int input : graph.nodes()[node].inputs) {
            before[static_cast<std::size_t>(input)] |= static_cast<char>(is_lift || before[node] != 0);
        }
    }
    return before;
}

const PaddedSumOp& lift_of(const Graph& graph) {
    const auto found = std::ranges::find_if(graph.nodes(), [](const Node& node) { return node.op.is<PaddedSumOp>(); });
    expects(found != graph.nodes().end(), "a network that lifts its inputs to a padded grid");
    return *found->op.as<PaddedSumOp>();
}

Shape cells_before_padding(const Padding& padding) {
    Shape cells;
    for (const Padding::Axis& axis : padding.axes) {
        cells = cells.append(axis.inside);
    }
    return cells;
}

class GraphOfRank {
   public:
    GraphOfRank(const Graph& whole, const ProcessGrid& grid, CellRange cases)
        : whole_(&whole),
          grid_(&grid),
          cases_(cases.cells()),
          padded_(lift_of(whole).padded),
          extents_(cells_before_padding(lift_of(whole).padding)),
          before_lift_(nodes_before_lift(whole)),
          placed_(whole.nodes().size()) {
        const Shape space = padded_.slice(1, padded_.rank() - 2);
        if (grid.partitions_space()) {
            levels_ = std::make_unique<Levels>(grid.partition(space));
            halos_.emplace(whole, *levels_);
        }
    }

    Graph made() && {
        for (std::size_t node = 0; node < placed_.size(); ++node) {
            placed_[node] = place(static_cast<int>(node));
        }
        for (const auto& [name, node] : whole_->outputs()) {
            graph_.output(name, placed(node).value);
        }
        return pruned(graph_);
    }

   private:
    const Node& node(int at) const { return whole_->nodes()[static_cast<std::size_t>(at)]; }
    const Placed& placed(int at) const { return placed_[static_cast<std::size_t>(at)]; }
    int rank() const { return grid_->space().rank(); }
    bool is_cut() const { return levels_ != nullptr; }
    std::vector<Value> inputs_of(int at) const {
        std::vector<Value> inputs;
        for (const int input : node(at).inputs) {
            inputs.push_back(placed(input).value);
        }
        return inputs;
    }
    /// The first input that this rank has a part of.
    Placed partial_input(int at) const {
        for (const int input : node(at).inputs) {
            if (placed(input).part != Part::all) {
                return placed(input);
            }
        }
        return {};
    }
    /// `whole` [B, space..., T, C] with this rank's cases and the extents of a box of space.
    Shape within(const Shape& whole, const Box& space) const {
        Shape shape = whole.with(0, cases_);
        for (int axis = 0; axis < space.rank(); ++axis) {
            shape = shape.with(axis + 1, space.extents()[axis]);
        }
        return shape;
    }
    Box predicted() const { return box_predicted(levels_->at(0), extents_, rank()); }

    /// As the part of the grid that it knows asks for, or else on this rank's cells alone.
    Placed place(int at) {
        const Op& op = node(at).op;
        Placed placed;
        if (as_one_of<InputOp, WeightOp, PaddedSumOp, CropOp, SpectralConvOp>(
                op, [&](const auto& kind) { placed = place(kind, at); })) {
            return placed;
        }
        const Placed input = partial_input(at);
        if (input.part == Part::all || op->is_by_cell()) {
            return {graph_.add(op, inputs_of(at)), input.part, input.level};
        }
        if (op->neighbours() != nullptr && input.part == Part::held && op->fields() > 0) {
            return with_neighbours(op, at, input.level);
        }
        const Shape field = input.value.shape();
        const auto values = static_cast<double>(field.count() / field[-1]);
        const std::optional<Op> merging = op->merging(values, grid_->world());
        if (!merging) {
            throw InvalidInput("op " + op->name() +
                               " of fields that ranks hold in parts (it knows no ranks); compute on one rank, or take "
                               "gradients and fuse sums after the graph is partitioned");
        }
        const Value part = graph_.add(op, inputs_of(at));
        return {grid_->world().size() == 1 ? part : graph_.add(*merging, {part})};
    }

    Placed place(const InputOp& op, int at) {
        const bool is_read = before_lift_[static_cast<std::size_t>(at)] != 0;
        expects(op.type.shape.rank() == padded_.rank(), "inputs on the grid");
        ValueType type = op.type;
        if (is_read) {  // it may vary along some axes only
            type.shape = type.shape[0] > 1 ? type.shape.with(0, cases_) : type.shape;
            const Shape read = is_cut() ? box_read(levels_->at(0), extents_, rank()).extents() : Shape();
            for (int axis = 0; axis < read.rank(); ++axis) {
                type.shape = type.shape[axis + 1] > 1 ? type.shape.with(axis + 1, read[axis]) : type.shape;
            }
        } else {
            type.shape = is_cut() ? within(type.shape, predicted()) : type.shape.with(0, cases_);
        }
        return {graph_.input(op.of, type), is_read ? Part::read : Part::predicted};
    }

    Placed place(PaddedSumOp op, int at) {
        expects(op.padded == padded_, "one padded grid");
        op.padded = padded_.with(0, cases_);
        if (is_cut()) {
            op.padded = within(padded_, levels_->at(0).held());
            op.padding = held_padding(levels_->at(0), op.padding, rank());
        }
        return {graph_.add(op, inputs_of(at)), Part::held};
    }

    Placed place(const CropOp& op, int at) {
        const Placed x = placed(node(at).inputs[0]);
        if (x.part == Part::all) {
            return {graph_.add(op, {x.value})};
        }
        const Shape wanted = extents_.append(op.extents[-1]);
        expects(x.part == Part::held && x.level == 0 && op.extents.slice(1, op.extents.rank()) == wanted &&
                    std::ranges::count(op.low.extents(), 0) == op.low.rank(),
                "crops to the grid before its padding");
        const Shape local = is_cut() ? within(op.extents, predicted()) : op.extents.with(0, cases_);
        const Value same = x.value.shape() == local ? x.value : graph_.add(CropOp{op.low, local}, {x.value});
        return {same, Part::predicted};
    }

    /// An op of fields held on a level, which reads neighbours of their cells.
    Placed with_neighbours(const Op& op, int at, int level) {
        std::vector<Value> inputs = inputs_of(at);
        if (!is_cut()) {
            return {graph_.add(op, inputs), Part::held};
        }
        const Shape held = inputs[0].shape();
        for (std::size_t k = 0; k < op->fields(); ++k) {
            const int field = node(at).inputs[k];
            inputs[k] = halos_->around(field, at, inputs[k], placed(field).level);
        }
        const ConvHalo& halo = halos_->halo(*op->neighbours(), level);
        const int after = FieldHalos::level_after(*op->neighbours(), level);
        const Op local = halo.computes_nothing() ? Op(NoCellsOp{halo.output_shape(held, node(at).type.shape[-1])})
                                                 : op->with_neighbours(halo.local());
        return {graph_.add(local, inputs), Part::held, after};
    }

    static Shape cells_of(const Shape& field) { return field.slice(1, field.rank() - 1); }

    SpectrumRoute& route(const SpectralConvOp& op, const Shape& extents) {
        const Shape modes = both_signs(op.modes);
        auto& route = routes_[extents.text() + modes.text()];
        if (!route) {
            const Partition* cut = is_cut() ? &levels_->at(0) : nullptr;
            const AxisPartition owners = is_cut() ? grid_->owners(modes) : AxisPartition{0, modes.count()};
            route = std::make_unique<SpectrumRoute>(spectrum_route(extents, op.modes, cut, extents, *grid_, owners));
        }
        return *route;
    }

    /// A rank has the weights of the modes that it owns.
    Placed place(WeightOp op, int at) {
        for (const Node& reader : whole_->nodes()) {
            const auto* conv = reader.op.as<SpectralConvOp>();
            if (is_cut() && conv != nullptr && reader.inputs[1] == at) {
                const SpectrumRoute& modes = route(*conv, cells_of(node(reader.inputs[0]).type.shape));
                const Shape of_mode = op.shape.slice(static_cast<int>(conv->modes.size()) - 1, op.shape.rank());
                op.shape = Shape{modes.owned};
                for (int axis = 0; axis < of_mode.rank(); ++axis) {
                    op.shape = op.shape.append(of_mode[axis]);
                }
            }
        }
        return {graph_.weight(op)};
    }

    Placed place(const SpectralConvOp& op, int at) {
        const Placed& x = placed(node(at).inputs[0]);
        expects(x.part == Part::held && x.level == 0, "spectral convolutions on the padded grid");
        const bool is_whole = std::ranges::find(op.modes, 0) != op.modes.end();  // ranks share no such network
        if (!is_cut() &&
            (is_whole || grid_->route() != Route::transpose)) {  // whose order of sums is one for all grids
            return {graph_.add(op, inputs_of(at)), Part::held};
        }
        const Shape extents = cells_of(node(node(at).inputs[0]).type.shape);
        return {on_rank(op, extents, route(op, extents), x.value, placed(node(at).inputs[1]).value), Part::held};
    }

    const Graph* whole_;
    const ProcessGrid* grid_;
    std::int64_t cases_;
    Shape padded_, extents_;  // of the whole grid: a lifted field; space and time before padding
    std::vector<char> before_lift_;
    std::unique_ptr<Levels> levels_;  // where ranks cut space
    std::optional<FieldHalos> halos_;
    std::map<std::string, std::unique_ptr<SpectrumRoute>> routes_;
    Graph graph_;
    std::vector<Placed> placed_;
};

}  // namespace

Graph partition(const Graph& whole, const ProcessGrid& grid, CellRange cases) {
    const Graph by_parts = fuse_concatenations(whole);  // each of which travels once
    return GraphOfRank(by_parts, grid, cases).made();
}

}  // namespace plumecast
