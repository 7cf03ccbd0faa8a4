#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <plumecast/core/box.hpp>
#include <plumecast/inference/prediction/prediction_options.hpp>

#include "inference/guided/correction_sizes.hpp"
#include "inference/prediction/packed_results.hpp"
#include "inference/stream/case_stream.hpp"
#include "inference/stream/field_pass.hpp"
#include "reservoir/metrics/trust/field_bands.hpp"

namespace plumecast {

/// Where the results of a pass go; the store is nullptr on ranks that do not keep them.
struct PassResults {
    ResultStore* store;
    CorrectionSizes* corrections;
    const Dataset* dataset;  // nullptr where the cases are channels
    CaseFailures* failures;
    std::map<std::int64_t, DissolvedSeries>* dissolved;    // of cases whose balance is closed
    std::map<std::int64_t, std::vector<float>>* injected;  // of cases whose wells have limits, as in Batch
    const FieldBands* bands = nullptr;                     // of fields; nullptr where none is wanted
    ResultStore* physics = nullptr;                        // of what networks correct; nullptr where it is not wanted
    ResultStore* spread = nullptr;                         // of their members; the same
    ResultStore* judged = nullptr;                         // of fields for the verdicts alone; the same
};

/// One network over consecutive cases of a stream; results are handed on while the next batch is computed.
class PredictionPass {
   public:
    /// `cases` of all of the stream, whose fields are wanted on the first rank. The stream, the other references, and
    /// the network of the plans must outlive this.
    PredictionPass(std::shared_ptr<LatestPlans> plans, CaseStream& stream, const PassResults& to,
                   const PredictionOptions& options, CellRange cases, std::int64_t all_passes);

    /// Throws what Predictor::predict() throws.
    void run(PredictionReport& report);

   private:
    bool is_alone() { return stream_.shard().world() == nullptr; }
    void run_batches(std::int64_t size, PredictionReport& report);
    void finish(FieldPass& pass, PredictionReport& report);
    void write(BatchFields fields);
    void write_band(const std::string& field, const BatchFields& fields, const Tensor& predicted, const Tensor* known);
    std::int64_t smaller(std::int64_t size, const OutOfMemory& why);

    std::shared_ptr<LatestPlans> plans_;
    CaseStream& stream_;
    std::int64_t end_;
    const PredictionOptions& options_;
    std::int64_t all_passes_;
    PassResults to_;
    std::int64_t done_;                     // cases, in their order
    std::optional<PackedResults> results_;  // of the rank that keeps them
    std::optional<PackedResults> physics_, spread_, judged_;
};

}  // namespace plumecast
