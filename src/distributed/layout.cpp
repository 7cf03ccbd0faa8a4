#include <algorithm>
#include <string>

#include <plumecast/core/error.hpp>
#include <plumecast/distributed/layout.hpp>

namespace plumecast {

AxisPartition balanced_partition(std::int64_t cells, int parts) {
    if (parts < 1 || cells < 0) {
        throw InvalidInput("an axis of " + std::to_string(cells) + " cells in " + std::to_string(parts) +
                           " parts (there must be a part, and no fewer than 0 cells); change the process grid");
    }
    AxisPartition cuts;
    for (std::int64_t part = 0; part <= parts; ++part) {
        cuts.push_back(part * (cells / parts) + std::min(part, cells % parts));
    }
    return cuts;
}

AxisPartition coarse_partition(const AxisPartition& fine) {
    AxisPartition coarse = fine;
    std::transform(fine.begin(), fine.end(), coarse.begin(), [](std::int64_t cut) { return (cut + 1) / 2; });
    return coarse;
}

Layout partition_layout(const Shape& extents, int axis, const AxisPartition& cuts) {
    expects(!cuts.empty() && cuts.front() == 0 && cuts.back() == extents[axis], "cuts of this axis");
    Layout layout;
    for (std::size_t part = 0; part + 1 < cuts.size(); ++part) {
        layout.push_back({Box(extents).with(axis, cuts[part], cuts[part + 1])});
    }
    return layout;
}

Layout halo_layout(const Layout& owned, const Shape& extents, int axis, std::int64_t low, std::int64_t high) {
    Layout grown = owned;
    for (std::vector<Box>& boxes : grown) {
        for (Box& box : boxes) {
            if (!box.empty()) {
                box = intersection(Box(extents), box.with(axis, std::max<std::int64_t>(0, box.low()[axis] - low),
                                                          box.high()[axis] + high));
            }
        }
    }
    return grown;
}

Layout replicated_layout(const Shape& extents, int ranks) {
    return Layout(static_cast<std::size_t>(ranks), {Box(extents)});
}

Layout gathered_layout(const Shape& extents, int root, int ranks) {
    Layout layout(static_cast<std::size_t>(ranks));
    layout.at(static_cast<std::size_t>(root)) = {Box(extents)};
    return layout;
}

}  // namespace plumecast
