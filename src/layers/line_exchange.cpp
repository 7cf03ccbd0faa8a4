#include <plumecast/layers/line_exchange.hpp>

#include <algorithm>
#include <array>

namespace plumecast {
namespace {

/// Columns go to ranks in pieces of whole vectors: then a column is computed in the same way whatever others there are.
constexpr std::int64_t piece = 16;

Cuts column_cuts(std::int64_t columns, int ranks) {
    Cuts cuts = balanced_cuts((columns + piece - 1) / piece, ranks);
    for (std::int64_t& cut : cuts) {
        cut = std::min(columns, cut * piece);
    }
    return cuts;
}

}  // namespace

const Exchange& LineExchange::exchange(const Shape& whole, int from_axis, const Cuts& from) const {
    auto& known = exchanges_[whole.text()];
    if (!known) {
        const int last = whole.rank() - 1;
        known = std::make_unique<const Exchange>(*ranks_, cut_layout(whole, from_axis, from),
                                                 cut_layout(whole, last, column_cuts(whole[last], ranks_->size())));
    }
    return *known;
}

Tensor LineExchange::moved(Backend& backend, ConstView part, const Shape& whole, int axis, const Cuts& cuts,
                           bool back) const {
    const auto rank = static_cast<std::size_t>(ranks_->rank());
    const Cuts columns = column_cuts(whole[-1], ranks_->size());
    const Shape shape = back ? whole.with(axis, cuts[rank + 1] - cuts[rank])
                             : whole.with(whole.rank() - 1, columns[rank + 1] - columns[rank]);
    Tensor result(backend.memory(), shape, backend.compute_type());
    const Exchange& plan = exchange(whole, axis, cuts);
    if (back) {
        // Every number has one place on either side, so the transpose is the way back.
        plan.adjoint(backend, std::array{part}, std::array{Target{result.view()}});
    } else {
        plan.forward(backend, std::array{part}, std::array{Target{result.view()}});
    }
    return result;
}

Tensor LineExchange::lines(Backend& backend, ConstView held) const {
    return moved(backend, held, held.shape.with(2, cells_.back()), 2, cells_, false);
}

Tensor LineExchange::held(Backend& backend, ConstView lines, std::int64_t columns) const {
    return moved(backend, lines, lines.shape.with(4, columns), 2, cells_, true);
}

Tensor LineExchange::owned(Backend& backend, ConstView modes, std::int64_t columns) const {
    return moved(backend, modes, modes.shape.with(3, columns), 1, owners_, true);
}

Tensor LineExchange::modes(Backend& backend, ConstView owned) const {
    return moved(backend, owned, owned.shape.with(1, owners_.back()), 1, owners_, false);
}

}  // namespace plumecast
