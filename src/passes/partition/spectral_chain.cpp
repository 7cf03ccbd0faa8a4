#include "passes/partition/spectral_chain.hpp"

#include <algorithm>
#include <ranges>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

const Node& node_at(const Graph& graph, int node) { return graph.nodes()[static_cast<std::size_t>(node)]; }

/// What a transform or a combination of signs is applied to; -1 for other ops.
int transformed_by(const Graph& graph, int node) {
    const Node& here = node_at(graph, node);
    if (std::holds_alternative<AxisTransformOp>(here.op)) {
        return here.inputs[1];
    }
    return std::holds_alternative<CombineSignsOp>(here.op) ? here.inputs[0] : -1;
}

bool is_transform(const Graph& graph, int node) {
    return std::holds_alternative<AxisTransformOp>(node_at(graph, node).op);
}

/// The nodes that read a node.
std::vector<int> readers_of(const Graph& graph, int node) {
    std::vector<int> readers;
    for (std::size_t other = 0; other < graph.nodes().size(); ++other) {
        if (std::ranges::find(graph.nodes()[other].inputs, node) != graph.nodes()[other].inputs.end()) {
            readers.push_back(static_cast<int>(other));
        }
    }
    return readers;
}

SpectralChain chain_around(const Graph& graph, int multiply) {
    constexpr const char* expected = "a spectral convolution as it was described";
    const Node& node = node_at(graph, multiply);
    const int axes = node.type.shape.rank() - 2;  // of space, and time
    SpectralChain chain{node.inputs[0], node.inputs[1], {}, multiply, {}};
    for (int transforms = 0; transforms < axes;) {
        const int before = transformed_by(graph, chain.field);
        expects(before >= 0, expected);
        transforms += is_transform(graph, chain.field) ? 1 : 0;
        chain.forward.push_back(chain.field);
        chain.field = before;
    }
    std::ranges::reverse(chain.forward);
    int last = multiply;
    for (int transforms = 0; transforms < axes;) {
        const std::vector<int> readers = readers_of(graph, last);
        expects(readers.size() == 1 && transformed_by(graph, readers[0]) == last, expected);
        last = readers[0];
        transforms += is_transform(graph, last) ? 1 : 0;
        chain.inverse.push_back(last);
    }
    return chain;
}

const ConstantOp& matrix_of(const Graph& graph, const Node& transform) {
    const auto* constant = std::get_if<ConstantOp>(&node_at(graph, transform.inputs[0]).op);
    expects(constant != nullptr, "transforms by constant matrices");
    return *constant;
}

/// Rows, or columns, [low, high) of a matrix.
Value part_of(Graph& graph, const ConstantOp& matrix, bool rows, CellRange range) {
    const std::int64_t columns = matrix.shape[1], all = matrix.shape[rows ? 0 : 1];
    if (range == CellRange{0, all}) {
        return graph.constant(matrix.of, matrix.shape, [&] { return *matrix.values; });
    }
    const std::string name =
        matrix.of + (rows ? ".rows_" : ".columns_") + std::to_string(range.low) + "_to_" + std::to_string(range.high);
    return graph.constant(name, matrix.shape.with(rows ? 0 : 1, range.cells()), [&] {
        std::vector<double> part;
        for (std::size_t at = 0; at < matrix.values->size(); ++at) {
            const auto row = static_cast<std::int64_t>(at) / columns, column = static_cast<std::int64_t>(at) % columns;
            const std::int64_t here = rows ? row : column;
            if (here >= range.low && here < range.high) {
                part.push_back((*matrix.values)[at]);
            }
        }
        return part;
    });
}

Value reshaped(const Value& x, const Shape& shape) {
    return x.shape() == shape ? x : x.graph().add(ReshapeOp{shape}, {x});
}

/// Emits the ops of a chain on this rank, in the order of truncated_fourier() and back, with exchanges between.
class ChainOnRank {
   public:
    ChainOnRank(const ChainMatrices& matrices, SpectrumRoute& route, const Value& field)
        : matrices_(&matrices),
          route_(&route),
          graph_(&field.graph()),
          field_(field),
          batch_(field.shape()[0]),
          pencil_(2 * matrices.modes().back()) {}

    /// This rank's modes [B, owned, 2 mt, C].
    Value forward() const {
        const int last = axes() - 1;
        const std::int64_t channels = field_.shape()[-1];
        Value x = left(last) ? field_ : forward_along(field_, last, last + 1);
        x = graph_->add(AxisTransformOp{last + 2}, {whole(matrices_->time_forward), x});
        for (int axis = last; axis-- > 0;) {
            x = left(axis) ? x : forward_along(x, axis, axis + 1);
        }
        for (int axis = last; axis >= 0; --axis) {
            x = left(axis) ? x : signs(x, axis, axis + 1, false);
        }
        for (SpectrumRoute::Stage& stage : route_->stages) {
            x = to_owners(x, stage, channels);
        }
        return reshaped(x, {batch_, route_->owned, pencil_, channels});
    }
    /// This rank's cells of the result.
    Value inverse(Value x) const {
        const Shape modes = matrices_->both_signs();
        Shape shape{batch_};
        for (int axis = 0; axis < axes(); ++axis) {
            shape = shape.append(left(axis) ? field_.shape()[axis + 1] : modes[axis]);
        }
        shape = shape.append(pencil_).append(x.shape()[-1]);
        for (SpectrumRoute::Stage& stage : std::views::reverse(route_->stages)) {
            x = to_holders(x, stage, shape);
        }
        x = reshaped(x, shape);
        const int last = axes() - 1;
        for (int axis = 0; axis <= last; ++axis) {
            x = left(axis) ? x : signs(x, axis, axis + 1, true);
        }
        for (int axis = 0; axis < last; ++axis) {
            x = left(axis) ? x : inverse_along(x, axis, axis + 1, DType::float32);
        }
        const DType time = left(last) ? matrices_->result : DType::float32;
        x = graph_->add(AxisTransformOp{.axis = last + 2, .type = time}, {whole(matrices_->time_inverse), x});
        return left(last) ? x : inverse_along(x, last, last + 1, matrices_->result);
    }

   private:
    using Kind = ExchangeOp::Kind;

    int axes() const { return matrices_->axes(); }
    bool left(int axis) const { return std::ranges::find(route_->left, axis) != route_->left.end(); }
    CellRange held(int axis) const { return {route_->held.low()[axis], route_->held.high()[axis]}; }
    Value whole(const ConstantOp& matrix) const { return part_of(*graph_, matrix, true, {0, matrix.shape[0]}); }

    /// An axis of space, which stands at `at`.
    Value forward_along(const Value& x, int axis, int at) const {
        const Value matrix = part_of(*graph_, matrices_->forward[static_cast<std::size_t>(axis)], false, held(axis));
        return graph_->add(AxisTransformOp{at}, {matrix, x});
    }
    Value inverse_along(const Value& x, int axis, int at, DType type) const {
        const Value matrix = part_of(*graph_, matrices_->inverse[static_cast<std::size_t>(axis)], true, held(axis));
        return graph_->add(AxisTransformOp{.axis = at, .type = type}, {matrix, x});
    }
    Value signs(const Value& x, int axis, int at, bool adjoint) const {
        return graph_->add(CombineSignsOp{at, matrices_->dropped_from[static_cast<std::size_t>(axis)], adjoint}, {x});
    }

    /// Sent as the exchange counts this rank's array, received as `shape`.
    Value moved(const Value& x, Kind kind, const AxisExchange::Move& move, const Shape& sent,
                const Shape& shape) const {
        if (!move.exchange) {
            return reshaped(x, shape);
        }
        return graph_->add(ExchangeOp{kind, move.adjoint, move.exchange, sent, move.result, shape}, {x});
    }
    Value to_owners(Value x, SpectrumRoute::Stage& stage, std::int64_t channels) const {
        AxisExchange& exchange = stage.exchange;
        const std::int64_t inner = stage.after * pencil_ * channels;
        if (!exchange.by_transpose()) {
            const Shape sums{batch_, exchange.rows() * exchange.modes(), inner};
            return moved(x, Kind::modes, exchange.to_owners(sums), sums,
                         {batch_, exchange.owned(), stage.after * pencil_, channels});
        }
        const Shape cells{batch_, exchange.rows(), stage.held, inner};
        x = moved(x, Kind::lines, exchange.to_owners(cells), cells,
                  {batch_, exchange.covered(), exchange.cells(), stage.after, pencil_, channels});
        x = signs(forward_along(x, stage.axis, 2), stage.axis, 2, false);
        const Shape owned{batch_, exchange.owned(), inner},
            modes = owned.with(1, exchange.covered() * exchange.modes());
        return owned == modes ? x : graph_->add(CropOp{{0, exchange.before(), 0}, owned}, {reshaped(x, modes)});
    }
    /// With the shape of what is given to the next stage, or of this rank's part of the spectrum after the last.
    Value to_holders(Value x, SpectrumRoute::Stage& stage, const Shape& spectrum) const {
        AxisExchange& exchange = stage.exchange;
        const std::int64_t channels = spectrum[-1], inner = stage.after * pencil_ * channels;
        const bool is_last = &stage == &route_->stages.front();
        const Shape owned{batch_, exchange.owned(), inner},
            modes = owned.with(1, exchange.covered() * exchange.modes());
        if (!exchange.by_transpose()) {
            const AxisExchange::Move move = exchange.to_holders(owned);
            return moved(x, Kind::modes, move, owned, is_last ? spectrum : move.result);
        }
        x = owned == modes ? x : graph_->add(PlaceOp{{0, exchange.before(), 0}, modes}, {reshaped(x, owned)});
        x = reshaped(x, {batch_, exchange.covered(), exchange.modes(), stage.after, pencil_, channels});
        x = inverse_along(signs(x, stage.axis, 2, true), stage.axis, 2, DType::float32);
        const Shape lines{batch_, exchange.covered(), exchange.cells(), inner};
        const AxisExchange::Move move = exchange.to_holders(lines);
        return moved(x, Kind::lines, move, lines, is_last ? spectrum : move.result);
    }

    const ChainMatrices* matrices_;
    SpectrumRoute* route_;
    Graph* graph_;
    Value field_;
    std::int64_t batch_, pencil_;
};

}  // namespace

std::vector<SpectralChain> spectral_chains(const Graph& graph) {
    std::vector<SpectralChain> chains;
    for (std::size_t node = 0; node < graph.nodes().size(); ++node) {
        if (std::holds_alternative<SpectralMultiplyOp>(graph.nodes()[node].op)) {
            chains.push_back(chain_around(graph, static_cast<int>(node)));
        }
    }
    return chains;
}

ChainMatrices::ChainMatrices(const Graph& graph, const SpectralChain& chain) {
    const auto axes = static_cast<std::size_t>(node_at(graph, chain.multiply).type.shape.rank() - 3);
    forward.resize(axes);
    inverse.resize(axes);
    dropped_from.resize(axes);
    for (const bool is_forward : {true, false}) {
        for (const int at : is_forward ? chain.forward : chain.inverse) {
            const Node& node = node_at(graph, at);
            if (const auto* signs = std::get_if<CombineSignsOp>(&node.op)) {
                dropped_from[static_cast<std::size_t>(signs->axis - 1)] = signs->dropped_from;
                continue;
            }
            const auto& transform = std::get<AxisTransformOp>(node.op);
            expects(transform.fused.is_nothing(), "transforms before sums are fused");
            const auto axis = static_cast<std::size_t>(transform.axis - 1);
            ConstantOp& time = is_forward ? time_forward : time_inverse;
            (axis == axes ? time : (is_forward ? forward : inverse)[axis]) = matrix_of(graph, node);
            result = transform.type;
        }
    }
}

Shape ChainMatrices::extents() const {
    Shape cells;
    for (const ConstantOp& matrix : forward) {
        cells = cells.append(matrix.shape[1]);
    }
    return cells.append(time_forward.shape[1]);
}

std::vector<std::int64_t> ChainMatrices::modes() const {
    std::vector<std::int64_t> kept;
    for (const ConstantOp& matrix : forward) {
        kept.push_back(matrix.shape[0] / 2 - 1);
    }
    kept.push_back(time_forward.shape[0] / 2);
    return kept;
}

Shape ChainMatrices::both_signs() const {
    Shape modes;
    for (const ConstantOp& matrix : forward) {
        modes = modes.append(matrix.shape[0] - 2);
    }
    return modes;
}

Value on_rank(const ChainMatrices& matrices, SpectrumRoute& route, const Value& field, const Value& weight) {
    const ChainOnRank chain(matrices, route, field);
    return chain.inverse(field.graph().add(SpectralMultiplyOp{}, {chain.forward(), weight}));
}

}  // namespace plumecast
