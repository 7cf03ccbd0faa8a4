#include "inference/prediction/loaded_model.hpp"

#include <algorithm>

#include "inference/bundle/recorded.hpp"
#include "inference/prediction/prediction_notices.hpp"
#include "reservoir/batches/case_lists.hpp"

namespace plumecast {

LoadedModel::LoadedModel(const std::string& bundle, Backend& backend, const ProcessGrid* grid)
    : backend_(&backend),
      grid_(grid),
      bundle_(Bundle::load(bundle, backend, grid)),
      ranges_(recorded_ranges(bundle_)),
      trust_(recorded_trust(bundle_)) {
    for (const BundleNetwork& network : bundle_.networks) {
        plans_.push_back(LatestPlans::with_spread(*network.network));
    }
}

bool LoadedModel::is_first() const { return grid_ == nullptr || grid_->world().rank() == 0; }

std::vector<OutOfRange> LoadedModel::out_of_range(const Dataset& dataset, const LogSink& log) const {
    std::vector<OutOfRange> found = ranges_.outside(dataset, all_cases(dataset.cases()));
    std::erase_if(found, [&](const OutOfRange& out) {  // the answer is known without the training
        return dataset.injects_nothing(out.which);
    });
    if (log) {
        warn_of_ranges(found, ranges_, log);
    }
    return found;
}

}  // namespace plumecast
