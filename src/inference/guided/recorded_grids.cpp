#include "inference/guided/recorded_grids.hpp"

#include <algorithm>

#include <plumecast/inference/bundle/training_grids.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

namespace plumecast {
namespace {

bool are_same(const GridAndTimes& a, const GridAndTimes& b) { return a.has_grid_of(b) && a.has_times_of(b); }

}  // namespace

std::optional<GridAndTimes> recorded_grid(const Bundle& bundle) {
    const std::vector<GridAndTimes> grids = training_grids(bundle);
    return grids.empty() ? std::nullopt : std::optional(grids.front());
}

Json more_grids(std::span<const GridAndTimes> learned_from) {
    std::vector<GridAndTimes> before;
    Json::Array more;
    for (const GridAndTimes& grid : learned_from) {
        if (std::ranges::any_of(before, [&](const GridAndTimes& other) { return are_same(grid, other); })) {
            continue;
        }
        if (!before.empty()) {
            more.push_back(grid.to_json());
        }
        before.push_back(grid);
    }
    return more;
}

bool is_among_training_grids(const Bundle& bundle, const Dataset& dataset) {
    if (bundle.training.find("more_grids") == nullptr) {
        return false;
    }
    const GridAndTimes grid = GridAndTimes::of(dataset);
    return std::ranges::any_of(training_grids(bundle),
                               [&](const GridAndTimes& trained) { return are_same(grid, trained); });
}

double last_trained_time(const Bundle& bundle, const Dataset& dataset) {
    const std::optional<GridAndTimes> trained = recorded_grid(bundle);
    if (!trained) {
        return 0.0;
    }
    return is_among_training_grids(bundle, dataset) ? std::max(trained->times.back(), dataset.times().back())
                                                    : trained->times.back();
}

}  // namespace plumecast
