#pragma once

#include <memory>
#include <string>
#include <vector>

#include <plumecast/inference/bundle.hpp>
#include <plumecast/inference/prediction/prediction_options.hpp>

#include "inference/prediction/latest_plans.hpp"
#include "reservoir/metrics/trust/trust_record.hpp"

namespace plumecast {

/// A bundle ready to predict, which a Predictor shares with its copies.
class LoadedModel {
   public:
    /// As Predictor().
    LoadedModel(const std::string& bundle, Backend& backend, const ProcessGrid* grid);

    Backend& backend() const { return *backend_; }
    const ProcessGrid* grid() const { return grid_; }
    const Bundle& bundle() const { return bundle_; }
    /// By network of the bundle.
    const std::vector<std::shared_ptr<LatestPlans>>& plans() const { return plans_; }
    /// Of the training.
    const InputRanges& ranges() const { return ranges_; }
    const TrustRecord& trust() const { return trust_; }
    /// Whether this rank, or the only one, writes results.
    bool is_first() const;

    /// The inputs of a data set that lie outside of the ranges of the training, of which the log hears.
    std::vector<OutOfRange> out_of_range(const Dataset& dataset, const LogSink& log) const;

   private:
    Backend* backend_;
    const ProcessGrid* grid_;
    Bundle bundle_;
    std::vector<std::shared_ptr<LatestPlans>> plans_;
    InputRanges ranges_;
    TrustRecord trust_;
};

}  // namespace plumecast
