#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "inverse/optimization/field_source.hpp"
#include "inverse/optimization/search/design_problem.hpp"
#include "inverse/optimization/storage_config.hpp"
#include "inverse/optimization/storage_ensemble.hpp"

namespace plumecast {

/// What a choice gives in each geology.
struct StorageOutcome {
    double stored = 0.0;                       ///< CO2 injected until the last time [Mt]
    std::vector<std::vector<double>> figures;  ///< [limits][cases] at the worst time; NaN where not known
    std::vector<std::vector<double>> excess;   ///< [limits][cases] beyond the limit less its margin; infinite so
    std::vector<std::vector<double>> margins;  ///< [limits][cases] that the figure may be wrong by there; NaN so
    std::int64_t not_known = 0;                ///< cases without any figure
    std::string why_not_known = {};            ///< of the first of them
};

/// The most CO2 that can be stored, within limits kept with their probabilities over an ensemble of geologies. What was
/// computed of a choice is kept, so that another probability costs nothing at choices that were tried.
class StorageProblem {
   public:
    /// Of one of the placements of the wells of the ensemble. What is handed over must outlive this. `threads` compute
    /// and measure; `stop_requested` may be empty.
    StorageProblem(const StorageConfig& config, const StorageEnsemble& ensemble, std::size_t placement,
                   const FieldSource& source, int threads, std::function<bool()> stop_requested);
    StorageProblem(const StorageProblem&) = delete;
    StorageProblem& operator=(const StorageProblem&) = delete;

    /// As optimize() takes it, which this must outlive. Limits without a probability of their own take `probability`.
    DesignProblem design(double probability);
    /// Computed anew. Throws InvalidInput for a figure that the report does not have, naming the nearest; InvalidData,
    /// Interrupted.
    const StorageOutcome& outcome(const std::vector<double>& point);
    /// Whether a choice that stores more keeps all limits itself, but less of it, with lower rates, does not.
    bool is_held_back(const std::vector<double>& point, double probability) const;
    /// The verdicts on the cases at a point, computed anew, and of which of them intervals say nothing.
    ComputedCases judged(const std::vector<double>& point) const;
    std::size_t placement() const { return placement_; }
    /// Cases computed so far.
    std::int64_t computed() const { return computed_; }

   private:
    std::vector<double> excess_from_below(const std::vector<double>& point, std::size_t limit) const;
    void compute(const DesignPoints& points);
    void measure(const DatasetContent& content, const std::vector<PlannedCase>& plan, const ComputedCases& computed);

    const StorageConfig& config_;
    const StorageEnsemble& ensemble_;
    std::size_t placement_;
    const FieldSource& source_;
    ComputationOptions options_;
    std::map<std::vector<double>, StorageOutcome> outcomes_;
    std::int64_t computed_ = 0;
};

/// The excess that a share `probability` of the cases does not exceed: the smallest of them of which that holds, so
/// that it is at most 0 where, and only where, so many cases keep the limit. Expects cases.
double excess_at(double probability, std::vector<double> excess);

}  // namespace plumecast
