#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <plumecast/core/box.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/batches/batch.hpp>

#include "inference/guided/correction_sizes.hpp"
#include "inference/guided/way_back.hpp"
#include "inference/prediction/packed_results.hpp"
#include "inference/prediction/prediction_slot.hpp"
#include "inference/rank_shard.hpp"

namespace plumecast {

/// Where the results of a pass go; the store is nullptr on ranks that do not keep them.
struct PassResults {
    ResultStore* store;
    CorrectionSizes* corrections;
    const Dataset* dataset;  // nullptr where the cases are channels
    CaseFailures* failures;
};

/// One network over consecutive cases of a source; results are handed on while the next batch is computed.
class PredictionPass {
   public:
    /// `cases` of all of the source; the other references, and the network of the plans, must outlive this.
    PredictionPass(std::shared_ptr<LatestPlans> plans, std::unique_ptr<BatchSource> source, WayBack back,
                   const PassResults& to, const PredictionOptions& options, CellRange cases, std::int64_t all_passes);

    /// Throws what Predictor::predict() throws.
    void run(PredictionReport& report);

   private:
    /// A batch that a slot computes.
    struct Started {
        PredictionSlot* slot;
        const std::vector<std::int64_t>* whole;
        Batch batch;
    };

    bool is_alone() const { return share_.world() == nullptr || share_.world()->size() == 1; }
    void run_batches(std::int64_t size, PredictionReport& report);
    void finish(Started& started, PredictionReport& report);
    void write(const Tensor& values, Started& started);
    void keep(const std::string& field, const std::vector<std::int64_t>& cases, std::shared_ptr<const Tensor> values,
              std::shared_ptr<const Tensor> active);
    /// All of an array of results on the rank that writes, which what was brought back is already.
    Tensor whole(Tensor own, std::int64_t count) {
        return back_.is_needed() ? std::move(own) : share_.gathered(std::move(own), count);
    }
    std::int64_t smaller(std::int64_t size, const OutOfMemory& why) const;

    std::shared_ptr<LatestPlans> plans_;
    const FieldNetwork& network_;
    Shape extents_;
    std::int64_t end_;
    RankShard share_;
    std::unique_ptr<BatchSource> source_;
    WayBack back_;
    const PredictionOptions& options_;
    std::int64_t all_passes_;
    ResultStore* store_;
    CorrectionSizes& corrections_;
    const Dataset* dataset_;
    CaseFailures& failures_;
    std::int64_t done_;                     // cases, in their order
    std::optional<PackedResults> results_;  // of the rank that keeps them
};

}  // namespace plumecast
