#include "passes/partition/partition.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <plumecast/core/error.hpp>

#include "distributed/levels.hpp"
#include "distributed/padded_grid.hpp"
#include "passes/fuse.hpp"
#include "passes/partition/field_halos.hpp"
#include "passes/partition/spectral_chain.hpp"

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

/// Whether an op works on each cell alone.
template <class Kind>
bool is_by_cell(const Kind& /*op*/) {
    return std::is_same_v<Kind, ProjectionOp> || std::is_same_v<Kind, NormaliseOp> || std::is_same_v<Kind, ConcatOp> ||
           std::is_same_v<Kind, AddOp> || std::is_same_v<Kind, MultiplyOp> || std::is_same_v<Kind, ActivateOp> ||
           std::is_same_v<Kind, CastOp>;
}
bool is_by_cell(const MatMulOp& op) { return !op.transpose_a; }

/// Nodes that a lift depends on.
std::vector<char> nodes_before_lift(const Graph& graph) {
    std::vector<char> before(graph.nodes().size(), 0);
    for (std::size_t node = before.size(); node-- > 0;) {
        const bool is_lift = std::holds_alternative<PaddedSumOp>(graph.nodes()[node].op);
        for (const int input : graph.nodes()[node].inputs) {
            before[static_cast<std::size_t>(input)] |= static_cast<char>(is_lift || before[node] != 0);
        }
    }
    return before;
}

const PaddedSumOp& lift_of(const Graph& graph) {
    const auto found = std::ranges::find_if(
        graph.nodes(), [](const Node& node) { return std::holds_alternative<PaddedSumOp>(node.op); });
    expects(found != graph.nodes().end(), "a network that lifts its inputs to a padded grid");
    return std::get<PaddedSumOp>(found->op);
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
        for (SpectralChain& chain : spectral_chains(whole)) {
            for (const std::vector<int>* ops : {&chain.forward, &chain.inverse}) {
                in_chain_.insert(in_chain_.end(), ops->begin(), ops->end());
            }
            in_chain_.insert(in_chain_.end(), {chain.multiply, chain.weight});
            chains_.emplace(chain.inverse.back(), std::move(chain));
        }
    }

    Graph made() && {
        for (std::size_t node = 0; node < placed_.size(); ++node) {
            const int at = static_cast<int>(node);
            if (const auto chain = chains_.find(at); chain != chains_.end()) {
                placed_[node] = convolved(chain->second);
            } else if (std::ranges::find(in_chain_, at) == in_chain_.end()) {
                placed_[node] = std::visit([&](const auto& op) { return place(op, at); }, whole_->nodes()[node].op);
            }
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

    template <class Kind>
    Placed place(const Kind& op, int at) {
        const Placed input = partial_input(at);
        if (input.part != Part::all && !is_by_cell(op)) {
            throw Error(std::string("op ") + Kind::name +
                        " of fields that ranks hold in parts (it knows no ranks); take gradients, and fuse sums, after "
                        "the graph is partitioned");
        }
        return {graph_.add(op, inputs_of(at)), input.part, input.level};
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

    Placed place(ConvOp op, int at) {
        const Placed x = placed(node(at).inputs[0]);
        expects(x.part == Part::held && !op.fused.addend, "convolutions of fields, before sums are fused");
        std::vector<Value> inputs = inputs_of(at);
        if (!is_cut()) {
            return {graph_.add(op, inputs), Part::held};
        }
        for (int k = 0; k < op.parts; ++k) {
            const Placed& part = placed(node(at).inputs[static_cast<std::size_t>(k)]);
            inputs[static_cast<std::size_t>(k)] =
                halos_->around(node(at).inputs[static_cast<std::size_t>(k)], at, part.value, part.level);
        }
        const ConvHalo& halo = halos_->halo(op.geometry, x.level);
        const int level = FieldHalos::level_after(op.geometry, x.level);
        if (halo.computes_nothing()) {
            const Shape shape = halo.output_shape(x.value.shape(), node(at).type.shape[-1]);
            return {graph_.add(NoCellsOp{shape}, inputs), Part::held, level};
        }
        op.geometry = halo.local();
        return {graph_.add(op, inputs), Part::held, level};
    }

    Placed place(const MomentsOp& op, int at) {
        const Value x = placed(node(at).inputs[0]).value;
        const Value moments = graph_.add(op, {x});
        const std::int64_t cells = x.shape().count() / x.shape()[-1];
        Communicator& ranks = grid_->world();
        return {ranks.size() == 1 ? moments
                                  : graph_.add(MergeMomentsOp{&ranks, static_cast<double>(cells)}, {moments})};
    }

    SpectrumRoute& route(const ChainMatrices& matrices) {
        const Shape modes = matrices.both_signs(), extents = matrices.extents();
        auto& route = routes_[extents.text() + modes.text()];
        if (!route) {
            const Partition* cut = is_cut() ? &levels_->at(0) : nullptr;
            const AxisPartition owners = is_cut() ? grid_->owners(modes) : AxisPartition{0, modes.count()};
            route = std::make_unique<SpectrumRoute>(
                spectrum_route(extents, matrices.modes(), cut, extents, *grid_, owners));
        }
        return *route;
    }

    /// The result of a spectral convolution.
    Placed convolved(const SpectralChain& chain) {
        const Placed& x = placed(chain.field);
        expects(x.part == Part::held && x.level == 0, "spectral convolutions on the padded grid");
        const ChainMatrices matrices(*whole_, chain);
        SpectrumRoute& modes = route(matrices);
        const auto* weight = std::get_if<WeightOp>(&node(chain.weight).op);
        expects(weight != nullptr, "spectral convolutions by weights");
        WeightOp local = *weight;
        if (is_cut()) {
            Shape shape{modes.owned};
            for (int axis = matrices.axes(); axis < local.shape.rank(); ++axis) {
                shape = shape.append(local.shape[axis]);
            }
            local.shape = shape;
        }
        return {on_rank(matrices, modes, x.value, graph_.weight(local)), Part::held};
    }

    const Graph* whole_;
    const ProcessGrid* grid_;
    std::int64_t cases_;
    Shape padded_, extents_;  // of the whole grid: a lifted field; space and time before padding
    std::vector<char> before_lift_;
    std::unique_ptr<Levels> levels_;  // where ranks cut space
    std::optional<FieldHalos> halos_;
    std::map<int, SpectralChain> chains_;  // by their last node
    std::vector<int> in_chain_;
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
