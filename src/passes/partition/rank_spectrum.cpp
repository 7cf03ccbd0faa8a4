#include "passes/partition/rank_spectrum.hpp"

#include <algorithm>
#include <ranges>

#include "graph/transform_matrices.hpp"

namespace plumecast {
namespace {

Value reshaped(const Value& x, const Shape& shape) {
    return x.shape() == shape ? x : x.graph().add(ReshapeOp{shape}, {x});
}

/// The ops of a spectral convolution on this rank, in the order of truncated_fourier() and back, with exchanges
/// between.
class SpectralConvOnRank {
   public:
    SpectralConvOnRank(const SpectralConvOp& op, const Shape& extents, SpectrumRoute& route, const Value& field)
        : matrices_(field.graph(), extents, op.modes),
          modes_(both_signs(op.modes)),
          result_(op.type),
          route_(&route),
          graph_(&field.graph()),
          field_(field),
          batch_(field.shape()[0]),
          pencil_(2 * op.modes.back()) {}

    /// This rank's modes [B, owned, 2 mt, C].
    Value forward() const {
        const int last = axes() - 1;
        const std::int64_t channels = field_.shape()[-1];
        Value x = left(last) ? field_ : forward_along(field_, last, last + 1);
        x = graph_->add(AxisTransformOp{last + 2}, {matrices_.forward_time(), x});
        for (int axis = last; axis-- > 0;) {
            x = left(axis) ? x : forward_along(x, axis, axis + 1);
        }
        for (int axis = last; axis >= 0; --axis) {
            x = left(axis) ? x : matrices_.combined_signs(x, axis, axis + 1, false);
        }
        for (SpectrumRoute::Stage& stage : route_->stages) {
            x = to_owners(x, stage, channels);
        }
        return reshaped(x, {batch_, route_->owned, pencil_, channels});
    }
    /// This rank's cells of the result.
    Value inverse(Value x) const {
        Shape shape{batch_};
        for (int axis = 0; axis < axes(); ++axis) {
            shape = shape.append(left(axis) ? field_.shape()[axis + 1] : modes_[axis]);
        }
        shape = shape.append(pencil_).append(x.shape()[-1]);
        for (SpectrumRoute::Stage& stage : std::views::reverse(route_->stages)) {
            x = to_holders(x, stage, shape);
        }
        x = reshaped(x, shape);
        const int last = axes() - 1;
        for (int axis = 0; axis <= last; ++axis) {
            x = left(axis) ? x : matrices_.combined_signs(x, axis, axis + 1, true);
        }
        for (int axis = 0; axis < last; ++axis) {
            x = left(axis) ? x : inverse_along(x, axis, axis + 1, DType::float32);
        }
        const DType time = left(last) ? result_ : DType::float32;
        x = graph_->add(AxisTransformOp{.axis = last + 2, .type = time}, {matrices_.inverse_time(), x});
        return left(last) ? x : inverse_along(x, last, last + 1, result_);
    }

   private:
    using Kind = ExchangeOp::Kind;

    int axes() const { return matrices_.axes(); }
    bool left(int axis) const { return std::ranges::find(route_->left, axis) != route_->left.end(); }
    /// Of the matrix of an axis of space, the rows or columns of the cells that this rank holds.
    Value held_part(const Value& matrix, bool rows, int axis) const {
        const std::int64_t low = route_->held.low()[axis], high = route_->held.high()[axis];
        return part_of_matrix(matrix, rows, low, high,
                              (rows ? ".rows_" : ".columns_") + std::to_string(low) + "_to_" + std::to_string(high));
    }

    /// An axis of space, which stands at `at`.
    Value forward_along(const Value& x, int axis, int at) const {
        return graph_->add(AxisTransformOp{at}, {held_part(matrices_.forward(axis), false, axis), x});
    }
    Value inverse_along(const Value& x, int axis, int at, DType type) const {
        return graph_->add(AxisTransformOp{.axis = at, .type = type},
                           {held_part(matrices_.inverse(axis), true, axis), x});
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
        x = matrices_.combined_signs(forward_along(x, stage.axis, 2), stage.axis, 2, false);
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
        x = inverse_along(matrices_.combined_signs(x, stage.axis, 2, true), stage.axis, 2, DType::float32);
        const Shape lines{batch_, exchange.covered(), exchange.cells(), inner};
        const AxisExchange::Move move = exchange.to_holders(lines);
        return moved(x, Kind::lines, move, lines, is_last ? spectrum : move.result);
    }

    TransformMatrices matrices_;
    Shape modes_;  // of both signs of the axes of space
    DType result_;
    SpectrumRoute* route_;
    Graph* graph_;
    Value field_;
    std::int64_t batch_, pencil_;
};

}  // namespace

Value on_rank(const SpectralConvOp& op, const Shape& extents, SpectrumRoute& route, const Value& field,
              const Value& weight) {
    const SpectralConvOnRank conv(op, extents, route, field);
    return conv.inverse(field.graph().add(SpectralMultiplyOp{}, {conv.forward(), weight}));
}

}  // namespace plumecast
