#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <plumecast/inference/predictor.hpp>
#include <plumecast/inference/recording.hpp>

#include "inference/gradients/recorded_batch.hpp"
#include "inference/prediction/packed_results.hpp"
#include "inference/prediction/prediction_task.hpp"
#include "inference/stream/case_set.hpp"
#include "inference/stream/case_stream.hpp"
#include "inference/stream/field_pass.hpp"
#include "reservoir/metrics/case_fields.hpp"
#include "reservoir/metrics/series_gradient.hpp"

namespace plumecast {

/// The passes of some networks over cases, with their data set and its physics.
class Recording::Tape {
   public:
    /// Of a data set whose cells the networks know, and its times or those of `model_grid`; the networks must outlive
    /// this. Throws InvalidInput where one has no input gradients.
    Tape(OpenInput input, const std::vector<const FieldNetwork*>& networks, const PredictionOptions& options,
         const std::optional<GridAndTimes>& model_grid);

    /// Runs all networks over all cases, in batches; what `store` takes goes there (nullptr for nowhere). Throws
    /// Interrupted, and OutOfMemory saying how many cases.
    void record(const PredictionOptions& options, ResultStore* store);

    std::vector<std::string> fields() const;
    /// Names of the series of the fields: differentiable_series(), or none.
    std::vector<std::string> series() const;
    /// Values [N, T] of one of them; until the pull-back.
    std::vector<double> series(const std::string& name);
    const Dataset& dataset() const { return *dataset_; }
    const MemoryCases* memory() const { return memory_ ? &*memory_ : nullptr; }
    bool is_spent() const { return is_spent_; }
    const std::vector<std::int64_t>& retaken_steps() const { return retaken_steps_; }

    /// Spends the tape, unless a series without a value has a cotangent: then throws InvalidInput.
    void pull_back(const FieldCotangents& cotangents, const GradientArrays& gradients);

   private:
    /// A network over some cases.
    struct Pass {
        const FieldNetwork* network;
        CaseBatch batch;
        std::unique_ptr<RecordedBatch> recorded;
    };
    /// Some cases, all networks.
    using Passes = std::vector<Pass>;

    /// Of fields, as given and as series leave them to each case of a batch.
    struct OutputCotangents {
        const FieldCotangents& given;
        std::vector<SeriesGradient> of_series;
    };

    void record(std::size_t network, const std::vector<std::int64_t>& cases, Passes& passes, PackedResults* results);
    /// What a network has said of some cases.
    BatchFields fields_of_pass(std::size_t network, Pass& pass);
    /// The cases of some passes as a report takes them, with their fields.
    std::vector<CaseFields> measured(Passes& passes);
    /// What the series of some passes that have cotangents leave to each case; nothing where none has any. Throws
    /// InvalidInput where a series without a value has one.
    std::vector<SeriesGradient> pull_back_series(Passes& passes, const FieldCotangents& cotangents);
    Tensor cotangents_of(const Pass& pass, const OutputCotangents& cotangents) const;
    /// By what cases have at their own times, and at those that the networks know where these are others.
    struct Gradients {
        InputGradients on_case_grid, on_model_grid;
    };
    /// What networks that share a physics (nullptr for those that have none) leave to it and to the inputs.
    Gradients pull_back_networks(Passes& passes, const OutputCotangents& cotangents,
                                 const std::shared_ptr<CasePhysics>& physics) const;
    Gradients pull_back_network(Pass& pass, const Tensor& cotangents) const;

    std::unique_ptr<const Dataset> dataset_;
    std::optional<MemoryCases> memory_;  // nothing of a file
    std::vector<const FieldNetwork*> networks_;
    std::optional<const CaseSet> set_;
    std::vector<CaseStream> streams_;  // by network
    Limits limits_;
    InputGradientPlans plans_;
    std::vector<Passes> batches_;
    bool is_spent_ = false;
    std::vector<std::int64_t> retaken_steps_;  // of each case; empty before pull_back()
};

}  // namespace plumecast
