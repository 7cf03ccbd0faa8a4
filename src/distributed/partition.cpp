#include <algorithm>
#include <string>
#include <utility>

#include <plumecast/core/error.hpp>
#include <plumecast/distributed/partition.hpp>

namespace plumecast {

Partition::Partition(Communicator& ranks, std::vector<AxisPartition> cuts) : ranks_(&ranks), cuts_(std::move(cuts)) {
    std::int64_t parts = 1;
    std::string grid;
    for (const AxisPartition& axis : cuts_) {
        expects(axis.size() >= 2 && axis.front() == 0 && std::is_sorted(axis.begin(), axis.end()), "cuts of an axis");
        parts *= static_cast<std::int64_t>(axis.size()) - 1;
        grid += (grid.empty() ? "" : " x ") + std::to_string(axis.size() - 1);
    }
    if (parts != ranks.size()) {
        throw InvalidInput("a process grid of " + grid + " parts for " + std::to_string(ranks.size()) +
                           " ranks (every part needs one rank); change the grid or the number of ranks");
    }
}

Shape Partition::extents() const {
    Shape result;
    for (const AxisPartition& axis : cuts_) {
        result = result.append(axis.back());
    }
    return result;
}

CellRange Partition::held(int rank, int axis) const {
    std::int64_t rest = rank;
    for (int a = axes() - 1; a > axis; --a) {
        rest /= static_cast<std::int64_t>(cuts_[static_cast<std::size_t>(a)].size()) - 1;
    }
    const AxisPartition& cuts = cuts_[static_cast<std::size_t>(axis)];
    const auto part = static_cast<std::size_t>(rest) % (cuts.size() - 1);
    return {cuts[part], cuts[part + 1]};
}

Box Partition::held() const {
    Box box(extents());
    for (int axis = 0; axis < axes(); ++axis) {
        const CellRange range = held(ranks_->rank(), axis);
        box = box.with(axis, range.low, range.high);
    }
    return box;
}

Partition Partition::coarser() const {
    std::vector<AxisPartition> coarse;
    std::ranges::transform(cuts_, std::back_inserter(coarse), coarse_partition);
    return {*ranks_, std::move(coarse)};
}

Layout Partition::layout(std::int64_t batch, std::int64_t times, std::int64_t channels) const {
    return layout(batch, times, channels, [](int, CellRange range) { return range; });
}

Layout Partition::layout(std::int64_t batch, std::int64_t times, std::int64_t channels,
                         const NeededRange& range) const {
    const Shape space = extents();
    Shape whole{batch};
    for (int axis = 0; axis < axes(); ++axis) {
        whole = whole.append(space[axis]);
    }
    whole = whole.append(times).append(channels);
    Layout layout;
    for (int rank = 0; rank < ranks_->size(); ++rank) {
        Box box(whole);
        for (int axis = 0; axis < axes(); ++axis) {
            const CellRange needed = range(axis, held(rank, axis));
            const std::int64_t low = std::clamp<std::int64_t>(needed.low, 0, space[axis]);
            box = box.with(axis + 1, low, std::clamp(needed.high, low, space[axis]));
        }
        layout.push_back({box});
    }
    return layout;
}

}  // namespace plumecast
