#include "inference/guided/known_grids.hpp"

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
    std::vector<GridAndTimes> known;
    Json::Array more;
    for (const GridAndTimes& own : learned_from) {
        if (std::ranges::any_of(known, [&](const GridAndTimes& other) { return are_same(own, other); })) {
            continue;
        }
        if (!known.empty()) {
            more.push_back(own.to_json());
        }
        known.push_back(own);
    }
    return more;
}

bool is_among_more_grids(const Bundle& bundle, const Dataset& dataset) {
    if (bundle.training.find("more_grids") == nullptr) {
        return false;
    }
    const GridAndTimes own = GridAndTimes::of(dataset);
    return std::ranges::any_of(training_grids(bundle), [&](const GridAndTimes& known) { return are_same(own, known); });
}

double last_trained_time(const Bundle& bundle, const Dataset& dataset) {
    const std::optional<GridAndTimes> trained = recorded_grid(bundle);
    if (!trained) {
        return 0.0;
    }
    return is_among_more_grids(bundle, dataset) ? std::max(trained->times.back(), dataset.times().back())
                                                : trained->times.back();
}

}  // namespace plumecast
