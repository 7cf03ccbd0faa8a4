#include <utility>

#include "spectral/spectrum_route.hpp"

namespace plumecast {
namespace {

/// Modes of both signs of a space axis.
std::int64_t both_signs(const std::vector<std::int64_t>& modes, int axis) {
    return 2 * modes[static_cast<std::size_t>(axis)];
}

AxisPartition relative_to_first(const AxisPartition& cuts, std::size_t first, std::size_t parts, std::int64_t unit) {
    AxisPartition result;
    for (std::size_t part = 0; part <= parts; ++part) {
        result.push_back((cuts[first + part] - cuts[first]) / unit);
    }
    return result;
}

/// Every `parts`-th cut: those between groups of ranks along x.
AxisPartition outer_cuts(const AxisPartition& owners, std::size_t parts, std::int64_t unit) {
    AxisPartition result;
    for (std::size_t at = 0; at < owners.size(); at += parts) {
        result.push_back(owners[at] / unit);
    }
    return result;
}

}  // namespace

SpectrumRoute spectrum_route(const Shape& extents, const std::vector<std::int64_t>& modes, const Partition* partition,
                             const Shape& kept, const ProcessGrid& grid, const AxisPartition& owners) {
    const int axes = extents.rank() - 1, last = axes - 1;
    const auto x_parts = static_cast<std::size_t>(grid.shape().x);
    const auto cells = [&](int axis) {
        return partition != nullptr ? partition->cuts()[static_cast<std::size_t>(axis)] : AxisPartition{0, kept[axis]};
    };
    SpectrumRoute route;
    route.held = partition != nullptr ? partition->held() : Box(kept);
    std::int64_t rows = 1;
    for (int axis = 0; axis < axes; ++axis) {
        const bool is_x = axis == last, is_y = axis == last - 1 && axes > 2;
        Communicator& ranks = is_x ? grid.along_x() : grid.along_y();
        if ((!is_x && !is_y) || (ranks.size() == 1 && grid.route() != Route::transpose)) {
            rows *= both_signs(modes, axis);
            continue;
        }
        AxisExchange::Geometry geometry{
            rows, both_signs(modes, axis), cells(axis), {}, grid.route() == Route::transpose};
        if (grid.route() == Route::automatic) {
            geometry.by_transpose = AxisExchange::transpose_is_cheaper(extents[axis], geometry.modes, ranks.size());
        }
        const auto first = static_cast<std::size_t>(grid.along_y().rank()) * x_parts;
        geometry.owned =
            is_x ? relative_to_first(owners, first, x_parts, 1) : outer_cuts(owners, x_parts, both_signs(modes, last));
        const std::int64_t here = route.held.extents()[axis];
        if (geometry.by_transpose) {
            route.left.push_back(axis);
            route.held = route.held.with(axis, 0, geometry.cells.back());
        }
        route.stages.push_back({axis, here, 1, AxisExchange(ranks, std::move(geometry))});
        rows = route.stages.back().exchange.owned();
    }
    if (route.stages.size() == 2) {
        const SpectrumRoute::Stage& x = route.stages[1];
        route.stages[0].after = x.exchange.by_transpose() ? x.held : x.exchange.modes();
    } else if (!route.stages.empty() && route.stages[0].axis != last) {
        route.stages[0].after = both_signs(modes, last);
    }
    route.owned = rows;
    return route;
}

}  // namespace plumecast
